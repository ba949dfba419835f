"""Text from files, made safe to show on a terminal."""

from __future__ import annotations

import re

__all__ = ["excerpt", "visible"]

# C0 and C1 controls but tab and newline, and the marks that reorder the text around them.
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    r"""Write control characters as escapes, so that no text can command the terminal.

    Examples
    --------
    >>> print(visible("red: \x1b[31m"))
    red: \x1b[31m
    """
    return UNSAFE.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def excerpt(text: str, width: int) -> str:
    r"""The beginning of `text` on one line of at most `width` characters.

    Examples
    --------
    >>> excerpt("Where is\nmy parcel?", 12)
    'Where is my…'
    """
    line = visible(" ".join(text[: 4 * width].split()))
    return line if len(line) <= width and len(text) <= 4 * width else line[: width - 1].rstrip() + "…"
