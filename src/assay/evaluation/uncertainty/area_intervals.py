"""Intervals of the areas under ROC and precision–recall curves, and of their means over classes.

An area is a share: of pairs that are in order, or the mean of shares. Its jackknife variance V says how many
independent documents it is worth, n* = A(1 - A)/V, and Wilson's interval of A out of n* is its interval. That stays
within [0, 1], is as lopsided as a share near 1 must be, and with Student's quantile it is wide where there are few
documents of a class. A variance may be tiny by luck, and is 0 where every pair is in order: n* is bounded by what
Hanley and McNeil's formula gives for that many documents, and since luck cannot make it smaller, it is worth more
degrees of freedom than those of the rarer side. Average precision counts each document among those it is
ranked above, which raises it where there are few: what the jackknife finds of that is taken away, and since it is found
from the same documents the variance is that much larger.

A mean over classes is worth (Σ Aₖ/K)(1 - Σ Aₖ/K)/V documents. Where one class has most of the variance, the distances
to the ends are those of the classes' own intervals, added as variances are (MOVER); where many share in it, Wilson's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.metrics.catalogue import AREAS, DocumentMetric
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.uncertainty.intervals import Floats, wilson_interval
from assay.evaluation.uncertainty.resampling import Documents, Resampling

__all__ = ["area_intervals", "without_bias"]

# Hanley and McNeil's formula is that of scores with exponential tails. Areas of Gaussian scores vary less: in
# simulations a third of its variance is a bound that luck passes and few models do. Average precision varies more.
BOUNDS = {"roc_auc": 3.0, "average_precision": 1.0}
# Degrees of freedom that the bound is worth, of m documents of the rarer side this over m: with the m - 1 of a free
# variance, ROC areas of three to five documents were a third wider than need be, and covered in 99 of 100 sets. Average
# precision needs all of it: with 2 its interval held in 91 of 100 sets of a class with three documents of 200.
FREEDOM = {"roc_auc": 12.0, "average_precision": 0.0}
# Variance of an average precision without its bias over that of one with it: 1.1 to 1.2 in simulations.
OF_CORRECTION = 1.2
# Of both tails, what is spent on one where the other cannot miss: with all of them, areas of 50 documents covered .94.
OF_BOTH_TAILS = 0.7


def area_intervals(
    outcomes: Outcomes, metrics: Sequence[DocumentMetric], plan: Resampling, level: float
) -> dict[str, tuple[float, float]]:
    """Ends of the interval of each area, by its name; every class of it needs documents on both sides, two of a kind.

    References
    ----------
    Hanley & McNeil (1982); Korn & Graubard (1998), effective sample sizes; Donner & Zou (2012), MOVER.
    """
    every = range(len(outcomes.labels))
    classes = sorted({k for metric in metrics for k in (every if metric.class_index < 0 else (metric.class_index,))})
    asked = [DocumentMetric(f"{kind}:{k}", kind, k) for kind in AREAS for k in classes]
    documents = Documents([outcomes], asked, plan)
    observed = documents.observed[0].reshape(len(AREAS), -1)
    left_out = documents.left_out()[0][:, 0].reshape(-1, len(AREAS), len(classes))
    sizes = np.bincount(outcomes.truth, minlength=len(outcomes.labels))[classes]
    worth = _worth(observed[AREAS.index("roc_auc")], sizes, outcomes.n_documents - sizes)
    found = {}
    for row, kind in enumerate(AREAS):
        wanted = [metric for metric in metrics if metric.kind == kind]
        if not wanted:
            continue
        few = np.minimum(sizes, outcomes.n_documents - sizes)
        freedom = few - 1 + FREEDOM[kind] / few
        biased = kind == "average_precision"
        areas = _Areas(observed[row], left_out[:, row], freedom, BOUNDS[kind] * worth, level, biased)
        for metric in wanted:
            found[metric.name] = (
                areas.of_mean() if metric.class_index < 0 else areas.of(classes.index(metric.class_index))
            )
    return found


def without_bias(observed: Floats, left_out: Floats) -> Floats:
    """Areas without what the jackknife finds of their bias: n θ̂ - (n - 1) times the mean with one left out."""
    return np.asarray(np.clip(observed - (len(left_out) - 1) * (left_out.mean(axis=0) - observed), 0.0, 1.0))


def _worth(areas: Floats, positives: NDArray[np.int64], negatives: NDArray[np.int64]) -> Floats:
    """How many independent documents an area is worth by Hanley and McNeil's variance, with half a pair in disorder."""
    few = np.minimum(positives, negatives)
    area = (areas * few + 0.25) / (few + 0.5)
    together = (positives + negatives) / 2 - 1
    pairs = positives * negatives
    return np.asarray(pairs / (1 + together * ((1 - area) / (2 - area) + area / (1 + area))))


