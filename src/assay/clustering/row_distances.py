"""Distances between rows, and the rows that are nearest; rows are sparse or dense.

    euclidean    √Σ (x − y)²
    sqeuclidean  Σ (x − y)²
    cosine       1 − x·y / (‖x‖ ‖y‖): 0 for the same direction, 1 where nothing is shared

A row of zeros has no direction: its cosine distance to anything is 1.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy import sparse

from assay import _native
from assay.arguments import in_our_words
from assay.errors import DataError, ParameterError
from assay.features.columns.measures import as_rows
from assay.suggest import nearest_first, quoted
from assay.threads import count_threads

__all__ = ["Metric", "distances", "nearest_rows", "row_squares", "scores_in_blocks", "unit_rows"]

Metric = Literal["euclidean", "sqeuclidean", "cosine"]
Floats = npt.NDArray[np.float64]
_CELLS = 1 << 24  # of a table or a block of scores: 128 MB


def distances(X: Any, Y: Any, metric: Metric = "cosine", *, n_jobs: int | None = None) -> Floats:
    """Distance of each row of X to each row of Y.

    Parameters
    ----------
    X, Y
        Sparse or dense, with the same columns. One of them should be short: the result has a number for each pair.
    metric
        ``"cosine"``, ``"euclidean"`` or ``"sqeuclidean"``.
    n_jobs
        Threads; None is every core. The result is the same for any number.

    Examples
    --------
    >>> distances([[3.0, 4.0], [0.0, 2.0]], [[0.0, 0.0], [0.0, 1.0]], "euclidean").round(3).tolist()
    [[5.0, 4.243], [2.0, 1.0]]
    >>> distances([[3.0, 4.0]], [[4.0, 3.0], [6.0, 8.0]]).round(3).tolist()
    [[0.04, 0.0]]
    """
    if metric not in get_args(Metric):
        known = quoted(nearest_first(str(metric), get_args(Metric)))
        raise ParameterError(f"There is no distance {metric!r}. There are {known}.")
    left, right = as_rows(X), as_rows(Y)
    if left.shape[1] != right.shape[1]:
        raise DataError(
            f"X has {left.shape[1]} columns, but Y has {right.shape[1]}. Make both with the same vectorizer."
        )
    if metric == "cosine":
        left, right = unit_rows(left), unit_rows(right)
    found = np.empty((left.shape[0], right.shape[0]))
    squares = row_squares(left)
    width = max(_CELLS // max(left.shape[1], 1), 1)
    for begin in range(0, right.shape[0], width):
        part = right[begin : begin + width]
        for rows, products in scores_in_blocks(left, part.toarray(), n_jobs=n_jobs):
            here = found[rows, begin : begin + width]
            here[:] = 1 - products if metric == "cosine" else squares[rows, None] + row_squares(part) - 2 * products
    np.maximum(found, 0, out=found)
    return np.sqrt(found) if metric == "euclidean" else found


@in_our_words
def nearest_rows(
    X: Any, queries: Any, n: int = 5, metric: Metric = "cosine", *, n_jobs: int | None = None
) -> tuple[npt.NDArray[np.int64], Floats]:
    """Rows of X that are nearest to each query, nearest first, and their distances.

    Parameters
    ----------
    X, queries
        Documents and what is looked for, with the same columns.
    n
        How many; all of X if it has fewer.
    metric, n_jobs
        As for `distances`.

    Examples
    --------
    >>> rows, apart = nearest_rows([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], [[0.9, 0.1]], n=2)
    >>> rows.tolist(), apart.round(3).tolist()
    ([[0, 1]], [[0.006, 0.219]])
    """
    if n < 1:
        raise ParameterError(f"n is {n}. Ask for at least 1 of the nearest rows.")
    apart = distances(X, queries, metric, n_jobs=n_jobs).T
    rows = np.argsort(apart, axis=1, kind="stable")[:, :n].astype(np.int64)
    return rows, np.take_along_axis(apart, rows, axis=1)


def scores_in_blocks(X: Any, vectors: npt.NDArray[Any], *, n_jobs: int | None) -> Any:
    """Yield a slice of rows and their products with all vectors, (n_rows, n_vectors), a block at a time."""
    table = np.ascontiguousarray(vectors.T, dtype=np.float64)
    size = max(_CELLS // max(table.shape[1], 1), 1)
    for begin in range(0, X.shape[0], size):
        part = as_rows(X[begin : begin + size])
        products = np.empty((part.shape[0], table.shape[1]))
        _native.score_with_table(
            part.indptr, part.indices, part.data, table, np.zeros(table.shape[1]), products, count_threads(n_jobs)
        )
        yield slice(begin, begin + part.shape[0]), products


def row_squares(X: Any) -> Floats:
    """Σ x² of each row of a sparse matrix."""
    squares = X.data.astype(np.float64) ** 2
    starts = X.indptr[:-1]
    found = np.zeros(X.shape[0])
    filled = np.diff(X.indptr) > 0
    if filled.any():
        found[filled] = np.add.reduceat(squares, starts[filled])
    return found


def unit_rows(X: Any) -> Any:
    """Rows of length 1, of the same direction; rows of zeros stay. The matrix itself is left as it is."""
    lengths = np.sqrt(row_squares(X))
    factors = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    values = (X.data * np.repeat(factors, np.diff(X.indptr))).astype(X.dtype)
    return sparse.csr_array((values, X.indices, X.indptr), shape=X.shape)
