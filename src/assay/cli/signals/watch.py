"""Ctrl-C, and the system's requests to end, whatever the program is busy with.

Python makes an exception of a signal, in the main thread, which clears away what is half done as it passes. Two things
can keep it from that. Places that let no exception pass (the callback of a weak reference, a library that catches
everything): a timer raises it again as long as nobody is dealing with it. And native code, which has to return first: a
thread looks on, and where the process still lives a moment after the first signal, or a second one comes, it removes
temporary files itself and ends the process. In the middle of an import, which a compiled module may not survive, no
exception is made: the process ends in the same way, at once.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from contextlib import suppress
from types import FrameType
from typing import Any, Self

from assay.cli.signals.exit_codes import EXIT_CODES, INTERRUPTED, watched_signals
from assay.temporary_files import remove_all

__all__ = ["SignalWatch", "leave"]

#: Seconds that clearing away may take, and after which an exception that got lost is raised again.
PATIENCE = 1.5
AGAIN = 0.2

_LEAVING = threading.RLock()


class SignalWatch:
    """While it lasts, SIGINT, SIGTERM and SIGHUP end what the main thread does, and the process if that does not help.

    Outside of the main thread, where signals do not arrive, it does nothing. Whoever puts another handler in place
    (the training of a network, which ends after its update) has the signal to himself.

    Attributes
    ----------
    code
        Exit code of the signal that came; None as long as none did.
    """

    def __init__(self) -> None:
        self.code: int | None = None
        self._handlers: dict[int, Any] = {}
        self._wake: tuple[int, int] | None = None
        self._report: Any = None
        self._over = False

    def __enter__(self) -> Self:
        if threading.current_thread() is not threading.main_thread():
            return self
        self._handlers = {number: signal.signal(number, self._raise) for number in watched_signals()}
        self._report, sys.unraisablehook = sys.unraisablehook, self._lost
        if os.name == "posix":
            self._handlers[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._raise_again)
            reading, writing = os.pipe()
            os.set_blocking(writing, False)
            # The interpreter writes the signal's number there at once, also while the main thread is in native code.
            self._wake = writing, signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
            threading.Thread(target=self._look_on, args=(reading,), name="signals", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        if not self._handlers:
            return
        with _LEAVING:  # where the other thread is about to end the process, this one has nothing more to say
            self._over = True
        if self._wake is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            writing, before = self._wake
            signal.set_wakeup_fd(before)
            os.close(writing)  # which ends the thread
        sys.unraisablehook = self._report
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def _raise(self, number: int, frame: FrameType | None) -> None:
        self.code = EXIT_CODES[number]
        if _is_importing(frame):
            leave(number)
        if self._wake is not None:
            signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(self.code)

    def _raise_again(self, number: int, frame: FrameType | None) -> None:
        handled = sys.exception()
        while handled is not None:
            if isinstance(handled, (KeyboardInterrupt, SystemExit)):
                return  # something is clearing away
            handled = handled.__context__
        raise KeyboardInterrupt if self.code == INTERRUPTED else SystemExit(self.code)

    def _lost(self, found: Any) -> None:
        """Print no traceback where the exception got stuck: it will come again."""
        if self.code is None or not issubclass(found.exc_type, (KeyboardInterrupt, SystemExit)):
            self._report(found)

    def _look_on(self, reading: int) -> None:
        asked: int | None = None
        while True:
            ready, _, _ = select.select([reading], [], [], None if asked is None else PATIENCE)
            received = os.read(reading, 64) if ready else b""
            if ready and not received:
                os.close(reading)
                return
            ours = [number for number in received if number in EXIT_CODES and signal.getsignal(number) == self._raise]
            if asked is not None and (ours or not ready):
                self._leave(asked)
            if ours:
                asked = ours[0]
                if len(ours) > 1:
                    self._leave(asked)

    def _leave(self, number: int) -> None:
        with _LEAVING:
            if not self._over:
                leave(number)


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a module is being imported where a signal arrived."""
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


def leave(number: int) -> None:
    """End the process now as the signal `number` asks, without temporary files and without waiting for any thread."""
    _LEAVING.acquire()  # for good: the main thread and the one that looks on may come to it at the same time
    remove_all()
    shown = b"\x1b[?25h" if os.isatty(2) else b""  # the cursor, which a live table hides
    with suppress(OSError):
        os.write(2, shown + (b"Interrupted.\n" if number == signal.SIGINT else b""))
    os._exit(EXIT_CODES[number])
