"""Whether a setting is the kind of number that it must be."""

from __future__ import annotations

from math import isfinite
from numbers import Integral, Real
from typing import Any

__all__ = ["is_number", "is_whole"]


def is_whole(value: Any, least: int, below: int | None = None) -> bool:
    """Whether it is a whole number of at least `least`, and below `below` where that is given.

    Examples
    --------
    >>> is_whole(3, 1), is_whole(2.5, 1), is_whole(True, 1), is_whole("3", 1)
    (True, False, False, False)
    """
    if not isinstance(value, Integral) or isinstance(value, bool):
        return False
    number = int(value)
    return number >= least and (below is None or number < below)


def is_number(value: Any) -> bool:
    """Whether it is a finite number.

    Examples
    --------
    >>> is_number(0.5), is_number(float("nan")), is_number("0.5")
    (True, False, False)
    """
    return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)
