"""Shares of texts, and differences between them."""

from __future__ import annotations

from math import nan, sqrt

import numpy as np

from assay.evaluation.uncertainty.estimate import Estimate
from assay.evaluation.uncertainty.intervals import wilson_interval

__all__ = ["fisher_p_value", "newcombe", "share"]


def share(successes: int, n: int, level: float) -> Estimate:
    """A share with Wilson's interval."""
    if n == 0:
        return Estimate(nan, reason="there are no such texts")
    return Estimate(successes / n, *wilson_interval(successes, n, level), "wilson")


def newcombe(first: Estimate, second: Estimate) -> Estimate:
    """Difference of two shares, with the interval that their Wilson intervals give.

    Examples
    --------
    >>> print(newcombe(share(56, 70, 0.95), share(48, 80, 0.95)))
    0.200 [0.052, 0.334]

    References
    ----------
    Newcombe (1998), method 10.
    """
    lead = first.value - second.value
    below = sqrt((first.value - first.low) ** 2 + (second.high - second.value) ** 2)
    above = sqrt((first.high - first.value) ** 2 + (second.value - second.low) ** 2)
    return Estimate(lead, lead - below, lead + above, "newcombe")


def fisher_p_value(x: int, n: int, y: int, m: int) -> float:
    """Fisher's exact test that x of n and y of m are shares of the same size."""
    from scipy.stats import fisher_exact

    return float(fisher_exact(np.array([[x, n - x], [y, m - y]])).pvalue)
