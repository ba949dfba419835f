"""Numbers for the sentences of a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from assay.evaluation.uncertainty.estimate import Estimate

__all__ = ["half_width", "names_text", "p_cell", "p_text", "signed", "value_text"]


def signed(estimate: Estimate) -> str:
    """A difference with its interval, signs and all."""
    if not estimate.defined:
        return "undefined"
    if isnan(estimate.low):
        return f"{estimate.value:+.3f}"
    return f"{estimate.value:+.3f} [{estimate.low:+.3f}, {estimate.high:+.3f}]"


def value_text(estimate: Estimate) -> str:
    """A value with its interval."""
    if isnan(estimate.low):
        return f"{estimate.value:.3f}"
    return f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"


def half_width(estimate: Estimate) -> float:
    """Half of the interval."""
    return (estimate.high - estimate.low) / 2


def p_text(value: float) -> str:
    """``= 0.0123`` or ``< 0.0001``."""
    return "< 0.0001" if value < 0.0001 else f"= {value:.4f}"


def p_cell(value: float) -> str:
    """A p-value for a table: ``0.0123``, ``<0.0001``, or nothing where there is none.

    Examples
    --------
    >>> p_cell(0.01234), p_cell(1e-9), p_cell(float("nan"))
    ('0.0123', '<0.0001', '')
    """
    return "" if isnan(value) else p_text(value).removeprefix("= ").replace("< ", "<")


def names_text(items: Sequence[str], limit: int = 6) -> str:
    """The first of a list, and how many more."""
    more = f" and {len(items) - limit} more" if len(items) > limit else ""
    return ", ".join(items[:limit]) + more
