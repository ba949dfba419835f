"""How many more examples are likely to be needed, in words."""

from __future__ import annotations

import numpy as np

from assay.evaluation.presenting.percentages import percent
from assay.evaluation.uncertainty.forecast import FARTHEST, Forecast

__all__ = ["forecast_sentence"]


def forecast_sentence(forecast: Forecast) -> str:
    """What a forecast says, with the numbers as roughly as they are known.

    Examples
    --------
    >>> print(forecast_sentence(Forecast(0.5, 118.0, 1234.0)))
    By how that grew so far, half of them are likely found with 120 to 1,200 in all, if the other classes grow too.
    """
    goal = "half of them" if forecast.goal == 0.5 else f"{percent(forecast.goal)} of them"
    unknown = f"How many are needed to find {goal} cannot be said"
    if forecast.reason == "few":
        return f"{unknown}: there are too few to see how what is found grows with them."
    if forecast.low is None or forecast.high is None:
        return f"{unknown}: with more of them it did not surely find more. Clearer examples may help, or other labels."
    if np.isinf(forecast.low):
        return f"To find {goal}, likely more than {FARTHEST:.0f} times as many are needed."
    low, high = _rounded(forecast.low), _rounded(forecast.high) if np.isfinite(forecast.high) else None
    some = f"{low:,} or far more" if high is None else f"{low:,} to {high:,}" if high > low else f"about {low:,}"
    return f"By how that grew so far, {goal} are likely found with {some} in all, if the other classes grow too."


def _rounded(number: float) -> int:
    """To two digits: more would pretend to be known."""
    digits = max(0, int(np.floor(np.log10(max(number, 1.0)))) - 1)
    return int(round(number, -digits))
