"""Text from files, made safe to show on a terminal."""

from __future__ import annotations

import re
from typing import IO, cast

__all__ = ["harmless", "one_line", "visible", "visible_json"]

# C0 and C1 controls but tab and newline, and the marks that reorder the text around them.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    r"""Write control characters as escapes, so that no text can command the terminal.

    Examples
    --------
    >>> print(visible("red: \x1b[31m"))
    red: \x1b[31m
    """
    return _UNSAFE.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def one_line(text: str, width: int) -> str:
    r"""The beginning of `text` on one line of at most `width` characters.

    Examples
    --------
    >>> one_line("Where is\nmy parcel?", 12)
    'Where is my…'
    """
    line = visible(" ".join(text[: 4 * width].split()))
    return line if len(line) <= width and len(text) <= 4 * width else line[: width - 1].rstrip() + "…"


def visible_json(text: str) -> str:
    r"""The same for JSON, which stays JSON.

    Examples
    --------
    >>> print(visible_json('"\x9b31m"'))
    "\u009b31m"
    """
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def harmless(sink: IO[bytes], *, json: bool = False) -> IO[bytes]:
    """A sink that takes whole characters of UTF-8; on a terminal control characters are shown, elsewhere kept."""
    return cast("IO[bytes]", _VisibleSink(sink, json=json)) if sink.isatty() else sink


class _VisibleSink:
    def __init__(self, sink: IO[bytes], *, json: bool) -> None:
        self._sink = sink
        self._shown = visible_json if json else visible
        self.flush = sink.flush

    def write(self, data: bytes | memoryview) -> int:
        self._sink.write(self._shown(str(data, "utf-8")).encode())
        return len(data)
