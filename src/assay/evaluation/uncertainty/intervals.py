"""Intervals: Wilson's and the exact one for proportions, percentile and BCa, and Nadeau and Bengio's for folds."""

from __future__ import annotations

from math import nan, sqrt

import numpy as np
from numpy.typing import NDArray

from assay.arguments import in_our_words
from assay.errors import ParameterError
from assay.evaluation.parameters import is_number
from assay.wording import parameter

__all__ = [
    "bca_interval",
    "corrected_t_interval",
    "exact_interval",
    "percentile_interval",
    "widening_of_few",
    "wilson_interval",
]

Floats = NDArray[np.float64]


def check_level(level: float) -> float:
    """Complain about anything but a proportion strictly between 0 and 1."""
    if not (is_number(level) and 0.0 < level < 1.0):
        raise ParameterError(f"{parameter('level')} must be between 0 and 1, such as 0.95. Got {level!r} instead.")
    return float(level)


@in_our_words
def wilson_interval(successes: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Score interval of a proportion, which stays within [0, 1] and is good for small n.

    (p̂ + z²/2n ± z √(p̂(1 - p̂)/n + z²/4n²)) / (1 + z²/n) with z the normal quantile of (1 + level)/2.

    Examples
    --------
    >>> low, high = wilson_interval(3, 5)
    >>> round(low, 4), round(high, 4)
    (0.2307, 0.8824)

    References
    ----------
    Wilson (1927).
    """
    from scipy.special import ndtri

    if n <= 0:
        return nan, nan
    z = float(ndtri(0.5 + check_level(level) / 2))
    p = successes / n
    scale = 1 + z * z / n
    centre = (p + z * z / (2 * n)) / scale
    half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / scale
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return low, high


@in_our_words
def exact_interval(successes: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Interval of a proportion that covers at least as often as it says, whatever n is.

    Wilson's covers as often on average; of two or three documents that average hides proportions of which it misses
    every tenth.

    Examples
    --------
    >>> low, high = exact_interval(3, 3)
    >>> round(low, 4), high
    (0.2924, 1.0)

    References
    ----------
    Clopper & Pearson (1934).
    """
    from scipy.special import betaincinv

    if n <= 0:
        return nan, nan
    tail = (1 - check_level(level)) / 2
    low = 0.0 if successes <= 0 else float(betaincinv(successes, n - successes + 1, tail))
    high = 1.0 if successes >= n else float(betaincinv(successes + 1, n - successes, 1 - tail))
    return low, high


def percentile_interval(samples: Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    """Bootstrap interval between the (1 ∓ level)/2 quantiles of the resampled values.

    Parameters
    ----------
    samples
        Resampled values, shape (n_resamples, n_metrics). Undefined ones (NaN) are left out of their column.
    level
        Coverage.

    Returns
    -------
    The lower and the upper ends, one for each metric.
    """
    tail = (1 - check_level(level)) / 2
    columns = [_sorted_defined(column) for column in samples.T]
    ends = np.array([_quantiles(column, np.array([tail, 1 - tail])) for column in columns])
    return ends[:, 0], ends[:, 1]


def bca_interval(samples: Floats, observed: Floats, acceleration: Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    """Bias-corrected and accelerated bootstrap interval.

    The quantiles taken are Φ(z₀ + (z₀ + z)/(1 - a(z₀ + z))), with z₀ from the share of resampled values below
    the observed one (ties count half) and a the acceleration. Where z₀ is infinite, because every resample
    lies on one side, the percentile interval stands in.

    Parameters
    ----------
    samples
        Resampled values, shape (n_resamples, n_metrics).
    observed
        The metrics on the documents as they are.
    acceleration
        From the jackknife: Σ(θ̄ - θᵢ)³ / 6(Σ(θ̄ - θᵢ)²)^1.5.
    level
        Coverage.

    References
    ----------
    Efron (1987).
    """
    from scipy.special import ndtr, ndtri

    tail = (1 - check_level(level)) / 2
    z = ndtri(np.array([tail, 1 - tail]))
    ends = np.full((samples.shape[1], 2), nan)
    for m, column in enumerate(samples.T):
        ordered = _sorted_defined(column)
        if ordered.size == 0 or np.isnan(observed[m]):
            continue
        below = np.searchsorted(ordered, observed[m], "left") + np.searchsorted(ordered, observed[m], "right")
        bias = ndtri(below / (2 * ordered.size))
        shares = np.array([tail, 1 - tail])
        if np.isfinite(bias):
            shares = ndtr(bias + (bias + z) / (1 - acceleration[m] * (bias + z)))
        ends[m] = _quantiles(ordered, shares)
    return ends[:, 0], ends[:, 1]


def acceleration(left_out: Floats, weights: Floats) -> Floats:
    """BCa's a from jackknife values, row i standing for weights[i] documents; 0 where nothing varies."""
    usable = np.where(np.isnan(left_out), 0.0, weights[:, None])
    values = np.nan_to_num(left_out)
    total = np.maximum(usable.sum(axis=0), 1.0)
    deviations = (usable * values).sum(axis=0) / total - values
    cubes = (usable * deviations**3).sum(axis=0)
    squares = (usable * deviations**2).sum(axis=0)
    varies = squares > 1e-30
    return np.where(varies, cubes / (6 * np.where(varies, squares, 1.0) ** 1.5), 0.0)


@in_our_words
def corrected_t_interval(scores: Floats, test_share: float, level: float = 0.95) -> tuple[float, float]:
    """Interval of the mean score of folds whose training sets overlap.

    mean ± t_{k-1} √((1/k + n_test/n_train) s²): the second term stands for the dependence between folds,
    which the usual standard error leaves out.

    Parameters
    ----------
    scores
        One score a fold, over all repeats.
    test_share
        Documents tested in a fold over documents trained on, n_test/n_train: 1/9 for ten folds.
    level
        Coverage.

    References
    ----------
    Nadeau & Bengio (2003); Bouckaert & Frank (2004) for repeated cross-validation.
    """
    from scipy.special import stdtrit

    k = scores.size
    if k < 2 or np.isnan(scores).any():
        return nan, nan
    half = stdtrit(k - 1, 0.5 + check_level(level) / 2) * sqrt((1 / k + test_share) * scores.var(ddof=1))
    return float(scores.mean() - half), float(scores.mean() + half)


def widening_of_few(n: int) -> float:
    """What a spread that was found from n documents is multiplied by, to be taken for known: √(n/(n - 1)) · t/z.

    t and z are Student's and the normal quantile of .975. Resamples of n documents vary by n - 1 of n parts only.

    Examples
    --------
    >>> [round(widening_of_few(n), 3) for n in (10, 50, 1000)]
    [1.217, 1.036, 1.002]
    """
    from scipy.special import ndtri, stdtrit

    n = max(n, 2)
    return float(sqrt(n / (n - 1)) * stdtrit(n - 1, 0.975) / ndtri(0.975))


def _sorted_defined(column: Floats) -> Floats:
    ordered = np.sort(column)  # NaN comes last
    return ordered[: np.count_nonzero(~np.isnan(ordered))]


def _quantiles(ordered: Floats, shares: Floats) -> Floats:
    """Linear interpolation between order statistics, as numpy's default."""
    if ordered.size == 0:
        return np.full(shares.size, nan)
    positions = shares * (ordered.size - 1)
    below = np.floor(positions).astype(np.int64)
    above = np.minimum(below + 1, ordered.size - 1)
    return ordered[below] + (positions - below) * (ordered[above] - ordered[below])
