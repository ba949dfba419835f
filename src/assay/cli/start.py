"""Where the installed command begins and ends.

Importing what a command needs takes a moment, in which Ctrl-C and the system's requests to end are as quiet as later.
Until `start` has begun, Python itself answers Ctrl-C, with a traceback: so nothing is imported here that is not loaded
already when Python has started.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # what the module signal is made of, which would import six others
import os
import sys
import time

__all__ = ["start"]


def start() -> None:
    """Run ``assay`` with the process's arguments and end the process with its exit code."""
    _signal.signal(_signal.SIGINT, _leave_at_once)  # before anything else is imported
    began = time.monotonic() - time.process_time()  # before the interpreter came so far, which nobody says otherwise
    from atexit import _run_exitfuncs
    from contextlib import suppress

    from assay.cli.signals.exit_codes import EXIT_CODES, watched_signals

    watched = watched_signals()
    for number in watched:
        _signal.signal(number, _leave_at_once)
    from assay.cli.main import main

    code = main(began=began)
    for number in watched:
        _signal.signal(number, _signal.SIG_IGN)  # it is done: what is left is the end of the interpreter
    if code not in EXIT_CODES.values():
        _run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # it may be closed, or none
            stream.flush()
    # The interpreter is not taken apart: that takes longer than a short command, and a thread in native code that was
    # left in the middle of its work would be waited for, or would end the process with SIGABRT when it comes back.
    os._exit(code)


def _leave_at_once(number: int, _: object) -> None:
    try:
        if number == _signal.SIGINT:
            os.write(2, b"Interrupted.\n")
    finally:
        os._exit(128 + number)
