"""Searching cuts: documents enter one class, one after another, and the metric is measured on the way.

Moving a threshold changes only which documents are called `k`. Sorted by where they cross over, each step moves a few
counts of the confusion matrix, from which the native core computes the metric.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.evaluation.metrics.catalogue import LabelMetric, encode_metrics
from assay.evaluation.metrics.outcomes import Outcomes

__all__ = ["best_cut", "best_weights", "measured_labels", "middle_of_best", "precision_recall_cut"]

Floats = NDArray[np.float64]
MOST_CUTS = 2000
MOST_ROUNDS = 10


def best_cut(outcomes: Outcomes, k: int, metric: LabelMetric) -> float:
    """The threshold on class k's probability with the largest metric; of equals, the one in the middle."""
    assert outcomes.probabilities is not None
    probability = outcomes.probabilities[:, k]
    others = _best_other(outcomes.probabilities, k)
    values, cuts = _sweep(-probability, others, outcomes.truth, k, len(outcomes.labels), metric)
    return -middle_of_best(values, cuts)


def best_weights(probabilities: Floats, truth: NDArray[np.int32], metric: LabelMetric) -> Floats:
    """Weights of classes with a large metric of the largest p · w, found one class after another.

    Each round goes through the classes and gives each the best weight while the others stay; it ends when a whole
    round improves nothing, so the result is a maximum in each direction, not necessarily the largest of all.
    """
    n_classes = probabilities.shape[1]
    weights = np.ones(n_classes)
    best = measured_labels(truth, probabilities.argmax(axis=1), metric, n_classes)
    for _ in range(MOST_ROUNDS):
        before = best
        for k in range(n_classes):
            weighted = probabilities * weights
            others = _best_other(weighted, k)
            rival = weighted[np.arange(truth.size), others]
            # Document i is called k as soon as log w ≥ log(rival / p).
            with np.errstate(divide="ignore"):
                crossing = np.log(np.maximum(rival, 1e-300)) - np.log(np.maximum(probabilities[:, k], 1e-300))
            values, cuts = _sweep(crossing, others, truth, k, n_classes, metric)
            if np.nanmax(values) > best + 1e-12:
                best = float(np.nanmax(values))
                weights[k] = np.exp(np.clip(middle_of_best(values, cuts), -30, 30))
        if best <= before + 1e-12:
            break
    return np.asarray(weights / weights.sum())


def measured_labels(
    truth: NDArray[np.int32], predicted: NDArray[np.int64], metric: LabelMetric, n_classes: int
) -> float:
    """The metric of these answers."""
    return _measure(_confusion(truth, predicted, n_classes), metric)


def precision_recall_cut(
    outcomes: Outcomes, k: int, min_precision: float | None, min_recall: float | None
) -> tuple[float | None, float]:
    """The lowest threshold with this precision, or the highest with this recall; and the best precision there is."""
    assert outcomes.probabilities is not None
    probability = outcomes.probabilities[:, k]
    order = np.argsort(-probability, kind="stable")
    ranked = probability[order]
    ends = np.flatnonzero(np.r_[ranked[1:] != ranked[:-1], True])
    hits = np.cumsum(outcomes.truth[order] == k)[ends]
    precision, recall = hits / (ends + 1), hits / hits[-1]
    if min_recall is not None:
        return float(ranked[ends[np.argmax(recall >= min_recall)]]), float(precision.max())
    reached = np.flatnonzero(precision >= (min_precision or 0.0))
    return (float(ranked[ends[reached[-1]]]) if reached.size else None), float(precision.max())


def _best_other(table: Floats, k: int) -> NDArray[np.int64]:
    others = table.copy()
    others[:, k] = -np.inf
    return np.asarray(others.argmax(axis=1))


def _sweep(
    crossing: Floats,
    others: NDArray[np.int64],
    truth: NDArray[np.int32],
    k: int,
    n_classes: int,
    metric: LabelMetric,
) -> tuple[Floats, Floats]:
    """The metric when the documents with crossing ≤ cut are called k, at every cut (or at 2,000 of them)."""
    order = np.argsort(crossing, kind="stable")
    ranked = crossing[order]
    ends = np.flatnonzero(np.r_[ranked[1:] != ranked[:-1], True])
    if ends.size > MOST_CUTS:
        ends = ends[np.linspace(0, ends.size - 1, MOST_CUTS).astype(np.int64)]
    matrix = _confusion(truth, others, n_classes)
    values = np.empty(ends.size)
    done = 0
    for i, end in enumerate(ends.tolist()):
        rows = order[done : end + 1]
        np.subtract.at(matrix, (truth[rows], others[rows]), 1)
        np.add.at(matrix, (truth[rows], np.full(rows.size, k)), 1)
        values[i] = _measure(matrix, metric)
        done = end + 1
    return values, ranked[ends]


def middle_of_best(values: Floats, cuts: Floats) -> float:
    """The cut in the middle of the longest run of the largest value: the least sensitive choice."""
    best = values >= np.nanmax(values) - 1e-12
    starts = np.flatnonzero(best & ~np.r_[False, best[:-1]])
    ends = np.flatnonzero(best & ~np.r_[best[1:], False])
    longest = int(np.argmax(ends - starts))
    return float(cuts[(starts[longest] + ends[longest]) // 2])


def _confusion(truth: NDArray[np.int32], predicted: NDArray[np.int64], n_classes: int) -> NDArray[np.int64]:
    cells = truth.astype(np.int64) * n_classes + predicted
    return np.bincount(cells, minlength=n_classes * n_classes).reshape(n_classes, n_classes)


def _measure(matrix: NDArray[np.int64], metric: LabelMetric) -> float:
    rows, columns = np.nonzero(matrix)
    codes, betas = encode_metrics([metric])
    value = np.empty(1)
    _native.observed_metrics(
        rows.astype(np.int32),
        columns.astype(np.int32)[:, None],
        matrix[rows, columns],
        np.zeros(rows.size, np.int32),
        matrix.shape[0],
        codes,
        betas,
        float("nan"),
        value,
    )
    return float(value[0])
