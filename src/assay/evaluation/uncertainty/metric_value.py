"""The value of a metric, which is a name or a function, on some outcomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assay.evaluation.metrics.catalogue import LOWER_IS_BETTER, LabelMetric, Metric, parse_metric
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.metrics.set_catalogue import OneLabelMetric, SetMetric, parse_set_metric
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.uncertainty.resampling import Cells, Documents, Resampling
from assay.evaluation.uncertainty.set_measuring import one_label_values
from assay.evaluation.uncertainty.set_resampling import SetTexts
from assay.evaluation.uncertainty.user_metric import FunctionSampler

__all__ = ["MetricLike", "measure", "metric_name", "metric_of", "metric_sign"]

MetricLike = str | Callable[[Any, Any], float]
"""A name of the catalogue, or a function of true and predicted labels; of a function, more is better."""


def metric_of(name: str, outcomes: Outcomes | SetOutcomes) -> Metric | SetMetric:
    """What a metric's name stands for where these are the outcomes: one label a text, or a set of them."""
    parse = parse_set_metric if isinstance(outcomes, SetOutcomes) else parse_metric
    return parse(name, outcomes.labels)


def measure(metric: MetricLike, outcomes: Outcomes | SetOutcomes) -> float:
    """A metric's value on some outcomes; NaN where it is undefined."""
    once = Resampling(1, threads=1)
    if callable(metric):
        return float(FunctionSampler([outcomes], metric, once).observed[0, 0])
    if isinstance(outcomes, SetOutcomes):
        of_sets = parse_set_metric(metric, outcomes.labels)
        if isinstance(of_sets, OneLabelMetric):
            return float(one_label_values(outcomes, of_sets).mean())
        return float(SetTexts([outcomes], [of_sets], once).observed[0, 0])
    parsed = parse_metric(metric, outcomes.labels)
    if isinstance(parsed, LabelMetric):
        return float(Cells([outcomes], [parsed], once).observed[0, 0])
    return float(Documents([outcomes], [parsed], once).observed[0, 0])


def metric_name(metric: MetricLike) -> str:
    """What a metric is called in results."""
    return metric if isinstance(metric, str) else getattr(metric, "__name__", "metric")


def metric_sign(metric: MetricLike) -> int:
    """-1 where less is better."""
    return -1 if isinstance(metric, str) and metric.partition(":")[0] in LOWER_IS_BETTER else 1
