"""The interval of the expected calibration error, which chance makes too large and which cannot be below 0.

The error is a sum of absolute gaps, and chance alone makes every gap larger: a perfectly calibrated model has an error
above 0 on any sample, and its resamples are above that again. Their percentiles would hardly ever hold the true value.

Instead errors are tried: all gaps as observed, times λ. The interval has those errors of which the observed one is
neither among the largest nor among the smallest that chance makes of them. Beside an error near 0 no observation is too
small, and all of what may be missed is spent on those that are too large (Feldman and Cousins' tails).
"""

from __future__ import annotations

import numpy as np

from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.uncertainty.intervals import Floats
from assay.evaluation.uncertainty.resampling import CALIBRATION_BINS, calibration_gaps

__all__ = ["calibration_interval"]

DRAWS = 2000
HALVINGS = 10  # of the range of λ
MOST = 64.0  # λ at most; gaps reach 0 and 1 long before
# The gaps' own pattern is taken from the sample: of the share that may be missed so much is kept for what that costs.
OF_TAILS = 0.8


def calibration_interval(outcomes: Outcomes, level: float, seed: int) -> tuple[float, float]:
    """Ends of the interval of the expected calibration error.

    Parameters
    ----------
    outcomes
        Of one system, with probabilities.
    level
        Coverage.
    seed
        Of the draws of what chance gives.

    References
    ----------
    Feldman & Cousins (1998), intervals beside a bound; Bröcker & Smith (2007), consistency resampling.
    """
    tried = _Tried(outcomes, seed)
    observed = tried.observed
    miss = OF_TAILS * (1 - level)

    def too_small(scale: float) -> bool:  # an error of which the observed one would be too large
        error, draws = tried.of(scale, tried.surer)
        return float(np.mean(draws >= observed)) <= _upper_tail(error, draws, miss)

    def too_large(scale: float) -> bool:
        error, draws = tried.of(scale, tried.gaps)
        return float(np.mean(draws <= observed)) <= miss - _upper_tail(error, draws, miss)

    low = 0.0
    if too_small(0.0):
        inside, outside = 1.0, 0.0
        for _ in range(HALVINGS):
            middle = (inside + outside) / 2
            inside, outside = (inside, middle) if too_small(middle) else (middle, outside)
        low = tried.of(inside, tried.surer)[0]
    inside, outside = 0.0, 1.0
    while outside < MOST and not too_large(outside):
        inside, outside = outside, 2 * outside
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if too_large(middle) else (middle, outside)
    high = tried.of(inside, tried.gaps)[0]
    return min(low, observed), min(1.0, max(high, observed))


class _Tried:
    """Errors where every bin's gap is the observed one times λ, and what chance makes of them."""

    def __init__(self, outcomes: Outcomes, seed: int) -> None:
        gaps, bins = calibration_gaps(outcomes)
        counts = np.bincount(bins, minlength=CALIBRATION_BINS)
        used = counts > 0
        self.n = gaps.size
        self.counts = counts[used]
        self.gaps = np.bincount(bins, gaps, minlength=CALIBRATION_BINS)[used] / self.counts
        said = np.bincount(bins, outcomes.correct - gaps, minlength=CALIBRATION_BINS)[used] / self.counts
        self.said = np.clip(said, 0.0, 1.0)
        self.observed = float(np.abs(self.gaps) @ self.counts) / self.n
        # Where a gap is no larger than chance makes it there may be none, and chance adds most where there is none.
        by_chance = self.said * (1 - self.said) / self.counts
        kept = np.maximum(1 - by_chance / np.maximum(self.gaps**2, 1e-12), 0.0)
        self.surer = self.gaps * kept if kept.any() else self.gaps
        random = np.random.Generator(np.random.Philox(seed))
        self.within = random.normal(size=(DRAWS, self.counts.size))
        self.between = random.normal(size=DRAWS)

    def of(self, scale: float, gaps: Floats) -> tuple[float, Floats]:
        """The error with the gaps times so much, and what would be observed of it."""
        right = np.clip(self.said + scale * gaps, 0.0, 1.0)
        gaps = right - self.said
        shares = self.counts / self.n
        error = float(np.abs(gaps) @ shares)
        # A bin whose documents were all right, or all wrong, is not sure to be so: one more is as the model says.
        rate = (self.counts * right + self.said) / (self.counts + 1)
        noise = np.sqrt(rate * (1 - rate) / self.counts)
        # How many documents are in which bin is chance, too.
        mixture = np.sqrt(max(float(gaps**2 @ shares) - error**2, 0.0) / self.n)
        return error, np.asarray(np.abs(gaps + noise * self.within) @ shares + mixture * self.between)


def _upper_tail(error: float, draws: Floats, miss: float) -> float:
    """How much of what may be missed is spent on observations that are too large: half, and beside 0 all of it.

    Feldman and Cousins' order by likelihood ratio takes for the mean m of a normal with variance 1 that is at least 0
    the observations from m - (m² + d²)/2m to m + d; from m = d on they are m - d to m + d.
    """
    from scipy.special import ndtr, ndtri

    spread = float(draws.std())
    least, most = float(ndtri(1 - miss)), float(ndtri(1 - miss / 2))
    if spread <= 0 or error >= most * spread:
        return miss / 2
    if error <= 0:
        return miss
    m = error / spread
    for _ in range(30):
        d = (least + most) / 2
        enough = ndtr(d) - ndtr(-(m * m + d * d) / (2 * m)) >= 1 - miss
        least, most = (least, d) if enough else (d, most)
    return float(1 - ndtr(most))
