"""Text from files, made safe to show on a terminal."""

from __future__ import annotations

from assay.terminal import visible

__all__ = ["excerpt"]


def excerpt(text: str, width: int) -> str:
    r"""The beginning of `text` on one line of at most `width` characters.

    Examples
    --------
    >>> excerpt("Where is\nmy parcel?", 12)
    'Where is my…'
    """
    line = visible(" ".join(text[: 4 * width].split()))
    return line if len(line) <= width and len(text) <= 4 * width else line[: width - 1].rstrip() + "…"
