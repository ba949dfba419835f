"""Curves: ROC, precision–recall, reliability, and accuracy against coverage."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, ParameterError
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.parameters import is_number
from assay.evaluation.uncertainty.estimate import Estimate
from assay.evaluation.uncertainty.intervals import wilson_interval
from assay.suggest import quote

__all__ = ["Coverage", "PrecisionRecallCurve", "Reliability", "ReliabilityBin", "RocCurve"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RocCurve:
    """False and true positive rates as the threshold on one class's score goes down."""

    false_positive_rate: Floats
    true_positive_rate: Floats
    thresholds: Floats
    area: float


@dataclass(frozen=True)
class PrecisionRecallCurve:
    """Precision and recall as the threshold on one class's score goes up; `area` is average precision."""

    precision: Floats
    recall: Floats
    thresholds: Floats
    area: float


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Documents whose probability lies in [low, high): mean probability, and how often it was true."""

    low: float
    high: float
    n_documents: int
    confidence: float
    frequency: Estimate


@dataclass(frozen=True)
class Reliability:
    """The non-empty bins of a reliability curve, and the mean gap, weighted by documents."""

    bins: tuple[ReliabilityBin, ...]
    error: float


@dataclass(frozen=True)
class Coverage:
    """What happens when documents below a confidence are handed to a person.

    Attributes
    ----------
    coverage
        Share of documents that the model answers.
    accuracy
        Share of those that it answers correctly.
    """

    threshold: float
    n_documents: int
    coverage: Estimate
    accuracy: Estimate


def roc_curve(outcomes: Outcomes, k: int) -> RocCurve:
    """ROC curve of class k against the rest (scikit-learn's)."""
    positive, scores = _one_class(outcomes, k)
    from sklearn.metrics import auc
    from sklearn.metrics import roc_curve as curve

    false_positives, true_positives, thresholds = curve(positive, scores)
    return RocCurve(false_positives, true_positives, thresholds, float(auc(false_positives, true_positives)))


def precision_recall_curve(outcomes: Outcomes, k: int) -> PrecisionRecallCurve:
    """Precision–recall curve of class k against the rest, as scikit-learn draws it, without waiting for its import."""
    positive, scores = _one_class(outcomes, k)
    order = np.argsort(-scores, kind="stable")
    falling = scores[order]
    last = np.append(np.flatnonzero(np.diff(falling)), len(falling) - 1)  # of each run of equal scores
    hits = np.cumsum(positive[order])[last]
    precision, recall = hits / (last + 1), hits / hits[-1]
    area = float(np.sum(np.diff(recall, prepend=0.0) * precision))
    return PrecisionRecallCurve(
        np.append(precision[::-1], 1.0), np.append(recall[::-1], 0.0), falling[last][::-1], area
    )


def reliability(outcomes: Outcomes, n_bins: int = 15, k: int | None = None, level: float = 0.95) -> Reliability:
    """Reliability curve over equally wide bins, of the predicted label or of class k."""
    if outcomes.probabilities is None:
        raise DataError(
            "A reliability curve needs probabilities, and there are none. Use a model with predict_proba, "
            "or calibrate this one (assay.evaluation.calibrate)."
        )
    if n_bins < 1:
        raise ParameterError(f"n_bins must be at least 1. Got {n_bins!r} instead.")
    confidence = outcomes.confidence if k is None else outcomes.probabilities[:, k]
    assert confidence is not None
    happened = outcomes.correct if k is None else outcomes.truth == k
    numbers = np.minimum((confidence * n_bins).astype(np.int64), n_bins - 1)
    bins = []
    for number in np.unique(numbers):
        inside = numbers == number
        n, hits = int(inside.sum()), int(happened[inside].sum())
        frequency = Estimate(hits / n, *wilson_interval(hits, n, level), "wilson")
        mean = float(confidence[inside].mean())
        bins.append(ReliabilityBin(number / n_bins, (number + 1) / n_bins, n, mean, frequency))
    gaps = sum(b.n_documents * abs(b.frequency.value - b.confidence) for b in bins)
    return Reliability(tuple(bins), gaps / outcomes.n_documents)


def coverage(outcomes: Outcomes, threshold: float, level: float = 0.95) -> Coverage:
    """Coverage and accuracy when only documents with at least this confidence are answered."""
    if not is_number(threshold):
        raise ParameterError(f"threshold must be a number. Got {threshold!r} instead.")
    answered = _confidence(outcomes) >= threshold
    n, total = int(answered.sum()), outcomes.n_documents
    hits = int(outcomes.correct[answered].sum())
    accuracy = (
        Estimate(hits / n, *wilson_interval(hits, n, level), "wilson")
        if n
        else Estimate(nan, reason=f"no document has a confidence of {threshold:g} or more")
    )
    share = Estimate(n / total, *wilson_interval(n, total, level), "wilson")
    return Coverage(threshold, n, share, accuracy)


def coverage_curve(outcomes: Outcomes) -> tuple[Floats, Floats]:
    """Coverage and accuracy at every threshold, from the most confident documents on; ties are answered together."""
    confidence = _confidence(outcomes)
    order = np.argsort(-confidence, kind="stable")
    last_of_tie = np.flatnonzero(np.r_[np.diff(confidence[order]) != 0, True])
    answered = last_of_tie + 1
    hits = np.cumsum(outcomes.correct[order])[last_of_tie]
    return answered / outcomes.n_documents, hits / answered


def _confidence(outcomes: Outcomes) -> Floats:
    if outcomes.confidence is None:
        raise DataError(
            "Coverage needs probabilities or scores, and there are none. Use a model with predict_proba or "
            "decision_function."
        )
    return outcomes.confidence


def _one_class(outcomes: Outcomes, k: int) -> tuple[NDArray[np.bool_], Floats]:
    table = outcomes.probabilities if outcomes.probabilities is not None else outcomes.scores
    if table is None:
        raise DataError(
            "A curve needs probabilities or scores, and there are none. Use a model with predict_proba or "
            "decision_function."
        )
    positive = outcomes.truth == k
    label = outcomes.labels[k]
    if positive.all() or not positive.any():
        how_many = "every" if positive.all() else "no"
        raise DataError(
            f"There is no curve for {quote(label)}: {how_many} document of the test set is of it. Ask for another "
            "label."
        )
    return positive, table[:, k]
