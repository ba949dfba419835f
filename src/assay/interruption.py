"""Ctrl-C between two updates, not in the middle of one."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any, Self

__all__ = ["Interruption"]


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
