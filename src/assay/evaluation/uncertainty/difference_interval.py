"""The interval of a difference between two models on the same documents, made of the intervals of both.

With θ₁ in [l₁, u₁], θ₂ in [l₂, u₂] and ρ the correlation of the two in sampling, the ends are

    θ₁ - θ₂ - √((θ₁ - l₁)² + (u₂ - θ₂)² - 2ρ(θ₁ - l₁)(u₂ - θ₂))   and its like above (MOVER).

So what each model's own interval knows of mistakes that were not seen, the difference knows too, and where one of them
cannot be trusted there is none of the difference. ρ is the jackknife's, with half a document more that moves one model
alone, and half a one that moves the other: models that agree on fifty documents need not agree on the next.

Losses have differences document by document, whose mean has an interval of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

import numpy as np

from assay.evaluation.metrics.catalogue import DocumentMetric, LabelMetric, Metric, metric_range
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.metrics.set_catalogue import SetMetric, TextMetric
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.uncertainty.area_intervals import without_bias
from assay.evaluation.uncertainty.estimate import Estimate
from assay.evaluation.uncertainty.intervals import Floats, widening_of_few
from assay.evaluation.uncertainty.loss_intervals import LOSSES, hall_interval
from assay.evaluation.uncertainty.measuring import estimate_metrics
from assay.evaluation.uncertainty.resampling import Resampler, Resampling
from assay.evaluation.uncertainty.set_resampling import SetTexts

__all__ = ["difference_interval"]

MOST_DRAWS = 2000  # of a model's own interval


def difference_interval(
    systems: Sequence[Outcomes | SetOutcomes],
    metric: Metric | SetMetric,
    sampler: Resampler | SetTexts,
    plan: Resampling,
    level: float,
) -> Estimate:
    """First minus second, with its interval or the reason why there is none. Both must be defined.

    References
    ----------
    Newcombe (1998), paired proportions; Zou & Donner (2008); Donner & Zou (2012).
    """
    value = float(sampler.observed[0, 0] - sampler.observed[1, 0])
    fewer = replace(plan, n_resamples=min(plan.n_resamples, MOST_DRAWS))
    first, second = (estimate_metrics(outcomes, [metric], fewer, "auto", level)[metric.name] for outcomes in systems)
    for own in (first, second):
        if np.isnan(own.low):
            return Estimate(value, reason=own.reason)
    left_out, weights = sampler.left_out()
    if isinstance(metric, DocumentMetric | TextMetric) and metric.kind in LOSSES:
        low, high = hall_interval(value, left_out[:, 0, 0] - left_out[:, 1, 0], level)
        return Estimate(value, min(low, value), max(high, value), "jackknife")
    related = _correlation(left_out[:, :, 0], weights)
    centres = sampler.observed[:, 0]
    if isinstance(metric, DocumentMetric) and metric.kind == "average_precision":  # its interval is around another one
        centres = np.clip(without_bias(centres, left_out[:, :, 0]), (first.low, second.low), (first.high, second.high))
    # The correlation is found from the same documents, as a variance is; areas have degrees of freedom of their own.
    wider = widening_of_few(systems[0].n_documents) if isinstance(metric, LabelMetric) else 1.0
    below = wider * _together(centres[0] - first.low, second.high - centres[1], related)
    above = wider * _together(first.high - centres[0], centres[1] - second.low, related)
    centre = float(centres[0] - centres[1])
    lowest, highest = metric_range(metric.name)
    most = highest - lowest
    low, high = max(min(centre - below, value), -most), min(max(centre + above, value), most)
    return Estimate(value, low, high, "of both intervals")


def _together(one: float, other: float, related: float) -> float:
    return sqrt(max(one**2 + other**2 - 2 * related * one * other, 0.0))


def _correlation(left_out: Floats, weights: Floats) -> float:
    """Of the two columns, each row standing for so many documents."""
    known = ~np.isnan(left_out).any(axis=1)
    values, weights = left_out[known], weights[known]
    deviations = values - np.average(values, axis=0, weights=weights)
    together = (weights[:, None] * deviations).T @ deviations
    largest = (deviations**2).max(axis=0)
    spread = np.diagonal(together) + largest / 2
    return float(together[0, 1] / np.sqrt(spread.prod())) if (spread > 0).all() else 0.0
