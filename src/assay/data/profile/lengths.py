"""How long texts are, in characters and in words."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from assay.data.arrays import joined_integers, text_bytes

__all__ = ["Lengths", "count_characters", "count_words"]

_BLOCK_BYTES = 1 << 22
_IS_WORD = bytes(byte not in b" \t\n\r\v\f" for byte in range(256))


@dataclass(frozen=True, slots=True)
class Lengths:
    """The distribution of a length."""

    minimum: int
    median: float
    mean: float
    p95: float
    maximum: int

    @classmethod
    def of(cls, values: npt.NDArray[np.int64]) -> Lengths:
        """Describe at least one value."""
        median, p95 = np.percentile(values, [50, 95])
        return cls(int(values.min()), float(median), float(values.mean()), float(p95), int(values.max()))

    def to_dict(self) -> dict[str, float]:
        """Return ``{"minimum": …, "median": …, "mean": …, "p95": …, "maximum": …}``."""
        return asdict(self)


def count_characters(texts: pa.ChunkedArray) -> npt.NDArray[np.int64]:
    """Return the code points of each text.

    Examples
    --------
    >>> count_characters(pa.chunked_array([["né", ""]], pa.large_string()))
    array([2, 0])
    """
    return np.asarray(joined_integers(pc.utf8_length(texts)), np.int64)


def count_words(texts: pa.ChunkedArray) -> npt.NDArray[np.int64]:
    """Return how many pieces each text has between (ASCII) white space.

    Examples
    --------
    >>> count_words(pa.chunked_array([["one  two ", "", " three"]], pa.large_string()))
    array([2, 0, 1])
    """
    return np.concatenate([np.empty(0, np.int64), *(_words_of(chunk) for chunk in texts.iterchunks())])


def _words_of(chunk: pa.Array) -> npt.NDArray[np.int64]:
    """Block by block: a number for each byte of a long text would take many times its room."""
    offsets, data = text_bytes(chunk)
    starts = offsets[:-1][np.diff(offsets) > 0]
    words = np.zeros(len(chunk), np.int64)
    goes_on = False  # a word from the block before
    for begin in range(0, len(data), _BLOCK_BYTES):
        inside = np.frombuffer(data[begin : begin + _BLOCK_BYTES].tobytes().translate(_IS_WORD), bool)
        end = begin + len(inside)
        begins = inside.copy()
        begins[1:] &= ~inside[:-1]
        begins[0] &= not goes_on
        goes_on = bool(inside[-1])
        here = starts[slice(*np.searchsorted(starts, [begin, end]))] - begin
        begins[here] = inside[here]  # a text's first word begins even where the text before it ends in one
        first, last = np.searchsorted(offsets, begin, "right") - 1, np.searchsorted(offsets, end)
        counted = np.searchsorted(np.flatnonzero(begins) + begin, offsets[first : last + 1])
        words[first:last] += np.diff(counted)
    return words
