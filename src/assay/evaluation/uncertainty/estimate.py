"""A measured number together with how far it can be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan, nan

__all__ = ["Estimate", "notes_on_intervals"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its interval, or the reason why there is no value.

    Attributes
    ----------
    value
        NaN where the metric is 0/0.
    low, high
        Ends of the interval; NaN where there is none.
    method
        How the interval was made: ``"wilson"``, ``"exact"``, ``"posterior"``, ``"jackknife"``, ``"bca"``,
        ``"percentile"``, ``"inverted test"``, ``"of both intervals"`` of a difference, ``"corrected t"``, one of
        these followed by ``", corrected"`` for all answers of a cross-validation, or ``""``.
    reason
        Why there is no value or, where there is one, no interval; or why the interval is cautious: it holds the true
        value at least as often as its level says.

    Examples
    --------
    >>> print(Estimate(0.75, 0.61, 0.86, "wilson"))
    0.750 [0.610, 0.860]
    >>> print(Estimate(float("nan"), reason="'spam' was never predicted"))
    undefined ('spam' was never predicted)
    """

    value: float
    low: float = nan
    high: float = nan
    method: str = ""
    reason: str = ""

    @property
    def defined(self) -> bool:
        """Whether there is a value."""
        return not isnan(self.value)

    @property
    def cautious(self) -> bool:
        """Whether there is an interval, and it is wider than need be; `reason` has why."""
        return not isnan(self.low) and bool(self.reason)

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends of the interval."""
        return self.low, self.high

    def to_dict(self) -> dict[str, float | str | None]:
        """JSON-ready: ``value``, ``low``, ``high`` (None where undefined), ``method`` and ``reason``."""
        return {
            "value": number(self.value),
            "low": number(self.low),
            "high": number(self.high),
            "method": self.method,
            "reason": self.reason,
        }

    def __float__(self) -> float:
        return self.value

    def cell(self, decimals: int = 3) -> str:
        """What stands in a table: ``0.912 [0.894, 0.928]``, or ``undefined``."""
        if not self.defined:
            return "undefined"
        value = f"{self.value:.{decimals}f}"
        return value if isnan(self.low) else f"{value} [{self.low:.{decimals}f}, {self.high:.{decimals}f}]"

    def __str__(self) -> str:
        return f"undefined ({self.reason})" if not self.defined and self.reason else self.cell()


def notes_on_intervals(metrics: Mapping[str, Estimate]) -> list[str]:
    """Which metrics have no interval and which a cautious one, once for each reason.

    Examples
    --------
    >>> metrics = {"f1": Estimate(0.8, 0.3, 1.0, "exact", "few"), "kappa": Estimate(0.4, reason="fewer")}
    >>> notes_on_intervals(metrics)[1]
    'The interval of f1 is cautious, and holds the true value at least as often as said: few.'
    """
    without: dict[str, list[str]] = {}
    cautious: dict[str, list[str]] = {}
    for name, estimate in metrics.items():
        if estimate.defined and estimate.reason:
            (cautious if estimate.cautious else without).setdefault(estimate.reason, []).append(name)
    notes = [f"There is no interval of {', '.join(names)}: {reason}." for reason, names in without.items()]
    for reason, names in cautious.items():
        intervals = f"The interval of {names[0]} is" if len(names) == 1 else f"The intervals of {', '.join(names)} are"
        verb = "holds" if len(names) == 1 else "hold"
        notes.append(f"{intervals} cautious, and {verb} the true value at least as often as said: {reason}.")
    return notes


def number(value: float) -> float | None:
    """JSON has no NaN: None stands for it."""
    return None if isnan(value) else float(value)
