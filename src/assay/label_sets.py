"""Several labels a text: for each text the set of its classes, as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["TASKS", "LabelSets", "Task", "task_of"]

#: What a text is given: one label, or a set of them, which may be empty.
Task = Literal["labels", "label-sets"]
TASKS: tuple[Task, ...] = get_args(Task)


@dataclass(frozen=True, eq=False)
class LabelSets:
    """The set of each text: ``members[offsets[i]:offsets[i + 1]]``, rising numbers of classes; it may be empty.

    Parameters
    ----------
    offsets
        int64, one more than there are texts, rising from 0.
    members
        int32, from 0 to below `n_classes`.
    n_classes
        How many classes there are, with or without texts.

    Examples
    --------
    >>> sets = LabelSets.of_rows([[2, 0], [], [1]], 3)
    >>> [row.tolist() for row in sets], sets.class_counts.tolist(), sets.sizes.tolist()
    ([[0, 2], [], [1]], [1, 1, 1], [2, 0, 1])
    >>> sets.table().astype(int).tolist()
    [[1, 0, 1], [0, 0, 0], [0, 1, 0]]
    """

    offsets: NDArray[np.int64]
    members: NDArray[np.int32]
    n_classes: int

    @classmethod
    def of_rows(cls, rows: Iterable[Iterable[int]], n_classes: int) -> LabelSets:
        """Sets given one after the other, in any order of their numbers; a number that is said twice counts once."""
        listed = [sorted(set(row)) for row in rows]
        offsets = np.zeros(len(listed) + 1, np.int64)
        np.cumsum([len(row) for row in listed], out=offsets[1:])
        members = np.fromiter(chain.from_iterable(listed), np.int32, int(offsets[-1]))
        return cls(offsets, members, n_classes)

    @classmethod
    def of_table(cls, table: Any) -> LabelSets:
        """Sets of a table with a row a text and a column a class, an array or a sparse matrix: what is not 0 is in.

        Examples
        --------
        >>> [row.tolist() for row in LabelSets.of_table(np.array([[0, 1], [1, 1]]))]
        [[1], [0, 1]]
        """
        if hasattr(table, "tocsr"):
            rows = table.tocsr(copy=True)
            rows.sum_duplicates()
            rows.eliminate_zeros()
            rows.sort_indices()
            return cls(rows.indptr.astype(np.int64), rows.indices.astype(np.int32), int(rows.shape[1]))
        marked = np.asarray(table) != 0
        texts, classes = np.nonzero(marked)
        return cls(_offsets(texts, len(marked)), classes.astype(np.int32), marked.shape[1])

    @classmethod
    def of_classes(cls, classes: NDArray[np.int32], n_classes: int) -> LabelSets:
        """Sets of one class each."""
        return cls(np.arange(len(classes) + 1, dtype=np.int64), classes.astype(np.int32, copy=False), n_classes)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, texts: int) -> NDArray[np.int32]: ...
    @overload
    def __getitem__(self, texts: NDArray[Any]) -> LabelSets: ...
    def __getitem__(self, texts: int | NDArray[Any]) -> NDArray[np.int32] | LabelSets:
        if isinstance(texts, np.ndarray):
            return self.take(texts)
        at = range(len(self))[texts]
        return self.members[self.offsets[at] : self.offsets[at + 1]]

    def __iter__(self) -> Iterator[NDArray[np.int32]]:
        return (self[text] for text in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LabelSets):
            return NotImplemented
        same = np.array_equal(self.offsets, other.offsets) and np.array_equal(self.members, other.members)
        return bool(same and self.n_classes == other.n_classes)

    __hash__ = None  # type: ignore[assignment]  # compared by their contents

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Labels of each text."""
        return np.diff(self.offsets)

    @cached_property
    def texts(self) -> NDArray[np.int64]:
        """The text of each member."""
        return np.repeat(np.arange(len(self)), self.sizes)

    @property
    def class_counts(self) -> NDArray[np.int64]:
        """Texts of each class."""
        return np.bincount(self.members, minlength=self.n_classes).astype(np.int64)

    def having(self, k: int) -> NDArray[np.bool_]:
        """Whether each text is of class k."""
        found = np.zeros(len(self), bool)
        found[self.texts[self.members == k]] = True
        return found

    def table(self) -> NDArray[np.bool_]:
        """A row a text, a column a class."""
        found = np.zeros((len(self), self.n_classes), bool)
        found[self.texts, self.members] = True
        return found

    def sparse(self) -> csr_array:
        """The same as a sparse matrix of ones, its numbers as wide as scikit-learn's readers and writers want them."""
        from scipy.sparse import csr_array

        width = np.int32 if len(self.members) <= np.iinfo(np.int32).max else np.int64
        parts = np.ones(len(self.members), np.int64), self.members.astype(width), self.offsets.astype(width)
        return csr_array(parts, shape=(len(self), self.n_classes))

    def take(self, texts: NDArray[Any]) -> LabelSets:
        """The sets of some texts, by their numbers or by a mask."""
        chosen = np.flatnonzero(texts) if texts.dtype == bool else texts
        sizes = self.sizes[chosen]
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        at = np.arange(offsets[-1]) + np.repeat(self.offsets[chosen] - offsets[:-1], sizes)
        return LabelSets(offsets, self.members[at], self.n_classes)

    def renumbered(self, numbers: NDArray[np.integer[Any]], n_classes: int) -> LabelSets:
        """The same sets where class k is called ``numbers[k]``; a class whose new number is below 0 is left out.

        Examples
        --------
        >>> sets = LabelSets.of_rows([[0, 1], [2]], 3)
        >>> [row.tolist() for row in sets.renumbered(np.array([1, 0, -1]), 2)]
        [[0, 1], []]
        """
        renamed = np.asarray(numbers, np.int64)[self.members]
        kept = renamed >= 0
        texts, classes = np.divmod(np.unique(self.texts[kept] * n_classes + renamed[kept]), max(n_classes, 1))
        return LabelSets(_offsets(texts, len(self)), classes.astype(np.int32), n_classes)

    def names(self, labels: Sequence[Any]) -> list[tuple[Any, ...]]:
        """The labels of each text, by the names of the classes."""
        named = [labels[k] for k in self.members.tolist()]
        ends = self.offsets.tolist()
        return [tuple(named[begin:end]) for begin, end in pairwise(ends)]

    def numbers_of_sets(self) -> NDArray[np.int64]:
        """A number for each text that is the same for the same set, and another for another one.

        Examples
        --------
        >>> LabelSets.of_rows([[0, 1], [], [1, 0]], 2).numbers_of_sets().tolist()
        [0, 1, 0]
        """
        known: dict[bytes, int] = {}
        return np.array([known.setdefault(row.tobytes(), len(known)) for row in self], np.int64)

    def require_sound(self, name: str) -> LabelSets:
        """Refuse arrays that do not fit together, as a file may hold them."""
        rises = len(self.offsets) > 0 and self.offsets[0] == 0 and bool((np.diff(self.offsets) >= 0).all())
        if not rises or self.offsets[-1] != len(self.members):
            raise DataError(f"{name}: the ends of the label sets do not rise from 0 to {len(self.members):,}.")
        if len(self.members) and not 0 <= self.members.min() <= self.members.max() < self.n_classes:
            raise DataError(f"{name}: a label set names a class that is not one of the {self.n_classes:,}.")
        inside = np.diff(self.texts) == 0
        if (np.diff(self.members)[inside] <= 0).any():
            raise DataError(f"{name}: a label set does not name its classes once each, in rising order.")
        return self


def task_of(classes: NDArray[Any] | LabelSets) -> Task:
    """What texts are given whose classes these are: one number each, or a set."""
    return "label-sets" if isinstance(classes, LabelSets) else "labels"


def _offsets(texts: NDArray[np.integer[Any]], n: int) -> NDArray[np.int64]:
    """Where each text begins, of the rising numbers of texts, one a member."""
    return np.searchsorted(texts, np.arange(n + 1)).astype(np.int64)
