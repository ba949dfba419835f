"""Ctrl-C between two updates, not in the middle of one; and signals that wait until an import is done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Any, Self

__all__ = ["Interruption", "signals_held_back"]


class Interruption:
    """While it lasts, the first Ctrl-C is only noted, for the loop to end when it is ready; the second ends at once.

    Outside of the main thread, where signals do not arrive, it does nothing.

    Attributes
    ----------
    asked
        Whether somebody pressed Ctrl-C.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: Any = None

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


@contextmanager
def signals_held_back() -> Iterator[None]:
    """While it lasts, signals that have a handler in Python are only noted; right afterwards they arrive.

    Such handlers run in the main thread alone, so that nothing is to be done in another one. A mask of signals would
    not do: the system hands a signal to any thread that takes it, and the handler runs in the main thread all the same.

    Examples
    --------
    >>> with Interruption() as interruption:
    ...     with signals_held_back():
    ...         signal.raise_signal(signal.SIGINT)
    ...         print("held back:", not interruption.asked)
    ...     print("arrived:", interruption.asked)
    held back: True
    arrived: True
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    noted: list[int] = []
    handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}
    try:
        with ExitStack() as put_back:
            for number, handler in handlers.items():
                if callable(handler):
                    put_back.callback(signal.signal, number, handler)
                    signal.signal(number, lambda number, _: noted.append(number))
            yield
    finally:
        for held in dict.fromkeys(noted):
            signal.raise_signal(held)
