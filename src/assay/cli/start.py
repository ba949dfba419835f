"""Where the installed command begins and ends.

Importing what a command needs takes a moment, in which Ctrl-C is to be as quiet as later.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

__all__ = ["start"]


def start() -> int:
    """Run ``assay`` with the process's arguments and return its exit code."""
    signal.signal(signal.SIGINT, _leave_at_once)
    from assay.cli.interruption import INTERRUPTED, TERMINATED
    from assay.cli.main import main

    code = main()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is done: what is left is the end of the interpreter
    if code in (INTERRUPTED, TERMINATED):
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(code)  # a thread in native code would be waited for
    return code


def _leave_at_once(*_: object) -> None:
    os.write(2, b"Interrupted.\n")
    os._exit(130)
