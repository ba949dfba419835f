"""Texts that are exactly the same.

A 64-bit hash for each text singles out the few that can be duplicates; these are compared as strings, so that
the answer is exact and the memory small.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assay.data.arrays import integer_array
from assay.data.arrow_functions import take

__all__ = ["first_occurrences"]


def first_occurrences(texts: pa.ChunkedArray) -> npt.NDArray[np.int64]:
    """Return for every row the first row with the same value.

    Examples
    --------
    >>> first_occurrences(pa.chunked_array([["a", "b"], ["a", "c", "b"]]))
    array([0, 1, 0, 3, 1])
    """
    n = len(texts)
    hashes = np.empty(n, np.int64)
    begin = 0
    for chunk in texts.iterchunks():
        hashes[begin : begin + len(chunk)] = np.fromiter(map(hash, chunk.to_pylist()), np.int64, len(chunk))
        begin += len(chunk)
    order = np.argsort(hashes, kind="stable")
    same = hashes[order][1:] == hashes[order][:-1]
    suspect = np.zeros(n, bool)
    suspect[order[1:][same]] = suspect[order[:-1][same]] = True

    first = np.arange(n)
    seen: dict[str, int] = {}
    begin = 0
    for chunk in texts.iterchunks():
        rows = np.flatnonzero(suspect[begin : begin + len(chunk)])
        for row, text in zip(rows + begin, take(chunk, integer_array(rows)).to_pylist(), strict=True):
            first[row] = seen.setdefault(text, int(row))
        begin += len(chunk)
    return first
