"""Intervals of metrics that are shares of documents, or made of such shares as F of one class is."""

from __future__ import annotations

from math import hypot

from assay.evaluation.uncertainty.estimate import Estimate
from assay.evaluation.uncertainty.intervals import exact_interval, wilson_interval

__all__ = ["f_interval", "share_interval", "share_method"]

FEW = 5  # documents of which a share has the exact interval


def share_method(n: float) -> str:
    """Which interval a share of so many documents has."""
    return "exact" if n < FEW else "wilson"


def share_interval(successes: float, n: float, level: float) -> tuple[float, float]:
    """Wilson's interval, and the exact one of few documents."""
    return (exact_interval if n < FEW else wilson_interval)(successes, n, level)


def f_interval(hits: float, misses: float, false_alarms: float, beta: float, level: float) -> Estimate | None:
    """F of one class, from two shares; None where there is no document.

    With p the hits' share of the documents that are of the class or were called so, and r the misses' share of the
    mistakes among these, F = p/(p + c(1 - p)) with c = (β²r + 1 - r)/(1 + β²). It rises with p and moves one way with
    r, so its interval is made of theirs; for β = 1, c is 1/2 and F that of p alone.

    Examples
    --------
    >>> print(f_interval(12, 3, 5, 2.0, 0.95))
    0.779 [0.575, 0.898]

    References
    ----------
    Zou & Donner (2008), intervals of functions of several parameters from those of each (MOVER).
    """
    n, mistakes = hits + misses + false_alarms, misses + false_alarms
    if n <= 0:
        return None
    own, (low, high) = hits / n, share_interval(hits, n, level)
    r, ends = 0.5, (0.0, 1.0)
    if mistakes > 0:
        r, ends = misses / mistakes, share_interval(misses, mistakes, level)
    costs = sorted(_cost(end, beta) for end in ends)
    value, at_low, at_high = (_f(p, _cost(r, beta)) for p in (own, low, high))
    # the other share at the end of the first: where there is no mistake F is 1, whatever mistakes would have been
    below = hypot(value - at_low, at_low - _f(low, costs[1]))
    above = hypot(at_high - value, _f(high, costs[0]) - at_high)
    return Estimate(value, max(0.0, value - below), min(1.0, value + above), share_method(n))


def _cost(misses: float, beta: float) -> float:
    """What a mistake takes off F, in hits, where this is the share of misses."""
    return (beta**2 * misses + 1 - misses) / (1 + beta**2)


def _f(p: float, cost: float) -> float:
    return p / (p + cost * (1 - p)) if p > 0 else 0.0
