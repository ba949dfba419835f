"""A stream cut into blocks of whole lines."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from assay.data.bytes.live import line_end
from assay.data.bytes.row_length import longest_row
from assay.data.bytes.streams import ByteSource, TextStream

__all__ = ["LineBlock", "blocks_of_source", "line_blocks"]

_WORTH_COUNTING = 1 << 26  # bytes of a line that goes on, before they are kept until it ends


class LineBlock(NamedTuple):
    """Consecutive whole lines."""

    first: int
    """The number of the first line, counted from 1."""
    data: bytes
    position: int
    """How many bytes of the file were used up to here."""

    def split(self) -> list[bytes]:
        """Return the lines without their ends."""
        lines = self.data.split(b"\n")
        if not lines[-1]:
            lines.pop()
        return [line[:-1] if line.endswith(b"\r") else line for line in lines]

    def decode(self) -> Iterable[str]:
        """Give the lines as strings; bytes that are not UTF-8 are Python's surrogate escapes."""
        if self.is_long:
            return self._decode_one_by_one()
        lines = self.data.decode("utf-8", "surrogateescape").split("\n")
        if not lines[-1]:
            lines.pop()
        return [line.removesuffix("\r") for line in lines]

    def _decode_one_by_one(self) -> Iterator[str]:
        begin, data = 0, memoryview(self.data)
        while begin < len(data):
            end = self.data.find(b"\n", begin)
            end = len(data) if end < 0 else end
            yield str(data[begin:end], "utf-8", "surrogateescape").removesuffix("\r")
            begin = end + 1

    @property
    def is_long(self) -> bool:
        """Whether there is a line so long that copies of it count."""
        return len(self.data) > _WORTH_COUNTING


def blocks_of_source(source: ByteSource, encoding: str) -> Iterator[LineBlock]:
    """Go through the lines of a source, part by part as it gives them."""
    first = 1
    for part in source.parts(line_end):
        for block in line_blocks(TextStream(part, encoding), first=first):
            first = block.first + block.data.count(b"\n")
            yield block


def line_blocks(stream: TextStream, block_bytes: int = 1 << 22, *, first: int = 1) -> Iterator[LineBlock]:
    r"""Go through the lines, which end with ``\n`` or ``\r\n``.

    Parameters
    ----------
    stream
        The text.
    block_bytes
        About how many bytes a block has.
    first
        The number of the first line.
    """
    rest: list[bytes] = []  # of a line that goes on in the next block
    kept, counted = 0, False
    while data := bytes(stream.read(block_bytes)):
        if first == 1 and not rest:
            data = data.removeprefix(codecs.BOM_UTF8)
        end = len(data) if stream.at_end else data.rfind(b"\n") + 1
        if not end:
            rest.append(data)
            kept += len(data)
            if kept > _WORTH_COUNTING and not counted:
                longest_row(stream.again(), line_end, f"{stream.name}, row {first} or one after it")
                counted = True
            continue
        whole = b"".join([*rest, data[:end]])
        rest = [data[end:]]
        kept = len(rest[0])
        n_lines = whole.count(b"\n")
        yield LineBlock(first, whole, stream.position())
        first += n_lines
