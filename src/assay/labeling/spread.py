"""Texts worth most, no two of them alike: a native greedy choice."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.features.columns.text_matrix import CompressedRows

__all__ = ["spread_picks"]


def spread_picks(rows: CompressedRows, worth: NDArray[np.float64], n: int, most_alike: float) -> list[int]:
    """At most n rows, by falling worth, the first of equals.

    Rows that are worth 0 are never taken, nor are those whose cosine to one that was taken is above `most_alike`: while
    there are others. If they are too few, the rest is made up of these, by falling worth.

    Examples
    --------
    >>> X = CompressedRows((3, 2), np.array([0, 1, 2, 3], np.int32), np.array([0, 0, 1], np.int32), np.ones(3))
    >>> spread_picks(X, np.array([1.0, 0.9, 0.5]), 2, 0.3), spread_picks(X, np.array([1.0, 0.9, 0.5]), 3, 0.3)
    ([0, 2], [0, 2, 1])
    """
    left = np.array(worth, np.float64)
    taken: list[int] = []
    for limit in (most_alike, np.inf):
        found, _ = _native.pick_spread_rows(
            rows.shape[1], rows.indptr, rows.indices, rows.data, left, np.empty(0, np.int64), n=n - len(taken),
            most_alike=limit,
        )  # fmt: skip
        taken += found.tolist()
        left[found] = 0.0
        if len(taken) == n:
            break
    return taken
