"""Groups of linked texts, none of which may swallow the data.

Near-copies of near-copies can go on until most of a corpus hangs together, though its ends have nothing in common.
Links are therefore followed from the strongest to the weakest; one that would make a group of more than a quarter of
all rows, or of every row of a class, is cut, and what it would have joined is closed: no weaker link joins it either.
Two texts are no chain: a pair stays together whatever it is of.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from assay.label_sets import LabelSets

__all__ = ["cut_chains"]

Integers = npt.NDArray[np.int64]


def cut_chains(
    form: Integers,
    one: Integers,
    other: Integers,
    sets: LabelSets | None,
) -> tuple[Integers, int]:
    """For every row the first row of its group, and how many links were cut.

    Parameters
    ----------
    form
        For every row the first row of its form.
    one, other
        A forest of links between such first rows, the strongest first.
    sets
        The labels of every row; None without labels.
    """
    if not len(one):
        return form.copy(), 0
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = len(form)
    links = coo_array((np.ones(len(one), np.int8), (one, other)), shape=(n, n))
    component = connected_components(links, directed=False)[1].astype(np.int64)[form]
    suspect = _too_large(component, form, sets)
    cut = suspect[component[one]]
    whole = component.copy()
    if cut.any():
        growing = _Growing(np.flatnonzero(suspect[component]), form, sets)
        n_cut = sum(not growing.join(int(a), int(b)) for a, b in zip(one[cut], other[cut], strict=True))
        inside = suspect[component]
        whole[inside] = component.max() + 1 + np.array([growing.root(int(row)) for row in form[inside]])
    else:
        n_cut = 0
    _, where, which = np.unique(whole, return_index=True, return_inverse=True)
    return where[which].astype(np.int64), n_cut


def _too_large(component: Integers, form: Integers, sets: LabelSets | None) -> npt.NDArray[np.bool_]:
    """Which components of three texts or more hold more than a quarter of the rows, or every row of a class."""
    n_forms = np.bincount(component[np.unique(form)], minlength=int(component.max()) + 1)
    sizes = np.bincount(component)
    wrong = sizes > len(form) / 4
    if sets is not None and len(sets.members):
        totals = sets.class_counts
        held, counts = np.unique(component[sets.texts] * len(totals) + sets.members, return_counts=True)
        swallowed = counts == totals[held % len(totals)]
        wrong[held[swallowed] // len(totals)] = True
    return np.asarray(wrong & (n_forms > 2))


class _Growing:
    """Groups of rows that grow link by link, up to what is allowed."""

    def __init__(self, rows: Integers, form: Integers, sets: LabelSets | None) -> None:
        self._most = len(form) / 4
        self._totals = [] if sets is None else sets.class_counts.tolist()
        self._above = {int(row): int(row) for row in np.unique(form[rows])}
        self._n_forms = dict.fromkeys(self._above, 1)
        self._n_rows = dict.fromkeys(self._above, 0)
        self._rows: dict[int, Counter[int]] = {row: Counter() for row in self._above}  # by class
        for row in rows.tolist():
            self._n_rows[int(form[row])] += 1
            self._rows[int(form[row])].update([] if sets is None else sets[row].tolist())
        self._closed: set[int] = set()

    def root(self, text: int) -> int:
        above = self._above
        while above[text] != text:
            above[text] = above[above[text]]
            text = above[text]
        return text

    def join(self, one: int, other: int) -> bool:
        """Join the groups of two texts, unless they would be too large."""
        a, b = self.root(one), self.root(other)
        if a in self._closed or b in self._closed or self._would_swallow(a, b):
            self._closed |= {a, b}
            return False
        if self._n_forms[a] < self._n_forms[b]:
            a, b = b, a
        self._above[b] = a
        self._n_forms[a] += self._n_forms.pop(b)
        self._n_rows[a] += self._n_rows.pop(b)
        self._rows[a].update(self._rows.pop(b))
        return True

    def _would_swallow(self, a: int, b: int) -> bool:
        if self._n_forms[a] + self._n_forms[b] < 3:
            return False
        if self._n_rows[a] + self._n_rows[b] > self._most:
            return True
        one, other = self._rows[a], self._rows[b]
        few, many = (one, other) if len(one) < len(other) else (other, one)
        return any(0 < many[k] < few[k] + many[k] == self._totals[k] for k in few)
