"""What each row is learned to be: one class, or a set of classes, in the forms that native code takes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.label_sets import LabelSets

__all__ = ["Classes", "native_targets", "take_classes", "with_all_rows"]

#: One class a row, or the set of its classes.
Classes = NDArray[np.int32] | LabelSets


def native_targets(classes: Classes) -> tuple[NDArray[np.int32], NDArray[np.int64] | None]:
    """The classes of all rows one after the other, and where each row's begin; None for one class a row."""
    if isinstance(classes, LabelSets):
        return np.ascontiguousarray(classes.members, np.int32), np.ascontiguousarray(classes.offsets, np.int64)
    return np.ascontiguousarray(classes, np.int32), None


def take_classes(classes: Classes, rows: NDArray[Any]) -> Classes:
    """The classes of some rows, by their numbers or by a mask."""
    return classes.take(rows) if isinstance(classes, LabelSets) else classes[rows]


def with_all_rows(sets: LabelSets) -> LabelSets:
    """The same sets with one more class, the last, that every row has.

    What is counted by class is then counted over all rows as well, and what a class does not have is the difference.

    Examples
    --------
    >>> [row.tolist() for row in with_all_rows(LabelSets.of_rows([[0, 1], []], 2))]
    [[0, 1, 2], [2]]
    """
    members = np.insert(sets.members, sets.offsets[1:], np.int32(sets.n_classes))
    return LabelSets(sets.offsets + np.arange(len(sets) + 1), members, sets.n_classes + 1)