class _Areas:
    """Areas of one kind, one a class."""

    def __init__(
        self, observed: Floats, left_out: Floats, freedom: Floats, most: Floats, level: float, biased: bool
    ) -> None:
        n = len(left_out)
        self.observed = observed
        self.level = level
        self.freedom = freedom
        self.value = without_bias(observed, left_out) if biased else observed
        widening = OF_CORRECTION if biased else 1.0
        self.deviations = (left_out - left_out.mean(axis=0)) * np.sqrt(widening * (n - 1) / n)
        variance = (self.deviations**2).sum(axis=0)
        spread = self.value * (1 - self.value)
        usable = (variance > 0) & (spread > 0)
        by_jackknife = np.where(usable, spread / np.where(usable, variance, 1.0), np.inf)
        self.worth = np.minimum(by_jackknife, most)
        self.variance = np.maximum(variance, spread / self.worth)
        ends = [_wilson(*each, level) for each in zip(self.value, self.worth, freedom, strict=True)]
        self.low, self.high = np.array(ends).T

    def of(self, k: int) -> tuple[float, float]:
        """Ends for one class."""
        return _around(self.observed[k], self.low[k], self.high[k])

    def of_mean(self) -> tuple[float, float]:
        """Ends for the mean over the classes."""
        n = self.value.size
        mean = float(self.value.mean())
        norms = np.sqrt((self.deviations**2).sum(axis=0))
        scaled = self.deviations / np.where(norms > 0, norms, 1.0)
        related = scaled.T @ scaled
        np.fill_diagonal(related, 1.0)

        def of_sum(parts: Floats) -> float:
            return float(parts @ related @ parts) / n**2

        variance = of_sum(np.sqrt(self.variance))
        together = self.variance.sum()
        below, above = (np.sqrt(max(of_sum(part), 0.0)) for part in (self.value - self.low, self.high - self.value))
        if not variance > 0 or n == 2:  # of two classes one area is nearly the other's, or one of them is rare
            return _around(self.observed.mean(), mean - below, mean + above)
        freedom = together**2 / (self.variance**2 / self.freedom).sum()
        low, high = _wilson(mean, mean * (1 - mean) / variance, freedom, self.level)
        one = float((self.variance**2).sum() / together**2)  # 1: one class has it all; 1/K: each has its share
        return _around(
            self.observed.mean(), one * (mean - below) + (1 - one) * low, one * (mean + above) + (1 - one) * high
        )


def _wilson(share: float, worth: float, freedom: float, level: float) -> tuple[float, float]:
    """Wilson's interval with Student's quantile, and above with all that may be missed where nothing is missed below.

    Of an area θ near 1 no area that may be observed is too large: 1 is fewer than t spreads away, where (1 - θ)/θ is
    less than t²/n*. Then the areas that are too small may have both tails.
    """
    low, high = _two_tailed(share, worth, freedom, level)
    quantile = _quantile(freedom, level)
    reach = worth * (1 - high) / max(high, 1e-12) / quantile**2
    alone = min(max(2 * (1 - reach), 0.0), 1.0)
    with_both = max(1 - 2 * OF_BOTH_TAILS * (1 - level), 0.01)
    return low, high + alone * (_two_tailed(share, worth, freedom, with_both)[1] - high)


def _two_tailed(share: float, worth: float, freedom: float, level: float) -> tuple[float, float]:
    """Wilson's interval with Student's quantile: that of the normal quantile's level which is as large."""
    from scipy.special import ndtr

    return wilson_interval(share * worth, worth, float(2 * ndtr(_quantile(freedom, level)) - 1))


def _quantile(freedom: float, level: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(max(freedom, 1.0), 0.5 + level / 2))


def _around(value: float, low: float, high: float) -> tuple[float, float]:
    return max(0.0, min(float(low), float(value))), min(1.0, max(float(high), float(value)))
