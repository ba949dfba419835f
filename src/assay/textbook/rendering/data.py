"""A trace as data: JSON that stays the same for the same trace."""

from __future__ import annotations

import json
import math
import numbers
from collections.abc import Mapping, Sequence
from typing import Any

from assay.textbook.steps import Step

__all__ = ["FORMAT", "dump"]

FORMAT = "assay-trace-1"
"""The name and version of the layout; a field may be added, none is renamed or removed without a new number."""


def dump(heading: Mapping[str, Any], steps: Sequence[Step], result: str) -> str:
    """Write a trace as JSON: the heading's fields, then the steps, then the result in words.

    Numbers are written with all their digits; infinities and undefined values as the strings "Infinity",
    "-Infinity" and "NaN"; what is neither a number nor a text by its description.

    Examples
    --------
    >>> print(dump({"algorithm": "perceptron"}, [], "w = (0)"))
    {
     "format": "assay-trace-1",
     "algorithm": "perceptron",
     "steps": [],
     "result": "w = (0)"
    }
    """
    rows = [{name: _plain(value) for name, value in vars(step).items()} for step in steps]
    return json.dumps(
        {"format": FORMAT, **_plain(heading), "steps": rows, "result": result},
        ensure_ascii=False,
        indent=1,
        allow_nan=False,
    )


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, numbers.Real):
        number = float(value)
        if math.isfinite(number):
            return number
        return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
    return getattr(value, "__name__", type(value).__name__)
