"""Weights most of which are zero, as lists of features by class: the form that takes least room in a file.

Class k has the weights data[indptr[k]:indptr[k + 1]], of the features indices[...] in rising order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.prediction.weights import SparseWeights, Weights

__all__ = ["by_class", "by_feature"]

Lists = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any]]


def by_class(weights: Weights) -> Lists | None:
    """The lists, where they take less than half of the room of the table; else None."""
    n_features, n_outputs = weights.shape
    if isinstance(weights, SparseWeights):
        features = np.repeat(np.arange(n_features, dtype=np.int32), np.diff(weights.indptr))
        classes, values = weights.indices, weights.data
    else:
        if 2 * _room(int(np.count_nonzero(weights)), n_outputs, weights.itemsize) >= weights.nbytes:
            return None
        features, classes = (part.astype(np.int32) for part in np.nonzero(weights))
        values = weights[features, classes]
    order = np.argsort(classes, kind="stable")
    indptr = np.zeros(n_outputs + 1, dtype=np.int64)
    np.cumsum(np.bincount(classes, minlength=n_outputs), out=indptr[1:])
    return indptr, features[order], values[order]


def by_feature(indptr: NDArray[np.int64], indices: NDArray[np.int32], data: NDArray[Any], n_features: int) -> Weights:
    """The weights as a model uses them, after every number was checked: a table for one output, else by feature."""
    n_outputs = len(indptr) - 1
    if indptr[0] != 0 or indptr[-1] != len(indices) or (np.diff(indptr) < 0).any() or len(data) != len(indices):
        raise ValueError("the pointers of the sparse weights do not rise from 0 to their number")
    if len(indices) and (indices.min() < 0 or indices.max() >= n_features):
        raise ValueError(f"an index of the sparse weights is outside of the {n_features} features")
    classes = np.repeat(np.arange(n_outputs, dtype=np.int32), np.diff(indptr))
    if (np.diff(indices)[np.diff(classes) == 0] <= 0).any():
        raise ValueError("the features of a class's sparse weights do not rise")
    if n_outputs == 1:
        table = np.zeros((n_features, 1), dtype=data.dtype)
        table[indices, 0] = data
        return table
    order = np.argsort(indices, kind="stable")
    pointers = np.zeros(n_features + 1, dtype=np.int64)
    np.cumsum(np.bincount(indices, minlength=n_features), out=pointers[1:])
    return SparseWeights(pointers, classes[order], data[order], n_outputs)


def _room(n_weights: int, n_outputs: int, itemsize: int) -> int:
    return n_weights * (4 + itemsize) + 8 * (n_outputs + 1)
