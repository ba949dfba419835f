"""From metrics and outcomes to estimates: value, interval, and the reason where there is no value."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

import numpy as np

from assay.errors import ParameterError
from assay.evaluation.metrics.catalogue import AVERAGES, MEASURES, DocumentMetric, LabelMetric, Metric
from assay.evaluation.metrics.confusion import ConfusionMatrix
from assay.evaluation.metrics.outcomes import Outcomes, choices
from assay.evaluation.uncertainty.calibration_interval import calibration_interval
from assay.evaluation.uncertainty.estimate import Estimate
from assay.evaluation.uncertainty.intervals import bca_interval, percentile_interval, wilson_interval
from assay.evaluation.uncertainty.resampling import Cells, Documents, Floats, Resampler, Resampling, accelerations
from assay.suggest import quote

__all__ = ["INTERVALS", "estimate_metrics"]

INTERVALS = ("auto", "bca", "percentile")
# Why a value has no interval.
NO_SPREAD = "every resample gave the same value"
OFF_CENTRE = "the resamples do not lie around the value: most classes have too few documents"


def check_interval(interval: str) -> str:
    """Complain about an unknown kind of interval."""
    if interval not in INTERVALS:
        raise ParameterError(f"interval must be one of {choices(interval, INTERVALS)}. Got {interval!r} instead.")
    return interval


def estimate_metrics(
    outcomes: Outcomes,
    metrics: Sequence[Metric],
    plan: Resampling,
    interval: str = "auto",
    level: float = 0.95,
    undefined: float = np.nan,
) -> dict[str, Estimate]:
    """Value and interval of each metric, by its name.

    `interval` is ``"auto"`` (Wilson's for proportions, BCa for the rest), ``"bca"`` or ``"percentile"``;
    `undefined` is what 0/0 is, NaN leaving it undefined.
    """
    matrix = ConfusionMatrix.of(outcomes)
    by_name: dict[str, Estimate] = {}
    resampled: list[Metric] = []
    for metric in metrics:
        proportion = _proportion(metric, matrix, outcomes) if interval == "auto" else None
        if proportion is not None and proportion[1] > 0:
            ends = wilson_interval(*proportion, level)
            by_name[metric.name] = Estimate(proportion[0] / proportion[1], *ends, "wilson")
        else:
            resampled.append(metric)
    labels = [metric for metric in resampled if isinstance(metric, LabelMetric)]
    documents = [metric for metric in resampled if isinstance(metric, DocumentMetric)]
    method = "bca" if interval == "auto" else interval
    samplers: list[tuple[Sequence[Metric], Resampler]] = []
    if labels:
        samplers.append((labels, Cells([outcomes], labels, plan, undefined)))
    if documents:
        samplers.append((documents, Documents([outcomes], documents, plan)))
    for group, sampler in samplers:
        observed, samples = sampler.observed[0], sampler.bootstrap()[:, 0]
        low, high = resampled_interval(samples, observed, sampler, method, level)
        for m, metric in enumerate(group):
            value, ends = float(observed[m]), (float(low[m]), float(high[m]))
            how, reason = method, why_undefined(metric, matrix) if isnan(value) else ""
            if isnan(ends[0]) and not reason:
                how, reason = "", NO_SPREAD if np.ptp(samples[:, m]) == 0 else OFF_CENTRE
            if isinstance(metric, DocumentMetric) and metric.kind == "calibration_error":
                ends = calibration_interval(outcomes, value, samples[:, m], level, plan.seed)
                how, reason = "reversed percentile", ""
            by_name[metric.name] = Estimate(value, *ends, how, reason)
    return {metric.name: by_name[metric.name] for metric in metrics}


def resampled_interval(
    samples: Floats, observed: Floats, sampler: Resampler, method: str, level: float
) -> tuple[Floats, Floats]:
    """Ends of the bootstrap interval of each metric of one system."""
    low, high = percentile_interval(samples, level)
    # Nothing to be learned from resamples that are all alike, or that miss what they are drawn from: a mean over many
    # rare classes, of which each resample holds others, is so biased.
    missing = np.isnan(observed) | (low == high) | (observed < low) | (observed > high)
    if method != "percentile":
        low, high = bca_interval(samples, observed, accelerations(sampler)[0], level)
    return np.where(missing, np.nan, low), np.where(missing, np.nan, high)


def _proportion(metric: Metric, matrix: ConfusionMatrix, outcomes: Outcomes) -> tuple[float, float] | None:
    """(successes, trials) of a metric that is a share of independent documents."""
    if isinstance(metric, DocumentMetric):
        if metric.kind != "top":
            return None
        share = Documents([outcomes], [metric], Resampling(1)).observed[0, 0]
        return round(share * outcomes.n_documents), outcomes.n_documents
    measure, average, k = metric.code
    of_all = average == AVERAGES["micro"] or (average == AVERAGES["weighted"] and measure == MEASURES["recall"])
    if measure == MEASURES["accuracy"] or of_all:  # recall weighted by documents is accuracy, too
        return float(matrix.hits.sum()), outcomes.n_documents
    if average == AVERAGES[""] and measure == MEASURES["recall"]:
        return float(matrix.hits[k]), float(matrix.documents[k])
    if average == AVERAGES[""] and measure == MEASURES["precision"]:
        return float(matrix.hits[k]), float(matrix.predicted[k])
    return None


def why_undefined(metric: Metric, matrix: ConfusionMatrix) -> str:
    """Which denominator is zero, in words."""
    if isinstance(metric, DocumentMetric):
        if metric.class_index < 0:
            return "no label has both documents of it and documents of another"
        label = matrix.labels[metric.class_index]
        none = matrix.documents[metric.class_index] == 0
        return f"no document is {quote(label)}" if none else f"every document is {quote(label)}"
    measure, average, k = metric.code
    if average == AVERAGES[""] and measure >= MEASURES["precision"]:
        label = matrix.labels[k]
        return {
            MEASURES["precision"]: f"{quote(label)} was never predicted",
            MEASURES["recall"]: f"no document is {quote(label)}",
        }.get(measure, f"no document is {quote(label)} and none was called so")
    if measure == MEASURES["matthews"]:
        one_in_truth = np.count_nonzero(matrix.documents) < 2
        return "the truth holds one label only" if one_in_truth else "the predictions hold one label only"
    return "truth and predictions hold one and the same label only"


def notes_on_averages(matrix: ConfusionMatrix) -> list[str]:
    """Which classes an average leaves out because their value is 0/0."""
    notes = []
    for label, documents, predicted in zip(matrix.labels, matrix.documents, matrix.predicted, strict=True):
        if documents and not predicted:
            notes.append(f"{quote(label)} was never predicted: its precision is undefined and left out of averages.")
        elif predicted and not documents:
            notes.append(f"No document is {quote(label)}: its recall is undefined and left out of averages.")
        elif not predicted:
            notes.append(f"{quote(label)} neither occurs nor was predicted: it is left out of averages.")
    return notes
