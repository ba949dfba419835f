"""Whether cells such as ``joy|love`` are several labels.

Names of labels stand as they are, and ``sport|politics`` may be one of them. A separator is taken for one where

* many cells hold it (at least five, and one of a hundred),
* nearly all that stands between two of them (nine of ten parts) stands in another cell as well, alone or beside others,
* and there are fewer different parts than different cells, and half of the parts are whole cells elsewhere; or, where
  hardly a label stands alone, a third as many parts as cells, and cells of three lengths or more. A path
  (``sport|ball``) or a name (``Smith, John``) is of one length, and its last part stands nowhere else.

Where only half of the parts come again, it is said and not done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from assay.suggest import counted, excerpt, quote
from assay.wording import setting

__all__ = ["SeparatorGuess", "guess_separator", "separator_of_known"]

_SEPARATORS = ("|", ";", ",", "\t")
_FEWEST_CELLS = 5
_LEAST_SHARE = 0.01
_LONGEST_LABEL = 60


@dataclass(frozen=True, slots=True)
class SeparatorGuess:
    """A separator that may be meant.

    Attributes
    ----------
    separator
        The character.
    strong
        Whether it can hardly be anything else.
    example
        A cell with it.
    cells
        How many cells hold it.
    """

    separator: str
    strong: bool
    example: str
    cells: int

    def note(self, where: str) -> str:
        """What to say of it."""
        if self.strong:
            return (
                f"{where}: cells hold several labels with {quote(self.separator)} between them, such as "
                f"{excerpt(self.example)} (guessed; {setting('labels_separator', False)} takes a cell for one label)"
            )
        return (
            f"{where}: {counted(self.cells, 'cell holds', 'cells hold')} {quote(self.separator)}, such as "
            f"{excerpt(self.example)}, and each is taken for one label; if these are several, say "
            f"{setting('labels_separator', self.separator)}"
        )


def guess_separator(cells: Mapping[str, int]) -> SeparatorGuess | None:
    """The separator that some cells hold; None where none is likely.

    Parameters
    ----------
    cells
        Every different cell, and how often it stands there.

    Examples
    --------
    >>> guess_separator({"joy": 9, "love": 8, "fear": 7, "joy|love": 5, "love|fear": 3}).strong
    True
    >>> guess_separator({"sport|ball": 9, "sport|chess": 9, "city|roads": 4, "city|water": 3}) is None
    True
    """
    found = [guess for separator in _SEPARATORS if (guess := _judged(cells, separator)) is not None]
    return max(found, key=lambda guess: (guess.strong, guess.cells), default=None)


def separator_of_known(cells: Collection[str], known: Collection[str]) -> str | None:
    """The separator by which every cell that is no known label falls into known labels; None where there is none.

    Where no separator does that, since a label is new: one beside which every cell that holds it names a known label.

    Examples
    --------
    >>> separator_of_known(["joy", "joy;love"], {"joy", "love"}), separator_of_known(["awe", "joy|awe"], {"joy"})
    (';', '|')
    >>> separator_of_known(["awe|fear", "joy|awe"], {"joy", "love"}) is None
    True
    """
    joined = [cell for cell in cells if cell not in known and cell.strip()]
    for separator in _SEPARATORS:
        if joined and all(part.strip() in known for cell in joined for part in cell.split(separator)):
            return separator
    for separator in _SEPARATORS:
        parts = [cell.split(separator) for cell in joined if separator in cell]
        if parts and all(any(part.strip() in known for part in found) for found in parts):
            return separator
    return None


def _judged(cells: Mapping[str, int], separator: str) -> SeparatorGuess | None:
    # Between two separators there may be nothing: that is left out when cells are taken apart.
    parts_of = {
        cell: [part for part in map(str.strip, cell.split(separator)) if part] for cell in cells if cell.strip()
    }
    joined = [cell for cell, parts in parts_of.items() if len(parts) > 1]
    n_cells = sum(cells[cell] for cell in joined)
    if n_cells < 2:
        return None
    parts = {part for cell in joined for part in parts_of[cell]}
    if max(map(len, parts)) > _LONGEST_LABEL:
        return None
    stands_in = Counter(part for found in parts_of.values() for part in set(found))
    again = sum(stands_in[part] > 1 for part in parts) / len(parts)
    guess = SeparatorGuess(separator, False, joined[0], n_cells)
    enough = n_cells >= max(_FEWEST_CELLS, _LEAST_SHARE * sum(cells.values()))
    if again >= 0.9 and enough and _fewer_parts(parts_of, parts):
        return SeparatorGuess(separator, True, joined[0], n_cells)
    return guess if again >= 0.5 else None


def _fewer_parts(parts_of: Mapping[str, list[str]], parts: Collection[str]) -> bool:
    """Whether few labels make many cells."""
    whole = {found[0] for found in parts_of.values() if len(found) == 1}
    if 2 * len(whole.intersection(parts)) >= len(parts):
        return len(whole.union(parts)) < len(parts_of)
    return len({len(found) for found in parts_of.values()}) >= 3 and 3 * len(parts) <= len(parts_of)
