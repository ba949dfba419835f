"""Which texts may be picked: not what is labelled, skipped or empty, no copies, and what measures by chance alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Candidates"]

Mask = NDArray[np.bool_]
Rows = NDArray[np.int64]


@dataclass(eq=False)
class Candidates:
    """Texts that are still free, as one after the other is taken.

    Attributes
    ----------
    group
        For every text the first one that is nearly the same.
    place
        By chance, from 0 to 1: see `assay.labeling.aside`.
    chosen_by_chance
        Texts that are kept aside and not labelled: a text of the same form is.
    chosen_by_need
        All others, one of each group: none that is labelled or kept aside, or nearly the same as one that is.
    """

    group: Rows
    place: NDArray[np.float64]
    chosen_by_chance: Mask
    chosen_by_need: Mask

    @classmethod
    def of(cls, group: Rows, place: NDArray[np.float64], aside: Mask, gone: Mask, empty: Mask) -> Candidates:
        """What is left where some texts are `gone`: labelled, or skipped by a person."""
        chance = aside & ~np.isin(place, place[gone])
        chance[np.flatnonzero(chance)[_later_copies(place[chance])]] = False
        taken = np.zeros(len(group), bool)  # groups, by their first text
        taken[group[gone | aside]] = True
        need = ~(gone | aside | empty | taken[group])
        need[np.flatnonzero(need)[_later_copies(group[need])]] = False
        return cls(group, place, chance, need)

    def draw(self, n: int) -> list[int]:
        """Take n texts by chance: those of the lowest places, no two of them nearly the same while there are others."""
        rows = np.flatnonzero(self.chosen_by_chance)
        rows = rows[np.argsort(self.place[rows], kind="stable")]
        again = np.zeros(len(rows), bool)
        again[_later_copies(self.group[rows])] = True
        drawn: list[int] = np.concatenate([rows[~again], rows[again]])[:n].tolist()
        self.chosen_by_chance[drawn] = False
        return drawn

    def take(self, rows: list[int]) -> None:
        """Texts that were picked for another reason than chance."""
        self.chosen_by_need[rows] = False


def _later_copies(values: NDArray[np.generic]) -> NDArray[np.intp]:
    """Places of the values that came up before."""
    _, first = np.unique(values, return_index=True)
    later = np.ones(len(values), bool)
    later[first] = False
    return np.flatnonzero(later)
