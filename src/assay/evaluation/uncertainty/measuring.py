"""From metrics and outcomes to estimates: value, interval, and the reason where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan

import numpy as np

from assay.errors import ParameterError
from assay.evaluation.metrics.catalogue import AREAS, AVERAGES, MEASURES, DocumentMetric, LabelMetric, Metric
from assay.evaluation.metrics.confusion import ConfusionMatrix
from assay.evaluation.metrics.outcomes import Outcomes, choices
from assay.evaluation.metrics.set_catalogue import SetMetric
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.uncertainty.area_intervals import area_intervals
from assay.evaluation.uncertainty.calibration_interval import calibration_interval
from assay.evaluation.uncertainty.cautious import why_cautious
from assay.evaluation.uncertainty.estimate import Estimate
from assay.evaluation.uncertainty.intervals import bca_interval, percentile_interval
from assay.evaluation.uncertainty.loss_intervals import loss_intervals
from assay.evaluation.uncertainty.posterior import MOST_CLASSES, posterior_intervals
from assay.evaluation.uncertainty.resampling import Cells, Documents, Floats, Resampler, Resampling, accelerations
from assay.evaluation.uncertainty.set_measuring import estimate_set_metrics
from assay.evaluation.uncertainty.share_intervals import f_interval, share_interval, share_method
from assay.evaluation.uncertainty.too_few import why_no_interval
from assay.suggest import quote

__all__ = ["INTERVALS", "estimate_metrics"]

INTERVALS = ("auto", "bca", "percentile")
TOO_MANY = f"of more than {MOST_CLASSES:,} classes none is known that holds"
# Why a bootstrap that was asked for gives no interval.
NO_SPREAD = "every resample gave the same value"
OFF_CENTRE = "the resamples do not lie around the value: most classes have too few documents"


def check_interval(interval: str) -> str:
    """Complain about an unknown kind of interval."""
    if interval not in INTERVALS:
        raise ParameterError(f"interval must be one of {choices(interval, INTERVALS)}. Got {interval!r} instead.")
    return interval


def estimate_metrics(
    outcomes: Outcomes | SetOutcomes,
    metrics: Sequence[Metric | SetMetric],
    plan: Resampling,
    interval: str = "auto",
    level: float = 0.95,
    undefined: float = np.nan,
) -> dict[str, Estimate]:
    """Value and interval of each metric, by its name.

    `interval` is ``"auto"`` (each metric's own kind, and none with its reason where it would not hold), ``"bca"`` or
    ``"percentile"`` (that bootstrap for all); `undefined` is what 0/0 is, NaN leaving it undefined.
    """
    if isinstance(outcomes, SetOutcomes):
        of_sets = [metric for metric in metrics if not isinstance(metric, DocumentMetric)]
        return estimate_set_metrics(outcomes, of_sets, plan, interval, level, undefined)
    own: list[Metric] = [metric for metric in metrics if isinstance(metric, LabelMetric | DocumentMetric)]
    matrix = ConfusionMatrix.of(outcomes)
    if interval == "auto":
        found = _own_intervals(outcomes, matrix, own, plan, level, undefined)
    else:
        found = _resampled(outcomes, matrix, own, plan, interval, level, undefined)
    return {metric.name: found[metric.name] for metric in own}


def _own_intervals(
    outcomes: Outcomes,
    matrix: ConfusionMatrix,
    metrics: Sequence[Metric],
    plan: Resampling,
    level: float,
    undefined: float,
) -> dict[str, Estimate]:
    """Wilson's for shares, `posterior` for other metrics of labels, the jackknife's for areas and losses."""
    found: dict[str, Estimate] = {}
    labels: list[LabelMetric] = []
    areas: list[DocumentMetric] = []
    losses: list[DocumentMetric] = []
    values = _values(outcomes, metrics, plan, undefined)
    for metric in metrics:
        value = values[metric.name]
        if isnan(value):
            found[metric.name] = Estimate(value, reason=why_undefined(metric, matrix))
        elif (estimate := _share_interval(metric, matrix, outcomes, level)) is not None:
            found[metric.name] = estimate
        elif isinstance(metric, DocumentMetric) and metric.kind == "calibration_error":
            found[metric.name] = _calibration_error(value, outcomes, level, plan)
        elif reason := why_no_interval(metric, matrix, outcomes):
            found[metric.name] = Estimate(value, reason=reason)
        elif isinstance(metric, LabelMetric):
            labels.append(metric)
        else:
            (areas if metric.kind in AREAS else losses).append(metric)
    if len(matrix.labels) > MOST_CLASSES:
        found |= {metric.name: Estimate(values[metric.name], reason=TOO_MANY) for metric in labels}
        labels = []
    ends_of = posterior_intervals(matrix, labels, plan, level, undefined) if labels else {}
    method = dict.fromkeys(ends_of, "posterior")
    for group, intervals in ((areas, area_intervals), (losses, loss_intervals)):
        if group:
            ends_of |= intervals(outcomes, group, plan, level)
    for name, ends in ends_of.items():
        found[name] = Estimate(values[name], *ends, method.get(name, "jackknife"))
    for metric in metrics:
        own = found[metric.name]
        if not isnan(own.low):
            found[metric.name] = replace(own, reason=why_cautious(metric, own, matrix, outcomes))
    return found


def _values(outcomes: Outcomes, metrics: Sequence[Metric], plan: Resampling, undefined: float) -> dict[str, float]:
    labels = [metric for metric in metrics if isinstance(metric, LabelMetric)]
    documents = [metric for metric in metrics if isinstance(metric, DocumentMetric)]
    values: dict[str, float] = {}
    for group, sampler in _samplers(outcomes, labels, documents, plan, undefined):
        values |= {metric.name: float(value) for metric, value in zip(group, sampler.observed[0], strict=True)}
    return values


def _samplers(
    outcomes: Outcomes,
    labels: Sequence[LabelMetric],
    documents: Sequence[DocumentMetric],
    plan: Resampling,
    undefined: float,
) -> list[tuple[Sequence[Metric], Resampler]]:
    samplers: list[tuple[Sequence[Metric], Resampler]] = []
    if labels:
        samplers.append((labels, Cells([outcomes], labels, plan, undefined)))
    if documents:
        samplers.append((documents, Documents([outcomes], documents, plan)))
    return samplers


def _resampled(
    outcomes: Outcomes,
    matrix: ConfusionMatrix,
    metrics: Sequence[Metric],
    plan: Resampling,
    method: str,
    level: float,
    undefined: float,
) -> dict[str, Estimate]:
    """Bootstrap intervals; the calibration error, whose bootstrap is biased, has its own."""
    found: dict[str, Estimate] = {}
    labels = [metric for metric in metrics if isinstance(metric, LabelMetric)]
    documents = [metric for metric in metrics if isinstance(metric, DocumentMetric)]
    for group, sampler in _samplers(outcomes, labels, documents, plan, undefined):
        observed, samples = sampler.observed[0], sampler.bootstrap()[:, 0]
        low, high = resampled_interval(samples, observed, sampler, method, level)
        for m, metric in enumerate(group):
            value, ends = float(observed[m]), (float(low[m]), float(high[m]))
            how, reason = method, why_undefined(metric, matrix) if isnan(value) else ""
            if isnan(ends[0]) and not reason:
                how, reason = "", NO_SPREAD if np.ptp(samples[:, m]) == 0 else OFF_CENTRE
            found[metric.name] = Estimate(value, *ends, how, reason)
            if isinstance(metric, DocumentMetric) and metric.kind == "calibration_error":
                found[metric.name] = _calibration_error(value, outcomes, level, plan)
    return found


def _calibration_error(value: float, outcomes: Outcomes, level: float, plan: Resampling) -> Estimate:
    low, high = calibration_interval(outcomes, level, plan.seed)
    return Estimate(value, min(low, value), max(high, value), "inverted test")


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


def _share_interval(metric: Metric, matrix: ConfusionMatrix, outcomes: Outcomes, level: float) -> Estimate | None:
    """A metric that is a share of independent documents, or made of such shares."""
    if isinstance(metric, LabelMetric) and metric.code[:2] == (MEASURES["f"], AVERAGES[""]):
        k = metric.code[2]
        hits = float(matrix.hits[k])
        return f_interval(hits, matrix.documents[k] - hits, matrix.predicted[k] - hits, metric.beta, level)
    share = _proportion(metric, matrix, outcomes)
    if share is None or share[1] <= 0:
        return None
    low, high = share_interval(*share, level)
    value = share[0] / share[1]
    return Estimate(value, min(low, value), max(high, value), share_method(share[1]))


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
