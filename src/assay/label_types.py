"""The type in which labels were given: they are kept as text, and come back as they came."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

__all__ = ["LABEL_TYPES", "LabelType", "fitting_type", "label_texts", "label_values", "sorted_labels"]

LabelType = Literal["text", "integer", "number", "boolean"]
LABEL_TYPES: tuple[LabelType, ...] = get_args(LabelType)

_TRUTH = {"false": False, "true": True}
_INTEGERS = np.iinfo(np.int64)


def label_values(labels: Sequence[str], kind: LabelType) -> NDArray[Any]:
    """The labels in their own type, in the same order; ValueError where one cannot be of it.

    Examples
    --------
    >>> label_values(("9", "10"), "integer").tolist(), label_values(("false", "true"), "boolean").tolist()
    ([9, 10], [False, True])
    """
    found = np.array([_value(label, kind) for label in labels])
    if len(set(found.tolist())) != len(labels):
        raise ValueError(f"two of the {len(labels)} labels are the same {kind}")
    return found


def sorted_labels(labels: Sequence[str], kind: LabelType) -> tuple[str, ...]:
    """The labels in the order of their values.

    Examples
    --------
    >>> sorted_labels(("10", "9"), "integer"), sorted_labels(("10", "9"), "text")
    (('9', '10'), ('10', '9'))
    """
    return tuple(sorted(labels, key=lambda label: _value(label, kind)))


def fitting_type(labels: Sequence[str], kind: LabelType) -> LabelType:
    """The type itself, or text where a label is not of it.

    Numbers with a point must be whole: learners take others for amounts, and not for classes.

    Examples
    --------
    >>> fitting_type(("1", "0"), "number"), fitting_type(("1", "0.5"), "number"), fitting_type(("1", "none"), "integer")
    ('number', 'text', 'text')
    """
    try:
        values = label_values(labels, kind)
    except ValueError:
        return "text"
    return "text" if kind == "number" and (values % 1).any() else kind


def label_texts(values: NDArray[Any]) -> NDArray[Any]:
    """Labels of any type as the text that they are read as; text stays as it is.

    Examples
    --------
    >>> label_texts(np.array([True, False])).tolist(), label_texts(np.array([1.0, 0.5])).tolist()
    (['true', 'false'], ['1', '0.5'])
    """
    if values.dtype.kind == "b":
        return np.where(values, "true", "false")
    if values.dtype.kind == "f":
        return np.array([str(int(value)) if value.is_integer() else repr(value) for value in values.tolist()])
    return values.astype(str) if values.dtype.kind in "iu" else values


def _value(label: str, kind: LabelType) -> Any:
    if kind == "text":
        return label
    if kind == "boolean":
        if label not in _TRUTH:
            raise ValueError(f"the label {label[:60]!r} is neither 'true' nor 'false'")
        return _TRUTH[label]
    try:
        value = int(label) if kind == "integer" else float(label)
    except ValueError:
        value = float("nan")
    if not isfinite(value) or (kind == "integer" and not _INTEGERS.min <= value <= _INTEGERS.max):
        raise ValueError(f"the label {label[:60]!r} is no {'whole ' if kind == 'integer' else ''}number")
    return value
