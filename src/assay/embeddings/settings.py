"""Settings of what learns word vectors, checked in one sentence each."""

from __future__ import annotations

from math import isfinite
from numbers import Integral, Real
from typing import Any

from assay.errors import ParameterError
from assay.wording import parameter

__all__ = ["MOST_REACH", "check_number", "check_whole"]

MOST_REACH = 2**31 - 1
"""Of a window: more than any text has words."""


def check_whole(of: str, name: str, value: Any, *, least: int, most: int | None = None) -> None:
    """Complain unless the setting is a whole number from `least` to `most`."""
    usable = isinstance(value, Integral) and not isinstance(value, bool)
    if not usable or value < least or (most is not None and value > most):
        raise _wrong(of, name, f"a whole number {_range(least, most)}", value)


def check_number(of: str, name: str, value: Any, *, least: float, most: float | None = None) -> None:
    """Complain unless the setting is a finite number from `least` to `most`."""
    usable = isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)
    if not usable or value < least or (most is not None and value > most):
        raise _wrong(of, name, f"a number {_range(least, most)}", value)


def _range(least: float, most: float | None) -> str:
    return f"of at least {least}" if most is None else f"from {least} to {most}"


def _wrong(of: str, name: str, allowed: str, value: Any) -> ParameterError:
    return ParameterError(f"{parameter(name, of=of)} must be {allowed}. Got {value!r} instead.")
