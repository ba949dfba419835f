"""How many more texts a model is likely to get right with more labels, from what it got right with fewer.

Models were trained with growing numbers n of labels, and each was asked about the same texts, which none has seen.
Errors fall as a power of n: log e(n) = a − b log n. What is not known of that is drawn many times, and a range is said:

- which texts were asked: they are weighted anew in every draw (Bayesian bootstrap). All sizes have the same texts, so
  that luck with them moves the curve as a whole;
- the slope b: its least squares estimate from the points, the last of which weigh most, is drawn towards what slopes
  are like elsewhere, and drawn from the normal distribution that comes of both;
- no curve is a straight line: the slope of what is to come is drawn around that so far;
- that another sample of labels would have given another model: each point, and what is to come, varies besides.

Slopes cannot fall below 0: on average, labels do no harm.

References
----------
Cortes et al. (1993), Learning curves: asymptotic values and rate of convergence; Rubin (1981), The Bayesian bootstrap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["FEWEST_SIZES", "FEWEST_TEXTS", "ScoreForecast", "forecast_score"]

Floats = NDArray[np.float64]

DRAWS = 4000
FEWEST_TEXTS, FEWEST_SIZES = 30, 3
# What slopes of log errors over log labels are like, and how much a point varies with the sample of labels: found on
# three data sets, and checked on seven others (benchmarks/labels_bought.py, decision 0077).
SLOPE, SLOPE_SPREAD = 0.3, 0.3
POINT_SPREAD = 0.08
SLOPE_CHANGE = 0.2  # how much the slope of what is to come differs from that so far


@dataclass(frozen=True)
class ScoreForecast:
    """What is likely with more labels.

    Attributes
    ----------
    more
        Labels beside those there are.
    value, low, high
        The share of texts that a model is likely to get right then: the median of the draws, and their range.
    gain, gain_low, gain_high
        How much that is above the share of now.
    """

    more: int
    value: float
    low: float
    high: float
    gain: float
    gain_low: float
    gain_high: float


def forecast_score(
    sizes: Sequence[int],
    right: NDArray[np.bool_],
    more: Sequence[int] = (100, 1000),
    *,
    level: float = 0.9,
    seed: int = 0,
) -> list[ScoreForecast]:
    """The share of texts that a model gets right with more labels, each with its range.

    Parameters
    ----------
    sizes
        Labels that models were trained with, growing; three at least.
    right
        (n_sizes, n_texts): whether each model is right about each text; thirty at least.
    more
        Labels beside the last size.
    level
        How often a range is to hold.
    seed
        Of the draws.

    Examples
    --------
    >>> texts = np.random.default_rng(0).random(200)
    >>> sizes = [50, 100, 200, 400]
    >>> right = np.array([texts > n**-0.35 for n in sizes])
    >>> [soon, later] = forecast_score(sizes, right)
    >>> soon.low < 1 - 500**-0.35 < soon.high, later.low < 1 - 1400**-0.35 < later.high, later.gain > soon.gain
    (True, True, True)
    """
    n = np.asarray(sizes, np.float64)
    n_texts = right.shape[1]
    if n.size < FEWEST_SIZES or n_texts < FEWEST_TEXTS:
        raise ValueError(f"{n.size} sizes and {n_texts} texts tell too little")
    random = np.random.default_rng(seed)
    # Rows that are alike count as one cell with a weight: few patterns of right and wrong come up.
    patterns, counts = np.unique(right.T, axis=0, return_counts=True)
    weights = random.gamma(counts, size=(DRAWS, len(counts)))
    errors = (weights @ ~patterns + random.gamma(0.5, size=(DRAWS, 1))) / (weights.sum(axis=1, keepdims=True) + 1)
    x, y = np.log(n), np.log(errors)
    share = n / n.sum()
    centered = x - share @ x
    spread = share @ centered**2
    found = -(y * share) @ centered / spread
    noise = POINT_SPREAD * np.sqrt(share**2 @ centered**2) / spread
    trust = SLOPE_SPREAD**2 / (SLOPE_SPREAD**2 + noise**2)
    slope = trust * found + (1 - trust) * SLOPE + np.sqrt(trust) * noise * random.standard_normal(DRAWS)
    slope = np.maximum(slope, 0.0)
    # Where the line stands at the last size: by all points, drawn along the slope to it.
    level_now = y @ share - slope * (x[-1] - share @ x)
    level_now += POINT_SPREAD * np.sqrt(share @ share) * random.standard_normal(DRAWS)
    now = np.minimum(np.exp(level_now), 1.0)
    ahead = np.maximum(slope + SLOPE_CHANGE * random.standard_normal(DRAWS), 0.0)
    own = POINT_SPREAD * random.standard_normal(DRAWS)
    tails = [(1 - level) / 2, 0.5, (1 + level) / 2]
    told = []
    for further in more:
        factor = ((n[-1] + further) / n[-1]) ** -ahead
        low, value, high = np.quantile(1 - np.minimum(now * factor * np.exp(own), 1.0), tails).tolist()
        gains = np.quantile(now * (1 - factor), tails).tolist()
        told.append(ScoreForecast(int(further), value, low, high, gains[1], gains[0], gains[2]))
    return told
