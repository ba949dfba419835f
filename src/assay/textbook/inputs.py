"""What the textbook's algorithms can be given, and what they say when they cannot.

`InputError` and `SettingError` are `ValueError`s of this package's own: the textbook imports nothing else of assay.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

__all__ = [
    "InputError",
    "Label",
    "Points",
    "SettingError",
    "TwoClasses",
    "Vector",
    "as_count",
    "as_documents",
    "as_label",
    "as_labels",
    "as_not_negative",
    "as_points",
    "as_positive",
    "as_vector",
    "nearest_first",
    "two_classes",
]

Label = Hashable
Vector = Sequence[float]
Points = Sequence[Vector]

_POSITIVE = {"1", "+1", "+", "yes", "positive", "pos", "true"}
_USUAL_NEGATIVE: dict[str, Label] = {"1": 0, "+": "-", "yes": "no", "positive": "negative", "true": False}
_NEGATIVE = {"0", "-1", "-", "−1", "−", "no", "negative", "neg", "false"}


class InputError(ValueError):
    """The data cannot be used by this algorithm; the message says why and what to do."""


class SettingError(InputError):
    """A setting or a name cannot be used; the message says what is allowed."""


def as_vector(x: Iterable[Any], name: str = "x") -> list[float]:
    """Give the numbers of `x` as floats, or say which one is not a number."""
    return [_as_number(value, f"{name}[{j}]") for j, value in enumerate(x)]


def as_points(X: Iterable[Iterable[Any]], name: str = "X") -> list[list[float]]:
    """Give the rows of `X` as lists of floats, all of one length."""
    rows = []
    for i, row in enumerate(X):
        if isinstance(row, str) or not isinstance(row, Iterable):
            raise InputError(f"{name}[{i}] is {row!r}, not a row of numbers. Give one list of features an example.")
        rows.append(as_vector(row, f"{name}[{i}]"))
    if not rows:
        raise InputError(f"{name} is empty. Give at least one example.")
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InputError(
                f"{name}[{i}] has {len(row)} features where {name}[0] has {len(rows[0])}. "
                "Every example needs the same features."
            )
    if not rows[0]:
        raise InputError(f"{name}[0] has no features. Give at least one.")
    return rows


def as_labels(y: Iterable[Any], n_examples: int) -> list[Any]:
    """Give the labels as a list, one an example."""
    labels = list(y)
    if len(labels) != n_examples:
        raise InputError(f"There are {n_examples} examples and {len(labels)} labels. Give one label for each example.")
    return labels


def as_documents(documents: Iterable[str | Sequence[str]]) -> list[list[str]]:
    """Give each document as its list of tokens; a string is split at white space."""
    if isinstance(documents, str):
        raise InputError(f"documents is the string {documents!r}. Give a list of documents.")
    lists = []
    for i, document in enumerate(documents):
        tokens = document.split() if isinstance(document, str) else document
        if not isinstance(tokens, Sequence) or not all(isinstance(token, str) for token in tokens):
            raise InputError(f"documents[{i}] is {document!r}, not a text. Give strings, or lists of tokens.")
        lists.append(list(tokens))
    if not lists:
        raise InputError("documents is empty. Give at least one document.")
    return lists


def as_positive(value: float, name: str) -> float:
    """Give a number that must be above zero."""
    number = _as_number(value, name)
    if number <= 0:
        raise SettingError(f"{name} is {value!r}. It must be greater than 0.")
    return number


def as_not_negative(value: float, name: str) -> float:
    """Give a number that must not be below zero."""
    number = _as_number(value, name)
    if number < 0:
        raise SettingError(f"{name} is {value!r}. It must not be below 0.")
    return number


def as_count(value: int, name: str, least: int = 1) -> int:
    """Give a whole number that must not be below `least`."""
    if not isinstance(value, numbers.Integral) or value < least:
        raise SettingError(f"{name} is {value!r}. It must be a whole number, {least} or more.")
    return int(value)


def as_label(label: Label, labels: Sequence[Label], name: str = "label") -> Label:
    """Give `label` if it is one of `labels`, or name the valid ones, nearest first."""
    if label not in labels:
        valid = ", ".join(repr(other) for other in nearest_first(label, labels))
        raise SettingError(f"{name} is {label!r}. It must be one of {valid}.")
    return label


def nearest_first(name: object, names: Iterable[Any]) -> list[Any]:
    """Sort names so that those spelled most like `name` come first."""
    by_text = {str(other): other for other in names}
    near = get_close_matches(str(name), list(by_text), n=len(by_text) or 1, cutoff=0.5)
    return [by_text[text] for text in [*near, *(text for text in by_text if text not in near)]]


@dataclass(frozen=True)
class TwoClasses:
    """Labels of a binary problem: which label is Yes, which is No, and one sign (+1 or -1) an example."""

    positive: Label
    negative: Label
    signs: tuple[int, ...]

    def name(self, sign: float) -> Label:
        """Give the label of a side; exactly zero is No."""
        return self.positive if sign > 0 else self.negative


def two_classes(y: Sequence[Any], algorithm: str, positive: Label | None = None) -> TwoClasses:
    """Read labels as Yes and No.

    Yes is the label given as `positive`; else the one that is usually meant by it (1, +, yes, positive,
    true); else the last in sorted order.
    """
    labels = sorted(dict.fromkeys(y), key=_text)
    if len(labels) > 2:
        found = ", ".join(repr(label) for label in labels[:6]) + (", …" if len(labels) > 6 else "")
        raise InputError(
            f"{algorithm} needs two classes and the labels name {len(labels)}: {found}. "
            "Keep two of them, or use an algorithm for many classes."
        )
    if not labels:
        raise InputError("There are no labels. Give one label for each example.")
    if positive is None:
        positive = _usual_positive(labels)
    else:
        as_label(positive, labels, "positive")
    others = [label for label in labels if label != positive]
    negative = others[0] if others else _USUAL_NEGATIVE.get(_text(positive).lower(), f"not {positive}")
    return TwoClasses(positive, negative, tuple(1 if label == positive else -1 for label in y))


def _usual_positive(labels: list[Label]) -> Label:
    usual = [label for label in labels if _text(label).lower() in _POSITIVE]
    unusual = [label for label in labels if _text(label).lower() not in _NEGATIVE]
    for candidates in (usual, unusual):
        if len(candidates) == 1:
            return candidates[0]
    if len(labels) == 1 and not unusual:
        return f"not {labels[0]}"
    return labels[-1]


def _text(label: object) -> str:
    return f"{label:g}" if isinstance(label, numbers.Real) and not isinstance(label, bool) else str(label)


def _as_number(value: Any, name: str) -> float:
    if not isinstance(value, numbers.Real):
        raise InputError(f"{name} is {value!r}, not a number. The textbook computes with numbers only.")
    if not math.isfinite(value):
        raise InputError(f"{name} is {float(value)}. Only finite numbers can be used.")
    return float(value)
