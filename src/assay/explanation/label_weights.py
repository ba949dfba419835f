"""What every feature weighs for a label, one label after another.

Of thousands of labels a table of all weights would not fit into memory, while nearly all of them are zero.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.modelfile.sparse import by_class
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.weights import SparseWeights, Weights

__all__ = ["LabelWeights", "rows_of_weights"]

Floats = NDArray[np.float64]


class LabelWeights:
    """The weights of a model, by label; of a label tree, summed over the way to the label.

    Parameters
    ----------
    model
        What has learned.

    Examples
    --------
    >>> import assay
    >>> model = assay.TextClassifier(learner="nb").fit(["good film", "bad film"], ["+", "-"]).model
    >>> weights = LabelWeights(model)
    >>> bool((weights.of(0) == -weights.of(1)).all()), weights.mean().tolist() == [0.0] * 5
    (True, True)
    """

    def __init__(self, model: LinearTextModel) -> None:
        weights = model.weights
        self._tree = model.tree
        self._n_features, self._n_outputs = weights.shape
        self._n_labels = len(model.labels)
        self._lists = by_class(weights) if isinstance(weights, SparseWeights) else None
        self._table: Floats = np.empty((0, 0))
        if not isinstance(weights, SparseWeights):
            self._table = np.ascontiguousarray(weights.T, np.float64)

    def of(self, label: int) -> Floats:
        """What each feature weighs for the label of this number."""
        if self._n_outputs == 1 and self._n_labels == 2:
            return self._output(0) if label == 1 else -self._output(0)
        if self._tree is None:
            return self._output(label)
        return np.asarray(np.sum([self._output(node) for node in self._tree.way(label).tolist()], axis=0))

    def mean(self) -> Floats:
        """What each feature weighs on average over all labels."""
        total = np.zeros(self._n_features)
        for label in range(self._n_labels):
            total += self.of(label)
        return total / self._n_labels

    def _output(self, k: int) -> Floats:
        if self._lists is None:
            found: Floats = self._table[k]
            return found
        indptr, features, values = self._lists
        own = slice(int(indptr[k]), int(indptr[k + 1]))
        found = np.zeros(self._n_features)
        found[features[own]] = values[own]
        return found


def rows_of_weights(model: LinearTextModel, kept: NDArray[np.bool_]) -> Weights:
    """The weights of the features that are marked."""
    weights = model.weights
    if not isinstance(weights, SparseWeights):
        return weights[kept]
    sizes = np.diff(weights.indptr)
    entries = np.repeat(kept, sizes)
    indptr = np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int64)
    return SparseWeights(indptr, weights.indices[entries], weights.data[entries], weights.n_outputs)
