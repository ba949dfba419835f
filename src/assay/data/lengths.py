"""How long texts are, in characters and in words."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from assay.data.arrays import joined_integers, text_bytes

__all__ = ["Lengths", "count_characters", "count_words"]

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
    offsets, data = text_bytes(chunk)
    inside = np.frombuffer(data.tobytes().translate(_IS_WORD), bool)
    begins = inside.copy()
    begins[1:] &= ~inside[:-1]
    filled = np.diff(offsets) > 0
    starts = offsets[:-1][filled]
    words = np.zeros(len(chunk), np.int64)
    if len(starts):
        begins[starts] = inside[starts]  # a text's first word begins even where the text before it ends in one
        words[filled] = np.add.reduceat(begins, starts, dtype=np.int64)
    return words
