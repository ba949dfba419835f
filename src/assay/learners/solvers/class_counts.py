"""Counts and weights of features by class, without the table of all features times all classes.

A million n-grams and twenty classes make twenty million counts, nearly all of them zero, and as many weights
that differ from their neighbours only where a count is not zero. Writing such tables costs more than all the
counting, so they are kept as lists, and written out only when somebody looks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.memory_room import require_room_for_weights

__all__ = ["ClassCounts", "LinearWeights", "SharedWeights", "TableOfWeights"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ClassCounts:
    """For each class the features that it has, ascending, and how often."""

    begin: NDArray[np.int64]  # class c is [begin[c], begin[c + 1])
    features: NDArray[np.int32]
    counts: Floats

    @classmethod
    def none(cls, n_classes: int) -> ClassCounts:
        """Return the counts before anything was counted."""
        return cls(np.zeros(n_classes + 1, dtype=np.int64), np.array([], dtype=np.int32), np.array([]))

    def plus(self, X: Any, classes: NDArray[np.int32], weights: Floats, n_threads: int) -> ClassCounts:
        """Return these counts and those of the rows of X, each taken `weights` times."""
        begin, features, counts = _native.count_features(
            X.shape[1], X.indptr, X.indices, X.data, classes, weights, *self.arrays, n_threads
        )
        return ClassCounts(begin, features[: begin[-1]], counts[: begin[-1]])

    @property
    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int32], Floats]:
        """The lists, as native code takes them."""
        return self.begin, self.features, self.counts

    def turned(self, first: int) -> ClassCounts:
        """The same counts with class `first` as the first one, and the classes before it behind the last."""
        cut = self.begin[first]
        begin = np.concatenate([[0], np.cumsum(np.roll(np.diff(self.begin), -first))])
        return ClassCounts(begin, np.roll(self.features, -cut), np.roll(self.counts, -cut))

    def table(self, n_features: int) -> Floats:
        """Write the counts out, (n_classes, n_features)."""
        from scipy import sparse

        shape = len(self.begin) - 1, n_features
        table: Floats = sparse.csr_array((self.counts, self.features, self.begin), shape=shape).toarray()
        return table


class LinearWeights(Protocol):
    """Weights of a linear model, in whatever form they are kept."""

    @property
    def biases(self) -> Floats:
        """What the event model adds to the score of each class."""

    def table(self, n_threads: int) -> Floats:
        """Write the weights out, (n_classes, n_features)."""

    def compact(self, n_threads: int) -> LinearWeights:
        """Return the weights in the smaller form."""

    def scores(self, X: Any, biases: Floats, n_threads: int) -> Floats:
        """Return the weighted sums of the rows of X, a CSR matrix, plus `biases`; (n_rows, n_classes)."""


@dataclass(frozen=True, slots=True)
class SharedWeights:
    """Weights: a number of the feature, plus one of the class, plus a difference where both have met."""

    begin: NDArray[np.int64]  # feature j is [begin[j], begin[j + 1])
    classes: NDArray[np.int32]
    differences: Floats
    of_feature: Floats  # one for each feature, or one for all
    of_class: Floats
    scale: Floats
    biases: Floats

    def table(self, n_threads: int) -> Floats:
        """Write the weights out, (n_classes, n_features)."""
        require_room_for_weights(len(self.begin) - 1, len(self.of_class))
        table = np.empty((len(self.begin) - 1, len(self.of_class)))
        _native.write_out_weights(*self._arrays(), table, n_threads)
        return table.T

    def scores(self, X: Any, biases: Floats, n_threads: int) -> Floats:
        """Return the weighted sums of the rows of X, a CSR matrix, plus `biases`; (n_rows, n_classes)."""
        scores = np.empty((X.shape[0], len(self.of_class)))
        _native.score_with_shared_weights(X.indptr, X.indices, X.data, *self._arrays(), biases, scores, n_threads)
        return scores

    def compact(self, n_threads: int) -> LinearWeights:
        """Return the weights in the smaller form: few classes leave little to share."""
        listed = self.begin.nbytes + self.classes.nbytes + self.differences.nbytes
        if listed <= 8 * (len(self.begin) - 1) * len(self.of_class):
            return self
        return TableOfWeights(self.table(n_threads), self.biases)

    def _arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int32], Floats, Floats, Floats, Floats]:
        return self.begin, self.classes, self.differences, self.of_feature, self.of_class, self.scale


@dataclass(frozen=True, slots=True)
class TableOfWeights:
    """Weights written out, where there is little or nothing to share: few classes, or no smoothing."""

    weights: Floats  # (n_classes, n_features), in Fortran order
    biases: Floats

    def table(self, n_threads: int) -> Floats:
        """Return the weights, (n_classes, n_features)."""
        return self.weights

    def compact(self, n_threads: int) -> LinearWeights:
        """Return these weights: nothing is known to be shared."""
        return self

    def scores(self, X: Any, biases: Floats, n_threads: int) -> Floats:
        """Return the weighted sums of the rows of X, a CSR matrix, plus `biases`; (n_rows, n_classes)."""
        scores = np.empty((X.shape[0], len(biases)))
        _native.score_with_table(X.indptr, X.indices, X.data, self.weights.T, biases, scores, n_threads)
        return scores
