"""Texts that are nearly the same: other case, other blanks, a line added, a word changed.

Two texts have the same *form* if their words are the same in the same order, whatever their case, accents, white space
and punctuation. Two others are *linked* if most of what the shorter says, in shingles of three words, stands in the
longer, which is at most twice as long; `docs/guides/near-copies.md` has the rule. Texts that are linked directly or
through others are a group, which stays on one side of every split; a chain that would grow too large is cut at its
weakest links (`assay.data.corpus.chains`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assay import _native
from assay.data.arrays import joined_mask, text_bytes
from assay.data.arrow_functions import is_in
from assay.data.corpus.chains import cut_chains
from assay.errors import ParameterError
from assay.label_sets import LabelSets
from assay.suggest import counted
from assay.threads import count_threads
from assay.wording import parameter

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = [
    "NearCopies",
    "copies_of",
    "deduplicated",
    "each_group_once",
    "first_among",
    "near_copies",
    "rows_together",
    "weakest_links",
]

Integers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class NearCopies:
    """Which texts belong together because they are the same or nearly the same.

    Attributes
    ----------
    first
        For every row the first row of its group; its own number where it is alone.
    same_text
        For every row the first row with exactly the same text.
    links_cut
        Links between texts of different groups that were left out because a group would have held more than a quarter
        of all rows, or every row of a class.
    n_bounded
        Texts that have so many candidates that they were not compared with all.
    """

    first: Integers
    same_text: Integers
    links_cut: int = 0
    n_bounded: int = 0

    @cached_property
    def near(self) -> Mask:
        """Which rows are in a group of texts that are not all exactly the same."""
        n_texts = np.bincount(self.first[np.unique(self.same_text)], minlength=len(self.first))
        return np.asarray((n_texts > 1)[self.first])

    @property
    def n_groups(self) -> int:
        """Groups of texts that are not all exactly the same."""
        return len(np.unique(self.first[self.near]))

    @property
    def n_rows(self) -> int:
        """Rows in such groups."""
        return int(self.near.sum())

    def conflicts(self, label_numbers: npt.NDArray[np.integer[Any]]) -> Mask:
        """Which rows are in such a group that stands under more than one label, or under different sets of labels.

        Parameters
        ----------
        label_numbers
            Of each row, the same for the same labels; see `Corpus.label_numbers`.
        """
        differs = np.zeros(len(self.first), bool)
        differs[self.first[label_numbers != label_numbers[self.first]]] = True
        return differs[self.first] & self.near

    def among(self, rows: Integers) -> NearCopies:
        """The same groups among some of the rows, which are numbered anew; requires that they rise."""
        return NearCopies(
            first_among(self.first, rows), first_among(self.same_text, rows), self.links_cut, self.n_bounded
        )

    def sentences(self, kept: str) -> list[str]:
        """What to say of them; `kept` says what was done with each group."""
        if not self.n_rows:
            return []
        groups = counted(self.n_groups, "group", "groups")
        said = [f"{counted(self.n_rows, 'row is', 'rows are')} nearly the same as another ({groups}); {kept}"]
        if self.links_cut:
            said.append(
                f"a chain of near-copies would have held a quarter of the rows or a whole class: it was cut at its "
                f"{weakest_links(self.links_cut)}, so a few near-copies may stand on different sides"
            )
        return said


def weakest_links(n: int) -> str:
    """``weakest link``, ``3 weakest links``."""
    return "weakest link" if n == 1 else f"{n:,} weakest links"


def near_copies(texts: pa.ChunkedArray, same_text: Integers, sets: LabelSets | None = None) -> NearCopies:
    """Find the groups; see `Corpus.near_copies`.

    Parameters
    ----------
    texts
        large_string, without nulls.
    same_text
        For every row the first row with exactly the same text.
    sets
        The labels of every row, if there are any.

    Examples
    --------
    >>> texts = ["The ship sails on Monday at nine.", "no", "the ship sails on monday at nine", "yes"]
    >>> near_copies(pa.chunked_array([pa.array(texts, pa.large_string())]), np.arange(4)).first.tolist()
    [0, 1, 0, 3]
    """
    documents = _native.Documents()
    for chunk in texts.chunks:
        documents.add_arrow(*text_bytes(chunk))
    form, one, other, _, n_bounded = _native.find_near_copies(documents, count_threads(None))
    first, links_cut = cut_chains(form, one, other, sets)
    first.flags.writeable = False
    return NearCopies(first, same_text, links_cut, n_bounded)


def each_group_once(corpus: Corpus) -> Mask:
    """Which rows to keep so that one of each group of near-copies is left; exact copies of one text all stay.

    What happens to one happens to all: an interval that takes them for independent texts would be too narrow.

    Examples
    --------
    >>> from assay.data.corpus.corpus import Corpus
    >>> texts = ["The ship sails on Monday at nine.", "no", "the ship sails on monday at nine", "no"]
    >>> each_group_once(Corpus(texts)).tolist()
    [True, True, False, True]
    """
    found = corpus.near_copies
    return np.asarray(~found.near | (found.first == np.arange(len(corpus))))


def copies_of(texts: pa.ChunkedArray, known: pa.ChunkedArray) -> tuple[Mask, Mask]:
    """Which of the texts are among the `known` ones letter by letter, and which are so or nearly, see `near_copies`.

    Examples
    --------
    >>> known = pa.chunked_array([pa.array(["The ship sails on Monday at nine.", "no"], pa.large_string())])
    >>> asked = pa.chunked_array([pa.array(["the ship sails on monday at nine", "no", "yes"], pa.large_string())])
    >>> same, near = copies_of(asked, known)
    >>> same.tolist(), near.tolist()
    ([False, True, False], [True, True, False])
    """
    same = joined_mask(is_in(texts, known))
    together = pa.chunked_array([*known.chunks, *texts.chunks], pa.large_string())
    first = near_copies(together, np.arange(len(together))).first
    return same, same | np.isin(first[len(known) :], first[: len(known)])


def rows_together(corpus: Corpus, near_copies: str) -> Integers:
    """For every row the first of those that a split keeps together with it.

    Parameters
    ----------
    corpus
        Texts.
    near_copies
        ``"together"``: near-copies as well as exact copies; ``"ignore"``: exact copies only.
    """
    if near_copies not in ("together", "ignore"):
        raise ParameterError(
            f"{parameter('near_copies')} must be 'together', to keep texts that are nearly the same on one side, or "
            f"'ignore'. Got {near_copies!r} instead."
        )
    return corpus.near_copies.first if near_copies == "together" else corpus.first_occurrences


def deduplicated(corpus: Corpus) -> Corpus:
    """The corpus with one text, the first, of each group of copies and near-copies; a note says how many are gone.

    Examples
    --------
    >>> from assay import Corpus
    >>> kept = deduplicated(Corpus(["See you at noon on Friday!", "see you at noon on friday", "no"], list("aba")))
    >>> len(kept), kept.notes
    (2, ('1 row was left out as a copy or near-copy of an earlier one, 1 of them under another label than it',))
    """
    first = corpus.near_copies.first
    gone = np.flatnonzero(first != np.arange(len(first)))
    if not len(gone):
        return corpus
    numbers = np.zeros(len(first)) if corpus.labels is None else corpus.label_numbers
    differ = int((numbers[gone] != numbers[first[gone]]).sum())
    note = f"{counted(len(gone), 'row was', 'rows were')} left out as a copy or near-copy of an earlier one"
    other = "another label" if corpus.task == "labels" else "other labels"
    note += f", {differ:,} of them under {other} than it" if differ else ""
    kept = corpus.select(first == np.arange(len(first)))
    return kept._replaced(notes=(*corpus.notes, note))


def first_among(first: Integers, rows: Integers) -> Integers:
    """For each of some rows the number, among them, of the first that had the same first row; requires that they rise.

    Examples
    --------
    >>> first_among(np.array([0, 1, 0, 1, 4]), np.array([1, 2, 3])).tolist()
    [0, 1, 0]
    """
    _, where, which = np.unique(first[rows], return_index=True, return_inverse=True)
    return np.asarray(where[which], np.int64)
