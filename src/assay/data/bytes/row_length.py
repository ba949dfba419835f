"""How long a row may be, and finding out how long rows are without keeping them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.errors import DataError

if TYPE_CHECKING:
    from assay.data.bytes.streams import RowEnd, TextStream

__all__ = ["LONGEST_ROW", "let_go", "longest_row", "too_long"]

LONGEST_ROW = (1 << 31) - 1
"""Two gigabytes, which is what the parsers of rows can take."""
_BLOCK_BYTES = 1 << 21
_WORTH_LETTING_GO = 1 << 26


def longest_row(stream: TextStream, row_end: RowEnd, where: str, *, only_first: bool = False) -> int:
    """Return how many bytes are enough for the longest row, or for the first; an error where no row may be so long.

    Blocks are let go as they are counted, so that a row without end is found in little memory.
    """
    longest = so_far = 0
    while block := stream.read(_BLOCK_BYTES):
        so_far += len(block)
        if so_far > LONGEST_ROW + _BLOCK_BYTES:
            raise too_long(where)
        longest = max(longest, so_far)
        end = row_end(bytes(block))
        if end >= 0:
            if only_first:
                break
            so_far = len(block) - end
    return longest


def let_go(block_bytes: int) -> None:
    """Give the system back what a parser took for a long block: Arrow would keep it."""
    if block_bytes > _WORTH_LETTING_GO:
        import pyarrow as pa

        pa.default_memory_pool().release_unused()


def too_long(where: str) -> DataError:
    """What to say of a row that does not end."""
    return DataError(
        f"{where}: a row is longer than 2 GB, which is the most. Most often a line end or a "
        "closing quote is missing, or it is no text. Split it into shorter texts."
    )
