"""Rows of a wide matrix in those columns alone that matter: a few hundred labelled texts have few of all n-grams."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.features.columns.text_matrix import CompressedRows

__all__ = ["NarrowColumns", "products"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NarrowColumns:
    """Some columns of a matrix.

    Attributes
    ----------
    columns
        Which, rising.
    n_columns
        Of the whole matrix.

    Examples
    --------
    >>> X = CompressedRows((2, 3), np.array([0, 2, 3]), np.array([0, 2, 1]), np.array([0.6, 0.8, 1.0]))
    >>> columns = NarrowColumns.of(X)
    >>> narrow = NarrowColumns(np.array([1, 2]), 3).of_rows(X)
    >>> narrow.indptr.tolist(), narrow.indices.tolist(), narrow.data.tolist()
    ([0, 1, 2], [1, 0], [0.8, 1.0])
    """

    columns: NDArray[np.int64]
    n_columns: int

    @classmethod
    def of(cls, rows: CompressedRows) -> NarrowColumns:
        """The columns that some rows have."""
        seen = np.zeros(rows.shape[1], bool)
        seen[rows.indices] = True
        return cls(np.flatnonzero(seen), rows.shape[1])

    def of_rows(self, rows: CompressedRows) -> CompressedRows:
        """The same rows with these columns only, numbered anew."""
        numbers = np.full(self.n_columns, -1, rows.indices.dtype)
        numbers[self.columns] = np.arange(len(self.columns))
        indices = numbers[rows.indices]
        kept = indices >= 0
        ends = np.concatenate([[0], np.cumsum(kept)])
        indptr = ends[rows.indptr].astype(rows.indptr.dtype)
        return CompressedRows((rows.shape[0], len(self.columns)), indptr, indices[kept], rows.data[kept])


def products(rows: CompressedRows, table: NDArray[np.float32], bias: Floats, threads: int) -> Floats:
    """Each row times each column of a table, plus the bias."""
    found = np.empty((rows.shape[0], table.shape[1]))
    _native.score_with_table(
        rows.indptr, rows.indices, rows.data, np.ascontiguousarray(table), np.asarray(bias, np.float64), found, threads
    )
    return found
