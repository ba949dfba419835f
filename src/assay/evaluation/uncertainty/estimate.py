"""A measured number together with how far it can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan

__all__ = ["Estimate"]


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
        Why there is no value or, where there is one, no interval.

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


def number(value: float) -> float | None:
    """JSON has no NaN: None stands for it."""
    return None if isnan(value) else float(value)
