"""Numbers for the sentences of a verdict."""

from __future__ import annotations

from collections.abc import Sequence

from assay.evaluation.estimate import Estimate

__all__ = ["half_width", "names_text", "p_text", "signed", "value_text"]


def signed(estimate: Estimate) -> str:
    """A difference with its interval, signs and all."""
    if not estimate.defined:
        return "undefined"
    return f"{estimate.value:+.3f} [{estimate.low:+.3f}, {estimate.high:+.3f}]"


def value_text(estimate: Estimate) -> str:
    """A value with its interval."""
    return f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"


def half_width(estimate: Estimate) -> float:
    """Half of the interval."""
    return (estimate.high - estimate.low) / 2


def p_text(value: float) -> str:
    """``= 0.0123`` or ``< 0.0001``."""
    return "< 0.0001" if value < 0.0001 else f"= {value:.4f}"


def names_text(items: Sequence[str], limit: int = 6) -> str:
    """The first of a list, and how many more."""
    more = f" and {len(items) - limit} more" if len(items) > limit else ""
    return ", ".join(items[:limit]) + more
