"""Where the installed command begins and ends.

Importing what a command needs takes a moment, in which Ctrl-C and the system's requests to end are as quiet as later.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

__all__ = ["start"]


def start() -> int:
    """Run ``assay`` with the process's arguments and return its exit code."""
    signal.signal(signal.SIGINT, _leave_at_once)  # before anything else is imported
    from assay.cli.signals import EXIT_CODES, watched_signals

    watched = watched_signals()
    for number in watched:
        signal.signal(number, _leave_at_once)
    from assay.cli.main import main

    code = main()
    for number in watched:
        signal.signal(number, signal.SIG_IGN)  # it is done: what is left is the end of the interpreter
    if code in EXIT_CODES.values():
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(code)  # a thread in native code would be waited for
    return code


def _leave_at_once(number: int, _: object) -> None:
    if number == signal.SIGINT:
        with suppress(OSError):
            os.write(2, b"Interrupted.\n")
    os._exit(128 + number)
