"""What each text contributes to the metrics of label sets that are means over texts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError
from assay.evaluation.metrics.set_catalogue import LOSSES, RANKS, OneLabelMetric, TextMetric
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.label_sets import LabelSets

__all__ = ["require_probabilities", "text_values"]

Floats = NDArray[np.float64]
CELLS_AT_ONCE = 4_000_000  # of a table of members and labels


def text_values(outcomes: SetOutcomes, metric: TextMetric, undefined: float) -> Floats:
    """A value a text, whose mean is the metric; NaN: the text is no part of the mean.

    Examples
    --------
    >>> from assay.label_sets import LabelSets
    >>> truth, said = LabelSets.of_rows([[0, 1], [1], []], 2), LabelSets.of_rows([[0], [1], []], 2)
    >>> text_values(SetOutcomes(("a", "b"), truth, said), TextMetric("samples_recall", "recall"), np.nan).tolist()
    [0.5, 1.0, nan]
    """
    if metric.kind == "subset_accuracy":
        return outcomes.correct.astype(np.float64)
    if metric.kind == "hamming_loss":
        return outcomes.mistakes / max(len(outcomes.labels), 1)
    if metric.kind in LOSSES:
        return _losses(outcomes, metric)
    if metric.kind in RANKS:
        return _ranked(outcomes, metric)
    texts, _, outcome = outcomes.outcome_of_each
    hits = np.bincount(texts[outcome == 0], minlength=outcomes.n_documents)
    true, said = outcomes.truth.sizes, outcomes.predicted.sizes
    if metric.kind == "precision":
        return _ratio(hits, said, undefined)
    if metric.kind == "recall":
        return _ratio(hits, true, undefined)
    square = metric.beta**2
    return _ratio((1 + square) * hits, square * true + said, undefined)


def require_probabilities(outcomes: SetOutcomes, metric: TextMetric | OneLabelMetric) -> Floats:
    """The probabilities, without which some metrics do not exist."""
    if outcomes.probabilities is None:
        raise DataError(
            f"{metric.name!r} needs probabilities, and the model gives none. Use a model with predict_proba, or a "
            "metric of predicted labels such as 'micro_f1'."
        )
    return outcomes.probabilities


def _ratio(numerator: NDArray[np.generic], denominator: NDArray[np.generic], undefined: float) -> Floats:
    there = np.asarray(denominator, np.float64)
    found = np.asarray(numerator, np.float64) / np.where(there > 0, there, 1.0)
    return np.where(there > 0, found, undefined)


def _losses(outcomes: SetOutcomes, metric: TextMetric) -> Floats:
    """The mean over the labels of each label's own loss."""
    probabilities = require_probabilities(outcomes, metric)
    found = np.empty(outcomes.n_documents)
    step = max(1, CELLS_AT_ONCE // max(len(outcomes.labels), 1))
    for begin in range(0, found.size, step):
        rows = np.arange(begin, min(begin + step, found.size))
        truth = outcomes.truth.take(rows).table()
        right = np.where(truth, probabilities[rows], 1 - probabilities[rows])
        if metric.kind == "log_loss":
            found[rows] = -np.log(np.maximum(right, np.finfo(np.float64).eps)).mean(axis=1)
        else:
            found[rows] = ((1 - right) ** 2).mean(axis=1)
    return found


def _ranked(outcomes: SetOutcomes, metric: TextMetric) -> Floats:
    """Gains of the true labels at their places, each gain being the mean over the orders of labels with one score."""
    table = outcomes.table
    if table is None and outcomes.reached is None:
        raise DataError(
            f"{metric.name!r} needs probabilities or scores, and the model gives neither. Use a model with "
            "predict_proba or decision_function, or a metric of predicted labels such as 'micro_f1'."
        )
    k, n_labels = metric.k, len(outcomes.labels)
    places = np.arange(n_labels)
    gain = 1 / np.log2(places + 2) if metric.kind == "ndcg" else np.ones(n_labels)
    summed = np.concatenate([[0.0], np.cumsum(np.where(places < k, gain, 0.0))])
    texts, first, end = _places(outcomes) if table is None else _places_in(table, outcomes.truth)
    gains = (summed[end] - summed[first]) / (end - first)
    found = np.bincount(texts, gains, minlength=outcomes.n_documents)
    sizes = outcomes.truth.sizes
    if metric.kind == "p":
        return np.asarray(found / k)
    best = summed[np.minimum(sizes, n_labels)] if metric.kind == "ndcg" else sizes
    return _ratio(found, best, 0.0)


def _places_in(table: Floats, truth: LabelSets) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Of each true label the text, and the places, from 0, that it shares with those of the same score."""
    texts, members = truth.texts, truth.members
    first, end = np.empty(texts.size, np.int64), np.empty(texts.size, np.int64)
    step = max(1, CELLS_AT_ONCE // max(table.shape[1], 1))
    for begin in range(0, texts.size, step):
        part = slice(begin, begin + step)
        rows = table[texts[part]]
        own = table[texts[part], members[part]][:, None]
        first[part], end[part] = (rows > own).sum(axis=1), (rows >= own).sum(axis=1)
    return texts, first, end


def _places(outcomes: SetOutcomes) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The same of labels that a search came to; a true label that it did not come to has no place."""
    assert outcomes.reached is not None
    sets, values = outcomes.reached.sets, outcomes.reached.values
    texts = sets.texts
    order = np.lexsort((-values, texts))
    places = np.arange(len(order)) - sets.offsets[:-1][texts]  # in that order
    new = np.ones(len(order), bool)
    new[1:] = (np.diff(texts) > 0) | (np.diff(values[order]) != 0)
    begins = np.flatnonzero(new)
    ends = np.append(begins[1:], len(order))
    group = np.cumsum(new) - 1
    first, end = np.empty(len(order), np.int64), np.empty(len(order), np.int64)
    first[order] = places[begins][group]
    end[order] = (places[begins] + ends - begins)[group]
    n = max(outcomes.truth.n_classes, 1)
    true = np.isin(texts * n + sets.members, outcomes.truth.texts * n + outcomes.truth.members, assume_unique=True)
    return texts[true], first[true], end[true]
