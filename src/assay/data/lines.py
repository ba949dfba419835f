"""A stream cut into blocks of whole lines."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import NamedTuple

from assay.data.streams import TextStream

__all__ = ["LineBlock", "line_blocks"]


class LineBlock(NamedTuple):
    """Consecutive lines; bytes that are not UTF-8 stand in them as Python's surrogate escapes."""

    first: int
    lines: list[str]
    position: int


def line_blocks(stream: TextStream, block_bytes: int = 1 << 22) -> Iterator[LineBlock]:
    r"""Go through the lines, which end with ``\n`` or ``\r\n``; a line may be as long as it likes.

    Parameters
    ----------
    stream
        The text.
    block_bytes
        About how many bytes a block has.
    """
    first = 1
    rest: list[bytes] = []  # of a line that goes on in the next block
    while data := bytes(stream.read(block_bytes)):
        if first == 1 and not rest:
            data = data.removeprefix(codecs.BOM_UTF8)
        end = len(data) if stream.at_end else data.rfind(b"\n") + 1
        if not end:
            rest.append(data)
            continue
        whole = b"".join([*rest, data[:end]])
        rest = [data[end:]]
        lines = whole.decode("utf-8", "surrogateescape").split("\n")
        if whole.endswith(b"\n"):
            lines.pop()
        yield LineBlock(first, [line.removesuffix("\r") for line in lines], stream.position())
        first += len(lines)
