"""From metrics and outcomes of label sets to estimates: value, interval, and the reason where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

import numpy as np

from assay.evaluation.metrics.catalogue import AVERAGES, MEASURES, DocumentMetric, LabelMetric
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.metrics.set_catalogue import LOSSES, RANKS, OneLabelMetric, SetMetric, TextMetric
from assay.evaluation.metrics.set_outcomes import LabelCounts, SetOutcomes
from assay.evaluation.metrics.text_values import require_probabilities, text_values
from assay.evaluation.uncertainty.estimate import Estimate
from assay.evaluation.uncertainty.intervals import Floats, acceleration, bca_interval, percentile_interval
from assay.evaluation.uncertainty.loss_intervals import hall_interval
from assay.evaluation.uncertainty.posterior import MOST_CLASSES
from assay.evaluation.uncertainty.resampling import Documents, Resampling
from assay.evaluation.uncertainty.set_intervals import interval_by_texts, interval_over_labels
from assay.evaluation.uncertainty.set_resampling import SetTexts, left_out
from assay.evaluation.uncertainty.share_intervals import f_interval, share_interval, share_method
from assay.evaluation.uncertainty.too_few import rarest
from assay.suggest import quote

__all__ = ["estimate_set_metrics", "one_label_values"]

OF_EACH_LABEL = 2  # texts that have it, for an average over labels
TEXTS = 5  # with a mistake, and without one, for a share that texts have in common
OF_A_KIND = 2  # with a mistake that lowers the metric in question: recall is not lowered by a label too many
NO_SPREAD = "every resample gave the same value"
TOO_MANY = f"of more than {MOST_CLASSES:,} labels none is known that holds"
OF_A_MEAN = "chance makes each label's error larger, and so their mean: those of the labels have intervals"


def estimate_set_metrics(
    outcomes: SetOutcomes,
    metrics: Sequence[SetMetric],
    plan: Resampling,
    interval: str = "auto",
    level: float = 0.95,
    undefined: float = np.nan,
) -> dict[str, Estimate]:
    """Value and interval of each metric, by its name; as `estimate_metrics` for one label a text."""
    plain = [metric for metric in metrics if not isinstance(metric, OneLabelMetric)]
    texts = SetTexts([outcomes], plain, plan, undefined)
    values = dict(zip([metric.name for metric in plain], texts.observed[0].tolist(), strict=True))
    found: dict[str, Estimate] = {}
    if interval == "auto":
        for metric in plain:
            found[metric.name] = _own_interval(outcomes, metric, values[metric.name], plan, level, undefined)
    elif plain:
        found |= _resampled(outcomes, plain, texts, interval, level)
    for other in metrics:
        if isinstance(other, OneLabelMetric):
            found[other.name] = _of_one_label(outcomes, other, plan, interval, level)
    return {metric.name: found[metric.name] for metric in metrics}


def one_label_values(outcomes: SetOutcomes, metric: OneLabelMetric) -> Floats:
    """The metric of each label that it is of, NaN where it is undefined."""
    if metric.kind not in ("roc_auc", "average_precision"):
        require_probabilities(outcomes, metric)
    labels = range(len(outcomes.labels)) if metric.label < 0 else [metric.label]
    inner = DocumentMetric(metric.kind, metric.kind, 1 if metric.kind in ("roc_auc", "average_precision") else -1)
    return np.array(
        [Documents([label_outcomes(outcomes, metric, k)], [inner], Resampling(1)).observed[0, 0] for k in labels]
    )


def label_outcomes(outcomes: SetOutcomes, metric: OneLabelMetric, k: int) -> Outcomes:
    """Label k against its absence; where it is about calibration, every text counts as called so."""
    own = outcomes.one_label(k)
    if metric.kind != "calibration_error":
        return own
    return Outcomes(own.labels, own.truth, np.ones_like(own.predicted), own.probabilities)


def _of_one_label(
    outcomes: SetOutcomes, metric: OneLabelMetric, plan: Resampling, interval: str, level: float
) -> Estimate:
    from assay.evaluation.uncertainty.measuring import estimate_metrics

    if metric.label < 0:
        return Estimate(float(one_label_values(outcomes, metric).mean()), reason=OF_A_MEAN)
    if metric.kind not in ("roc_auc", "average_precision"):
        require_probabilities(outcomes, metric)
    inner = DocumentMetric(metric.kind, metric.kind, 1 if metric.kind in ("roc_auc", "average_precision") else -1)
    return estimate_metrics(label_outcomes(outcomes, metric, metric.label), [inner], plan, interval, level)[inner.name]


def _own_interval(
    outcomes: SetOutcomes, metric: LabelMetric | TextMetric, value: float, plan: Resampling, level: float, zero: float
) -> Estimate:
    """Wilson's for shares of texts; of the rest, that of `set_intervals`, and the jackknife's for losses."""
    counts = outcomes.counts
    if isnan(value):
        return Estimate(value, reason=why_undefined(metric, counts))
    if (share := _share(metric, outcomes, value)) is not None:
        low, high = share_interval(*share, level)
        return Estimate(value, min(low, value), max(high, value), share_method(share[1]))
    if isinstance(metric, LabelMetric) and metric.code[1] == AVERAGES[""]:
        k = metric.code[2]
        hits = float(counts.hits[k])
        found = f_interval(hits, counts.documents[k] - hits, counts.predicted[k] - hits, metric.beta, level)
        return Estimate(value, reason=why_undefined(metric, counts)) if found is None else found
    if reason := why_no_interval(outcomes, metric):
        return Estimate(value, reason=reason)
    if isinstance(metric, LabelMetric) and metric.code[1] == AVERAGES["macro"]:
        return Estimate(value, *interval_over_labels(outcomes, metric, value, plan, level, zero), "posterior")
    without = left_out(outcomes, metric, zero)
    if isinstance(metric, TextMetric) and metric.kind in LOSSES:
        low, high = hall_interval(value, without, level)
        return Estimate(value, max(0.0, min(low, value)), max(high, value), "jackknife")
    return Estimate(value, *interval_by_texts(value, without, level), "wilson, by texts")


def _share(metric: LabelMetric | TextMetric, outcomes: SetOutcomes, value: float) -> tuple[float, float] | None:
    """(successes, trials) of a metric that is a share of independent texts."""
    n = outcomes.n_documents
    if isinstance(metric, TextMetric):
        of_texts = metric.kind == "subset_accuracy" or (metric.kind == "p" and metric.k == 1)
        return (value * n, n) if of_texts else None
    measure, average, k = metric.code
    counts = outcomes.counts
    trials = {MEASURES["recall"]: counts.documents, MEASURES["precision"]: counts.predicted}.get(measure)
    if average != AVERAGES[""] or trials is None or trials[k] == 0:
        return None
    return float(counts.hits[k]), float(trials[k])


def why_no_interval(outcomes: SetOutcomes, metric: LabelMetric | TextMetric) -> str:
    """The reason why the interval of a metric that is defined could not be trusted; empty where it can.

    The limits are those from which intervals cover in `benchmarks/coverage_sets.py`.
    """
    n, counts = outcomes.n_documents, outcomes.counts
    if isinstance(metric, LabelMetric) and metric.code[1] == AVERAGES["macro"]:
        if len(outcomes.labels) > MOST_CLASSES:
            return TOO_MANY
        reason = rarest(outcomes.labels, counts.documents, OF_EACH_LABEL, n, "has")
        if metric.code[0] == MEASURES["precision"] and not reason:
            reason = rarest(outcomes.labels, counts.predicted, OF_EACH_LABEL, n, "given")
        return reason
    lowered, raised = _moved_texts(outcomes, metric)
    ranks = isinstance(metric, TextMetric) and metric.kind in RANKS
    wrong = lowered if ranks else int((~outcomes.correct).sum())
    for count, least, what in (
        (wrong, TEXTS, "with a mistake"),
        (lowered, OF_A_KIND, "with a mistake of this kind"),
        (raised, TEXTS, "that got something right"),
    ):
        if count < least:
            return f"it hangs on the texts {what}, of which there are {count}; {least} are needed"
    return ""


def _moved_texts(outcomes: SetOutcomes, metric: LabelMetric | TextMetric) -> tuple[int, int]:
    """How many texts keep a metric from its best value, and how many from its worst."""
    if isinstance(metric, TextMetric):
        if metric.kind in LOSSES:
            return int((~outcomes.correct).sum()), outcomes.n_documents
        values = text_values(outcomes, metric, np.nan)
        both = int((values < 1).sum()), int((values > 0).sum())
        return both if metric.sign > 0 else both[::-1]
    texts, _, outcome = outcomes.outcome_of_each
    wrong = {MEASURES["precision"]: outcome == 1, MEASURES["recall"]: outcome == 2}.get(metric.code[0], outcome > 0)
    return np.unique(texts[wrong]).size, np.unique(texts[outcome == 0]).size


def _resampled(
    outcomes: SetOutcomes, metrics: Sequence[LabelMetric | TextMetric], texts: SetTexts, method: str, level: float
) -> dict[str, Estimate]:
    """Bootstrap intervals of resampled texts, whether they hold or not."""
    observed, samples = texts.observed[0], texts.bootstrap()[:, 0]
    if method == "bca":
        without, weights = texts.left_out()
        low, high = bca_interval(samples, observed, acceleration(without[:, 0], weights), level)
    else:
        low, high = percentile_interval(samples, level)
    found = {}
    for m, metric in enumerate(metrics):
        value, ends = float(observed[m]), (float(low[m]), float(high[m]))
        if isnan(value):
            found[metric.name] = Estimate(value, reason=why_undefined(metric, outcomes.counts))
        elif isnan(ends[0]) or ends[0] == ends[1]:
            found[metric.name] = Estimate(value, reason=NO_SPREAD)
        else:
            found[metric.name] = Estimate(value, min(ends[0], value), max(ends[1], value), method)
    return found


def why_undefined(metric: LabelMetric | TextMetric, counts: LabelCounts) -> str:
    """Which denominator is zero, in words."""
    said, true = bool(counts.predicted.any()), bool(counts.documents.any())
    measure = metric.code[0] if isinstance(metric, LabelMetric) else MEASURES.get(metric.kind, MEASURES["f"])
    if isinstance(metric, LabelMetric) and metric.code[1] == AVERAGES[""]:
        label = quote(counts.labels[metric.code[2]])
        return {
            MEASURES["precision"]: f"{label} was never given",
            MEASURES["recall"]: f"no text has {label}",
        }.get(measure, f"no text has {label} and none was given it")
    if measure == MEASURES["precision"] and not said:
        return "no label was given to any text"
    if measure == MEASURES["recall"] and not true:
        return "no text has a label"
    return "no text has a label and none was given one"
