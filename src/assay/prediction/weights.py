"""The weights of a linear model: a table, or compressed rows where most of them are zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError

__all__ = ["SparseWeights", "Weights", "compact"]


@dataclass(frozen=True, eq=False)
class SparseWeights:
    """Weights of which only those that are not zero are kept; feature i has data[indptr[i]:indptr[i + 1]].

    Parameters
    ----------
    indptr
        int64, one more than there are features, from 0, never falling.
    indices
        int32, the class of each weight, rising within a feature.
    data
        float32 or float64, the weights.
    n_outputs
        How many classes there are.

    Examples
    --------
    >>> sparse = SparseWeights.from_table(np.array([[0.0, 0.5, 0.0], [0.0, 0.0, 0.0]]))
    >>> sparse.indptr.tolist(), sparse.indices.tolist(), sparse.shape
    ([0, 1, 1], [1], (2, 3))
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    data: NDArray[Any]
    n_outputs: int

    def __post_init__(self) -> None:
        for name in ("indptr", "indices"):  # checked here and by the native core, and not again before every use
            fixed = getattr(self, name).view()
            fixed.flags.writeable = False
            object.__setattr__(self, name, fixed)
        indptr, indices = self.indptr, self.indices
        if indptr.ndim != 1 or not len(indptr) or indptr[0] != 0 or indptr[-1] != len(indices):
            raise ParameterError("The pointers of sparse weights must run from 0 to the number of weights.")
        if (np.diff(indptr) < 0).any():
            raise ParameterError("The pointers of sparse weights must not fall.")
        if len(self.data) != len(indices):
            raise ParameterError(f"There are {len(self.data)} weights but {len(indices)} indices of classes.")
        if len(indices):
            if indices.min() < 0 or indices.max() >= self.n_outputs:
                raise ParameterError(f"An index of sparse weights is outside of the {self.n_outputs} classes.")
            rising = np.diff(indices) > 0
            rising[indptr[1:-1][(indptr[1:-1] > 0) & (indptr[1:-1] < len(indices))] - 1] = True
            if not rising.all():
                raise ParameterError("The classes of a feature's sparse weights must be different and rise.")

    @property
    def shape(self) -> tuple[int, int]:
        """Features and classes."""
        return len(self.indptr) - 1, self.n_outputs

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the weights."""
        return self.data.dtype

    @classmethod
    def from_table(cls, table: NDArray[Any]) -> SparseWeights:
        """The weights of a table that are not zero."""
        features, classes = np.nonzero(table)
        indptr = np.searchsorted(features, np.arange(len(table) + 1)).astype(np.int64)
        return cls(indptr, classes.astype(np.int32), table[features, classes], table.shape[1])

    def to_table(self) -> NDArray[Any]:
        """All weights, (n_features, n_outputs)."""
        table = np.zeros(self.shape, dtype=self.data.dtype)
        table[np.repeat(np.arange(len(table)), np.diff(self.indptr)), self.indices] = self.data
        return table


Weights = NDArray[Any] | SparseWeights


def compact(table: NDArray[Any]) -> Weights:
    """The table itself, or only what is not zero in it where that takes less than half of the memory."""
    n_features, n_outputs = table.shape
    if n_outputs == 1:
        return table
    needed = 8 * n_features + (4 + table.itemsize) * int(np.count_nonzero(table))
    return SparseWeights.from_table(table) if 2 * needed < table.nbytes else table
