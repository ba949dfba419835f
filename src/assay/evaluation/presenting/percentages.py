"""Shares as percentages that a reader can take at their word."""

from __future__ import annotations

from math import isnan

from assay.evaluation.uncertainty.estimate import Estimate

__all__ = ["percent", "percents"]


def percent(value: float, digits: int = 0) -> str:
    """A share, as a percentage that never says 100% or 0% of what is not.

    Examples
    --------
    >>> percent(0.8273), percent(0.9996), percent(1.0), percent(0.0004, 1)
    ('83%', '>99%', '100%', '<0.1%')
    """
    if isnan(value):
        return "–"
    shown = f"{100 * value:.{digits}f}"
    step = 10.0**-digits
    if value < 1 and float(shown) >= 100:
        return f">{100 - step:g}%"
    if value > 0 and float(shown) <= 0:
        return f"<{step:g}%"
    return f"{shown}%"


def percents(estimate: Estimate, digits: int = 0) -> str:
    """From … to …, in percent."""
    return f"{percent(estimate.low, digits)} to {percent(estimate.high, digits)}"
