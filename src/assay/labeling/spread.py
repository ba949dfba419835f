"""Texts worth much and unlike each other: a native greedy choice."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.features.columns.text_matrix import CompressedRows

__all__ = ["spread_picks"]


def spread_picks(
    rows: CompressedRows,
    worth: NDArray[np.float64],
    n: int,
    *,
    spread: float,
    before: NDArray[np.int64] | None = None,
    most_alike: float = 1.0,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Rows in the order in which they are taken, and the similarity of each to the nearest one before it.

    The next is the row of the highest worth · (1 - spread · similarity), the first of equals; rows that are worth 0, or
    more alike than `most_alike`, are never taken. Rows `before` count as taken already.

    Examples
    --------
    >>> X = CompressedRows((3, 2), np.array([0, 1, 2, 3], np.int32), np.array([0, 0, 1], np.int32), np.ones(3))
    >>> spread_picks(X, np.array([1.0, 0.9, 0.5]), 2, spread=1.0)[0].tolist()
    [0, 2]
    """
    return _native.pick_spread_rows(
        rows.shape[1], rows.indptr, rows.indices, rows.data, np.ascontiguousarray(worth, np.float64),
        np.empty(0, np.int64) if before is None else before, n=n, spread=spread, most_alike=most_alike,
    )  # fmt: skip
