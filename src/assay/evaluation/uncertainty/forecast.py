"""How many examples of a class are likely to be needed, from what was found with fewer.

A model is trained with growing numbers n of examples of the class, and asked about texts that it has not seen. Two
curves are laid through the shares p(n) that it found, both straight against log n and fitted by weighted least squares:

- the odds grow as a power, log p/(1 − p) = a + b log n: quick where little has been found yet. Weights are how well
  each point is known;
- the error falls as a power, log(1 − p) = a − b log n: slow there. Weights are the n, for it is to go on from the last.

Which of them holds cannot be told from four points, and each point is known roughly: so the points are drawn again many
times, each draw has both curves, and a *range* is said, from the tenth to the ninetieth hundredth of what they ask for.
Nothing is said where the curves do not surely rise, and no end of a range beyond what was looked at by far.

References
----------
Cortes et al. (1993), Learning curves: asymptotic values and rate of convergence; Figueroa et al. (2012), Predicting
sample size required for classification performance, for the weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Forecast", "forecast_examples"]

Floats = NDArray[np.float64]

DRAWS = 2000
TAIL = 0.1  # of the draws, left out at each end
FARTHEST = 30.0  # times the examples there were: beyond, no number is said
FEWEST_HITS, FEWEST_POINTS = 5, 4  # three points, the first by two examples, are noise
SPREAD = 2.0  # a point varies more than its texts tell: it is also of one sample of training texts
RISING = 0.9  # of the draws, to say that more examples help


@dataclass(frozen=True)
class Forecast:
    """What may be said.

    Attributes
    ----------
    goal
        Share of the class's texts that is to be found.
    low, high
        Examples, in all, with which that is likely to be reached; infinite where that is farther than can be said, and
        both None where nothing can be said.
    reason
        Why nothing can be said: ``"few"`` or ``"flat"``; else None.
    """

    goal: float
    low: float | None = None
    high: float | None = None
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """As plain values, an infinite number as text."""
        numbers = {"goal": self.goal, "low": self.low, "high": self.high}
        return {name: "inf" if value == np.inf else value for name, value in numbers.items()} | {"reason": self.reason}

    @classmethod
    def told(cls, values: Mapping[str, Any]) -> Forecast | None:
        """The inverse, for values of unknown origin; None where they are not of this form."""
        numbers = [np.inf if values.get(name) == "inf" else values.get(name) for name in ("goal", "low", "high")]
        if not all(isinstance(number, float) and number > 0 for number in numbers if number is not None):
            return None
        goal, low, high = numbers
        reason = values.get("reason")
        if goal is None or not (goal < 1 and (low is None) == (high is None) == (reason in ("few", "flat"))):
            return None
        return None if low is not None and high is not None and low > high else cls(goal, low, high, reason)


def forecast_examples(
    examples: Sequence[float], hits: Sequence[int], documents: int, goal: float, seed: int = 0
) -> Forecast:
    """The range of examples with which `goal` of a class's texts are likely to be found.

    Parameters
    ----------
    examples
        Of the class, trained on; growing.
    hits
        Texts of the class that were found with so many.
    documents
        Texts of the class that there are: all of them were asked about, by models that had not seen them.
    goal
        Share to be found.
    seed
        Of the draws.

    Examples
    --------
    >>> found = forecast_examples([10, 20, 40, 80], [10, 18, 32, 52], 200, goal=0.5)
    >>> 100 < found.low < 240 < found.high
    True
    >>> forecast_examples([2, 4, 8, 16], [0, 0, 1, 0], 20, goal=0.5).reason
    'few'
    """
    n, h = np.asarray(examples, dtype=np.float64), np.asarray(hits, dtype=np.float64)
    if n.size < FEWEST_POINTS or h[-1] < FEWEST_HITS:
        return Forecast(goal, reason="few")
    random = np.random.default_rng(seed)
    shares = random.beta(h / SPREAD + 0.5, (documents - h) / SPREAD + 0.5, size=(DRAWS, n.size))
    shares = np.clip(shares, 0.5 / (documents + 1), 1 - 0.5 / (documents + 1))
    known = (h + 0.5) / (documents + 1)  # weights are those of the points, not of a draw
    odds = _line(np.log(n), np.log(shares / (1 - shares)), known * (1 - known))
    # Few errors are missing with few examples, where this curve is too flat: the nearest points tell how it goes on.
    error = _line(np.log(n), -np.log(1 - shares), n)
    if np.mean(odds[1] > 0) < RISING:
        return Forecast(goal, reason="flat")
    asked = np.concatenate([_reached(*odds, np.log(goal / (1 - goal))), _reached(*error, -np.log(1 - goal))])
    low, high = np.quantile(asked, [TAIL, 1 - TAIL], method="nearest")
    # It has not been reached with as many as there are, and nobody knows what comes far beyond.
    ends = [max(float(end), float(documents)) for end in (low, high)]
    low, high = (end if end <= FARTHEST * documents else float("inf") for end in ends)
    return Forecast(goal, low, high)


def _line(x: Floats, y: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Level and slope of the weighted straight line through each row of y."""
    share = weights / weights.sum()
    centered = x - share @ x
    slope = (y * share) @ centered / (share @ centered**2)
    return y @ share - slope * (share @ x), slope


def _reached(level: Floats, slope: Floats, goal: float) -> Floats:
    """Where each line reaches the goal; infinite where it does not rise."""
    rises = slope > 1e-9
    exponent = np.where(rises, (goal - level) / np.where(rises, slope, 1.0), np.inf)
    return np.exp(np.minimum(exponent, 700.0))
