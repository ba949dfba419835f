"""Classes by name."""

from __future__ import annotations

from collections.abc import Sequence

from assay.errors import ParameterError
from assay.suggest import nearest_first, quote, quoted

__all__ = ["class_index", "two_classes"]


def class_index(labels: Sequence[str], label: str) -> int:
    """Number of a class, or a complaint that names those that there are."""
    if label not in labels:
        raise ParameterError(
            f"This model has no class {quote(label)}. Its classes are {quoted(nearest_first(str(label), labels))}."
        )
    return list(labels).index(label)


def two_classes(labels: Sequence[str], label: str, against: str | None) -> tuple[int, int | None]:
    """Numbers of a class and of the one that it is held against, which must be another."""
    k = class_index(labels, label)
    if against is None:
        return k, None
    other = class_index(labels, against)
    if other == k:
        raise ParameterError(
            f"A class cannot be held against itself: {quote(against)}. The others are "
            f"{quoted(name for name in labels if name != against)}."
        )
    return k, other
