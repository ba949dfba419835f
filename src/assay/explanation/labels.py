"""Classes by name."""

from __future__ import annotations

from collections.abc import Sequence

from assay.errors import ParameterError
from assay.suggest import nearest_first, quote, quoted
from assay.wording import setting

__all__ = ["class_index", "refuse_rival", "two_classes"]


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


def refuse_rival(of_sets: bool, against: str | None) -> None:
    """Complain where a label of a set is held against another."""
    if of_sets and against is not None:
        raise ParameterError(
            "This model gives sets of labels and decides about each by itself, not for one and against another: "
            f"ask about {quote(against)} alone, and leave {setting('against', option='--against')} out."
        )
