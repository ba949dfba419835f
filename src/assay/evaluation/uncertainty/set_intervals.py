"""Intervals of metrics of label sets: of what is shared by texts, and of means over labels.

A label's own precision, recall and F are shares of texts, and have the intervals of such shares. Two kinds are left.

*Shares of labels, and means over texts*: texts are drawn, not labels, and mistakes in one text come together. Micro-F1,
Hamming loss or p@k lie between 0 and 1 with a variance that each text's own part in them tells; the interval is that of
Wilson for as many independent trials as would have this variance, with Student's quantile of so many texts.

*Means over labels*: a label of three texts without a mistake had none by chance. Each label's share is drawn from its
posterior, in which a hit and a mistake have half a text more (Jeffreys' prior), as the classes of
`assay.evaluation.uncertainty.posterior` are. Labels are drawn one by one; what they have in common, since they stand in
the same texts, is added to the variance from the texts.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from assay.evaluation.metrics.catalogue import MEASURES, LabelMetric
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.uncertainty.intervals import Floats
from assay.evaluation.uncertainty.resampling import Resampling
from assay.evaluation.uncertainty.set_resampling import label_variance, left_out

__all__ = ["interval_by_texts", "interval_over_labels"]

PRIOR = 0.5  # texts, of a hit and of a mistake


def interval_by_texts(value: float, without: Floats, level: float) -> tuple[float, float]:
    """Wilson's interval of as many independent trials as have the variance that the texts show.

    Parameters
    ----------
    value
        The metric, between 0 and 1.
    without
        The metric with each text left out (`left_out`).
    level
        Coverage.

    References
    ----------
    Korn & Graubard (1998), intervals of shares from samples of clusters.
    """
    moved = without.mean() - without
    variance = _variance(moved)
    if variance <= 0 or not 0 < value < 1:
        return value, value
    quantile = _quantile(moved, level, 4.0)
    trials = value * (1 - value) / variance
    square = quantile**2
    scale = 1 + square / trials
    centre = (value + square / (2 * trials)) / scale
    half = quantile * sqrt(value * (1 - value) / trials + square / (4 * trials**2)) / scale
    return max(0.0, centre - half), min(1.0, centre + half)


def _variance(moved: Floats) -> float:
    """The jackknife's, of what leaving out each text changes."""
    return (moved.size - 1) / moved.size * float((moved**2).sum())


def _quantile(moved: Floats, level: float, per_text: float = 2.0) -> float:
    """Student's, of as many texts as tell the variance: few that move a metric much tell less than as many alike."""
    from scipy.special import stdtrit

    n, most = moved.size, float(np.abs(moved).max())
    scaled = moved / most if most > 0 else np.ones(n)
    kurtosis = n * float((scaled**4).sum()) / float((scaled**2).sum()) ** 2
    return float(stdtrit(min(n - 1.0, max(1.0, per_text * n / max(kurtosis - 1, 1e-9))), 0.5 + level / 2))


def interval_over_labels(
    outcomes: SetOutcomes, metric: LabelMetric, value: float, plan: Resampling, level: float, undefined: float
) -> tuple[float, float]:
    """Interval of a macro average from draws of the labels' own shares.

    As in `posterior`: where one label has all the variance, the quantiles of the draws are the ends; where many share
    in it, the draws are moved to θ̂ - bias + κ₃/2κ₂ and spread to an unbiased variance; in between the ends are mixed.
    """
    from scipy.special import ndtri

    shares = _Shares(outcomes, metric, undefined)
    draws = shares.draw(plan)
    own = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    without = left_out(outcomes, metric, undefined)
    moved = without.mean() - without
    together = _variance(moved)
    by_label = shares.variances()
    spread, variance = float(draws.var()), float(by_label.sum())
    low, high = own
    if spread > 0 and variance > 0:
        one = float((by_label**2).sum()) / variance**2
        in_common = together - label_variance(outcomes, metric, undefined)
        spread_to = max(variance + in_common, together, spread)
        widening = sqrt(spread_to / spread) * _quantile(moved, level) / float(ndtri(0.5 + level / 2))
        skew = float((moved**3).sum()) / (2 * together) if together > 0 else 0.0
        bias = float(draws.mean()) - shares.at_centre()
        low, high = one * own + (1 - one) * (value - bias + skew + widening * (own - draws.mean()))
    return max(0.0, min(float(low), value)), min(1.0, max(float(high), value))


class _Shares:
    """Each label's hits and mistakes, and draws of what its metric may be."""

    def __init__(self, outcomes: SetOutcomes, metric: LabelMetric, undefined: float) -> None:
        counts = outcomes.counts
        self.metric = metric
        hits = counts.hits.astype(np.float64)
        missed, spurious = counts.documents - hits, counts.predicted - hits
        measure = metric.code[0]
        self.is_f = measure == MEASURES["f"]
        wrong = {MEASURES["recall"]: missed, MEASURES["precision"]: spurious}.get(measure, missed + spurious)
        used = hits + wrong > 0
        if not np.isnan(undefined):
            used = np.ones_like(used)
        self.hits, self.wrong = hits[used], wrong[used]
        self.missed, self.spurious = missed[used], spurious[used]

    @property
    def trials(self) -> Floats:
        return np.asarray(self.hits + self.wrong)

    def draw(self, plan: Resampling) -> Floats:
        """The average of each draw."""
        random = np.random.Generator(np.random.Philox(plan.seed))
        size = (plan.n_resamples, self.hits.size)
        share = random.beta(self.hits + PRIOR, self.wrong + PRIOR, size)
        missed = random.beta(self.missed + PRIOR, self.spurious + PRIOR, size)
        return np.asarray(self._metric(share, missed).mean(axis=1))

    def at_centre(self) -> float:
        """The average at the middle of the draws."""
        share = (self.hits + PRIOR) / (self.trials + 2 * PRIOR)
        missed = (self.missed + PRIOR) / (self.missed + self.spurious + 2 * PRIOR)
        return float(self._metric(share, missed).mean())

    def variances(self) -> Floats:
        """Each label's part of the variance, without the bias of few texts.

        Of few texts p(1 - p) is too small on average. A label's share is drawn to that of all labels by one text, and
        p(1 - p) of it is on average (1 - n/(n + 1)²) of what it should be.
        """
        trials = np.maximum(self.trials, 1.0)
        pooled = float((self.hits / trials).sum() + PRIOR) / (trials.size + 2 * PRIOR)
        share = (self.hits + pooled) / (trials + 1)
        of_share = share * (1 - share) / trials / (1 - trials / (trials + 1) ** 2)
        return np.asarray((self._slope(share) / trials.size) ** 2 * of_share)

    def _cost(self, missed: Floats) -> Floats:
        square = self.metric.beta**2
        return np.asarray((square * missed + 1 - missed) / (1 + square))

    def _metric(self, share: Floats, missed: Floats) -> Floats:
        """Precision and recall are shares; F = p/(p + c(1 - p)) as in `share_intervals.f_interval`."""
        return np.asarray(share / (share + self._cost(missed) * (1 - share))) if self.is_f else share

    def _slope(self, share: Floats) -> Floats:
        if not self.is_f:
            return np.ones_like(share)
        mistakes = np.maximum(self.missed + self.spurious, 1.0)
        cost = self._cost(np.where(self.missed + self.spurious > 0, self.missed / mistakes, 0.5))
        return np.asarray(cost / (share + cost * (1 - share)) ** 2)
