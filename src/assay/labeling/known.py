"""Labels so far: of which texts, and what they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError
from assay.label_sets import LabelSets, Task
from assay.labeling.picks import Label
from assay.suggest import counted, excerpt, shortened
from assay.wording import parameter

__all__ = ["KnownLabels"]

_SETS = (list, tuple, set, frozenset, np.ndarray)


@dataclass(frozen=True, eq=False)
class KnownLabels:
    """The labels of some of the texts.

    Attributes
    ----------
    rows
        The labelled texts, rising.
    classes
        Of each an index into `names`, or the set of them.
    names
        The labels, sorted.
    n_texts
        All texts.

    Examples
    --------
    >>> known = KnownLabels.of(["sport", None, "law"], 3)
    >>> known.rows.tolist(), known.classes.tolist(), known.names
    ([0, 2], [1, 0], ('law', 'sport'))
    """

    rows: NDArray[np.int64]
    classes: NDArray[np.int32] | LabelSets
    names: tuple[str, ...]
    n_texts: int

    @classmethod
    def of(cls, labels: Any, n_texts: int) -> KnownLabels:
        """Labels as they are given: one a text, with None where there is none; or those of some rows, by their number.

        A label is text, or a whole number or truth value, which become text; a list, tuple or set holds the labels of
        a set.
        """
        given = {} if labels is None else _given(labels, n_texts)
        rows = sorted(given)
        of_sets = {isinstance(given[row], tuple) for row in rows}
        if len(of_sets) > 1:
            one = next(row for row in rows if not isinstance(given[row], tuple))
            more = next(row for row in rows if isinstance(given[row], tuple))
            raise DataError(
                f"labels[{one}] is one label, {excerpt(str(given[one]))}, and labels[{more}] a set of labels. Give one "
                "label a text, or a set of labels a text, also where it is a set of one."
            )
        if True in of_sets:
            names = tuple(sorted({label for row in rows for label in given[row]}))
            number = {name: k for k, name in enumerate(names)}
            sets = LabelSets.of_rows(([number[label] for label in given[row]] for row in rows), len(names))
            return cls(np.array(rows, np.int64), sets, names, n_texts)
        names = tuple(sorted({str(given[row]) for row in rows}))
        number = {name: k for k, name in enumerate(names)}
        classes = np.array([number[str(given[row])] for row in rows], np.int32)
        return cls(np.array(rows, np.int64), classes, names, n_texts)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def task(self) -> Task:
        """Whether a text has one label or a set of them."""
        return "label-sets" if isinstance(self.classes, LabelSets) else "labels"

    @property
    def is_labelled(self) -> NDArray[np.bool_]:
        """Which of all texts are."""
        found = np.zeros(self.n_texts, bool)
        found[self.rows] = True
        return found

    @property
    def counts(self) -> NDArray[np.int64]:
        """Texts of each of `names`."""
        if isinstance(self.classes, LabelSets):
            return self.classes.class_counts
        return np.bincount(self.classes, minlength=len(self.names)).astype(np.int64)

    @property
    def can_teach(self) -> bool:
        """Whether something can be learned: two labels, or of sets one that some texts have and others lack."""
        if isinstance(self.classes, LabelSets):
            return bool(((self.counts > 0) & (self.counts < len(self))).any())
        return len(self.names) > 1

    def where(self, mask: NDArray[np.bool_]) -> KnownLabels:
        """Of those texts only that are marked, of all texts; labels without any are forgotten."""
        kept = mask[self.rows]
        if isinstance(self.classes, LabelSets):
            sets = self.classes.take(kept)
            there = np.flatnonzero(sets.class_counts)
            numbers = np.full(len(self.names), -1, np.int64)
            numbers[there] = np.arange(len(there))
            classes: NDArray[np.int32] | LabelSets = sets.renumbered(numbers, len(there))
        else:
            there, renumbered = np.unique(self.classes[kept], return_inverse=True)
            classes = renumbered.astype(np.int32)
        return KnownLabels(self.rows[kept], classes, tuple(self.names[k] for k in there), self.n_texts)

    def take(self, at: NDArray[np.intp]) -> NDArray[np.int32] | LabelSets:
        """The classes of some of the labelled texts, by their place among them."""
        return self.classes.take(at) if isinstance(self.classes, LabelSets) else self.classes[at]

    def rows_of(self, k: int) -> NDArray[np.int64]:
        """The texts of class k."""
        return self.rows[self.classes.having(k) if isinstance(self.classes, LabelSets) else self.classes == k]

    def label(self, at: int) -> Label:
        """The label, or the set of labels, of the labelled text at a place among them."""
        if isinstance(self.classes, LabelSets):
            return tuple(self.names[int(k)] for k in self.classes[at])
        return self.names[int(self.classes[at])]


def _given(labels: Any, n_texts: int) -> dict[int, Label]:
    """The labels that there are, by row."""
    if isinstance(labels, Mapping):
        items: Iterable[tuple[Any, Any]] = labels.items()
    elif isinstance(labels, str) or not isinstance(labels, Iterable):
        raise DataError(
            f"{parameter('labels')} must be one entry a text, a label or None, or labels by row. Got "
            f"{shortened(labels)} instead."
        )
    else:
        listed = list(labels)
        if len(listed) != n_texts:
            raise DataError(
                f"There are {counted(n_texts, 'text', 'texts')} and {len(listed):,} labels. Give one entry a text, "
                "with None where it has no label yet; or labels by row, as {3: 'sport'}."
            )
        items = enumerate(listed)
    found: dict[int, Label] = {}
    for row, label in items:
        if isinstance(row, bool) or not isinstance(row, (int, np.integer)) or not 0 <= row < n_texts:
            raise DataError(
                f"labels has an entry for row {shortened(row)}, and the texts are rows 0 to {n_texts - 1:,}."
            )
        if label is None or (isinstance(label, float) and label != label):
            continue
        at = int(row)
        found[at] = tuple(_one(item, at) for item in label) if isinstance(label, _SETS) else _one(label, at)
    return found


def _one(label: Any, row: int) -> str:
    if not isinstance(label, (str, bool, int, np.integer, np.bool_)):
        raise DataError(
            f"labels[{row}] is {shortened(label)}, of type {type(label).__name__}. A label is text or a whole "
            "number; a set of labels is a list of them."
        )
    if label == "":
        raise DataError(f"labels[{row}] is an empty text. Give None where a text has no label yet.")
    return str(label)
