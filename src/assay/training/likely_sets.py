"""The sets of labels that scores speak for most: those of the thresholds that make F1 largest on the same texts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.label_sets import LabelSets

__all__ = ["best_threshold", "sets_by_label", "sets_by_shared_threshold"]

Floats = NDArray[np.float64]

_AMPLE = 8  # times as many of the highest scores as there are labels to give: F1 falls long before


def sets_by_shared_threshold(scores: Floats, truth: LabelSets) -> LabelSets:
    """One threshold for all labels, at which micro-F1 is largest.

    Examples
    --------
    >>> truth = LabelSets.of_rows([[0], [0, 1], []], 2)
    >>> sets_by_shared_threshold(np.array([[2.0, -1.0], [1.0, 0.5], [0.2, -2.0]]), truth).names("ab")
    [('a',), ('a', 'b'), ()]
    """
    return LabelSets.of_table(scores >= best_threshold(scores.ravel(), truth.table().ravel()))


def sets_by_label(scores: Floats, truth: LabelSets) -> LabelSets:
    """A threshold for each label, at which its F1 is largest; a label that no text has is given to none.

    Examples
    --------
    >>> truth = LabelSets.of_rows([[0], [0, 1], []], 2)
    >>> sets_by_label(np.array([[2.0, -1.0], [1.0, -0.5], [0.2, -2.0]]), truth).names("ab")
    [('a',), ('a', 'b'), ()]
    """
    marked = truth.table()
    thresholds = [best_threshold(scores[:, k], marked[:, k]) for k in range(truth.n_classes)]
    return LabelSets.of_table(scores >= np.array(thresholds))


def best_threshold(scores: Floats, positive: NDArray[np.bool_]) -> float:
    """The score from which on something counts as positive so that F1 is largest; infinity where nothing is.

    2·hits / (called + positive) is taken after each of the highest scores; equal scores are called together.
    """
    n_positive = int(np.count_nonzero(positive))
    if n_positive == 0:
        return float("inf")
    most = min(scores.size, _AMPLE * n_positive + 100)
    top = np.argpartition(-scores, most - 1)[:most] if most < scores.size else np.arange(scores.size)
    order = top[np.argsort(-scores[top], kind="stable")]
    ranked = scores[order]
    last_of_equals = np.append(ranked[1:] != ranked[:-1], True)
    f1 = 2 * np.cumsum(positive[order]) / (np.arange(1, order.size + 1) + n_positive)
    return float(ranked[np.argmax(np.where(last_of_equals, f1, -1.0))])
