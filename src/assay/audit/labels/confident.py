"""Confident learning: which labels are likely wrong, by probabilities from models that had not seen them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["confident_errors", "judged_classes"]

Floats = NDArray[np.float64]


def confident_errors(probabilities: Floats, classes: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows whose label is likely wrong, the likeliest first, and the class that each is likely of.

    Parameters
    ----------
    probabilities
        (n, n_classes), from models that had not seen the row.
    classes
        The label of each row.

    Examples
    --------
    >>> P = np.array([[0.9, 0.1], [0.8, 0.2], [0.05, 0.95], [0.1, 0.9], [0.2, 0.8]])
    >>> confident_errors(P, np.array([0, 0, 0, 1, 1]))
    (array([2]), array([1]))

    References
    ----------
    Northcutt, Jiang & Chuang (2021), Confident learning.
    """
    n, n_classes = probabilities.shape
    thresholds = np.array(
        [probabilities[classes == k, k].mean() if (classes == k).any() else np.inf for k in range(n_classes)]
    )
    confident = np.where(probabilities >= thresholds, probabilities, -1.0)
    likely = confident.argmax(axis=1)
    sure = confident[np.arange(n), likely] >= 0
    joint = np.zeros((n_classes, n_classes))
    np.add.at(joint, (classes[sure], likely[sure]), 1.0)
    # Texts about which nothing is sure are taken to be divided like the others of their label.
    expected = (
        joint / np.maximum(joint.sum(axis=1, keepdims=True), 1.0) * np.bincount(classes, minlength=n_classes)[:, None]
    )
    best = probabilities.argmax(axis=1)
    margins = probabilities[np.arange(n), best] - probabilities[np.arange(n), classes]
    rows: list[NDArray[np.intp]] = []
    for label, other in zip(*np.nonzero(joint), strict=True):
        if label != other:
            candidates = np.flatnonzero((classes == label) & (best == other))
            ranked = candidates[np.argsort(-margins[candidates], kind="stable")]
            rows.append(ranked[: round(expected[label, other])])
    found = np.concatenate([np.empty(0, np.intp), *rows])
    found = found[np.lexsort((found, -margins[found]))]
    return found, best[found]


def judged_classes(probabilities: Floats, classes: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Of which labels models that had not seen the texts can say anything: those that they found at least once.

    None, where they do no better than guessing: then what they are sure of is chance.
    """
    from assay.evaluation.metrics.outcomes import Outcomes
    from assay.evaluation.uncertainty.verdict import judge

    n_classes = probabilities.shape[1]
    predicted = probabilities.argmax(axis=1)
    outcomes = Outcomes(tuple(range(n_classes)), classes.astype(np.int32), predicted.astype(np.int32))
    if judge(outcomes).kind in ("guessing", "constant"):
        return np.zeros(n_classes, bool)
    return np.bincount(classes[predicted == classes], minlength=n_classes) > 0
