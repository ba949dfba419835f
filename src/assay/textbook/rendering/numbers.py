"""Numbers, vectors and mappings as a reader wants to see them."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any

__all__ = ["show", "show_number"]


def show_number(value: float, places: int = 4) -> str:
    """Write a number with at most four places and no trailing zeros.

    Examples
    --------
    >>> show_number(2.0), show_number(-2.28), show_number(0.83333333), show_number(1e-9), show_number(-0.0)
    ('2', '-2.28', '0.8333', '1e-09', '0')
    """
    if not math.isfinite(value):
        return "∞" if value > 0 else "-∞" if value < 0 else "undefined"
    if value and not 0.5 * 10**-places <= abs(value) < 1e9:
        return f"{value:.3g}"
    text = f"{value:.{places}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def show(value: Any, longest: int = 8) -> str:
    """Write a value: vectors in parentheses, mappings as pairs, long things by their size.

    Examples
    --------
    >>> show((1.0, 0.5)), show({"a": 1.0, "b": 0.25}), show(None), show(((1, 2), (3, 4), (5, 6)))
    ('(1, 0.5)', 'a 1, b 0.25', '', '3×2 numbers')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, numbers.Real):
        return show_number(float(value))
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {show(part, longest)}" for name, part in value.items())
    if isinstance(value, tuple | list):
        if value and isinstance(value[0], tuple | list):
            return f"{len(value)}×{len(value[0])} numbers"
        if len(value) > longest:
            return f"({', '.join(show(part) for part in value[:3])}, … {len(value)} numbers)"
        return f"({', '.join(show(part) for part in value)})"
    return str(value)
