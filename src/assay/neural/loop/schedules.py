"""How the learning rate goes: up in the warm-up, then constant or down."""

from __future__ import annotations

import math

__all__ = ["SCHEDULES", "rate_factor"]

SCHEDULES = ("constant", "linear", "cosine")


def rate_factor(name: str, step: int, total: int, warm_up: float = 0.0) -> float:
    """Share of the full learning rate at a step.

    Parameters
    ----------
    name
        "constant"; "linear" falls to 0 in a straight line; "cosine" falls slowly, fast, and slowly again.
    step, total
        Updates made so far, and in all.
    warm_up
        Share of all updates in which the rate rises from 0 in a straight line.

    Examples
    --------
    >>> [round(rate_factor("linear", step, 10, warm_up=0.2), 3) for step in (0, 1, 2, 6, 9)]
    [0.5, 1.0, 1.0, 0.5, 0.125]
    >>> round(rate_factor("cosine", 5, 10), 3)
    0.5
    """
    warm = math.ceil(warm_up * total)
    if step < warm:
        return (step + 1) / warm
    if name == "constant" or total <= warm:
        return 1.0
    done = min(1.0, (step - warm) / (total - warm))
    return 1.0 - done if name == "linear" else 0.5 * (1.0 + math.cos(math.pi * done))
