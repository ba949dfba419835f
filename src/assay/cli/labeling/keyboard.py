"""One key at a time from a terminal; elsewhere, and where that cannot be, a line at a time."""

from __future__ import annotations

import os
import select
import signal
import sys
from types import FrameType
from typing import Any, Self

from assay.terminal import visible

try:
    import termios
    import tty
except ImportError:  # Windows
    termios = tty = None  # type: ignore[assignment]

__all__ = ["END", "Keyboard"]

#: What `Keyboard.key` gives when nothing more will come.
END = "\x04"
_ESCAPE, _LATER = "\x1b", 0.03  # seconds in which the rest of an arrow key comes


class Keyboard:
    """Standard input: keys where it is a terminal, else lines.

    Parameters
    ----------
    by_lines
        Read lines in any case.

    Attributes
    ----------
    by_lines
        Whether an answer ends with Enter.
    """

    def __init__(self, *, by_lines: bool = False) -> None:
        self.by_lines = by_lines or termios is None or sys.stdin is None or not sys.stdin.isatty()
        self._before: Any = None
        self._handler: Any = None

    def __enter__(self) -> Self:
        if not self.by_lines:
            self._before = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
            self._handler = signal.signal(signal.SIGCONT, self._again)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGCONT, self._handler)
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)

    def forget(self) -> None:
        """Throw away what was typed before its text was to be seen."""
        if not self.by_lines:
            termios.tcflush(sys.stdin, termios.TCIFLUSH)

    def key(self) -> str:
        """The next key, or the next line without its end; `END` when nothing more will come."""
        if self.by_lines:
            line = sys.stdin.readline() if sys.stdin is not None else ""
            return line.rstrip("\r\n") if line else END
        first = os.read(sys.stdin.fileno(), 1)
        if not first:
            return END
        more = 0 if first[0] < 0xC0 else 1 if first[0] < 0xE0 else 2 if first[0] < 0xF0 else 3
        key = (first + b"".join(os.read(sys.stdin.fileno(), 1) for _ in range(more))).decode("utf-8", "replace")
        if key == _ESCAPE:
            self._skip_sequence()
            return ""
        return "\n" if key == "\r" else key

    def _skip_sequence(self) -> None:
        """Read the rest of an arrow or a function key, which mean nothing here: up to the letter that ends it."""
        begun = False
        while select.select([sys.stdin], [], [], _LATER)[0] and (byte := os.read(sys.stdin.fileno(), 1)):
            if begun and 0x40 <= byte[0] <= 0x7E:
                return
            if not begun and byte not in (b"[", b"O"):
                return
            begun = True

    def line(self, prompt: str) -> str:
        """A whole line, typed and mended as usual; empty where nothing more comes."""
        if self._before is not None:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)
        try:
            sys.stderr.write(visible(prompt))
            sys.stderr.flush()
            return sys.stdin.readline().strip() if sys.stdin is not None else ""
        finally:
            if self._before is not None:
                tty.setcbreak(sys.stdin)

    def _again(self, number: int, frame: FrameType | None) -> None:
        """Back from Ctrl-Z: the shell has set the terminal as it likes it."""
        tty.setcbreak(sys.stdin)
