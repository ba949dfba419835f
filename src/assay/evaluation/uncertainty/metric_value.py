"""The value of a metric, which is a name or a function, on some outcomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assay.evaluation.metrics.catalogue import LOWER_IS_BETTER, LabelMetric, parse_metric
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.uncertainty.resampling import Cells, Documents, Resampling
from assay.evaluation.uncertainty.user_metric import FunctionSampler

__all__ = ["MetricLike", "measure", "metric_name", "metric_sign"]

MetricLike = str | Callable[[Any, Any], float]
"""A name of the catalogue, or a function of true and predicted labels; of a function, more is better."""


def measure(metric: MetricLike, outcomes: Outcomes) -> float:
    """A metric's value on some outcomes; NaN where it is undefined."""
    once = Resampling(1, threads=1)
    if callable(metric):
        return float(FunctionSampler([outcomes], metric, once).observed[0, 0])
    parsed = parse_metric(metric, outcomes.labels)
    if isinstance(parsed, LabelMetric):
        return float(Cells([outcomes], [parsed], once).observed[0, 0])
    return float(Documents([outcomes], [parsed], once).observed[0, 0])


def metric_name(metric: MetricLike) -> str:
    """What a metric is called in results."""
    return metric if isinstance(metric, str) else getattr(metric, "__name__", "metric")


def metric_sign(metric: MetricLike) -> int:
    """-1 where less is better."""
    return -1 if isinstance(metric, str) and metric in LOWER_IS_BETTER else 1
