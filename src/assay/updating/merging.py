"""Old texts and new labels: the same text, letter by letter, takes the new label; other texts are added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from assay.data.arrays import joined_integers, joined_mask
from assay.data.arrow_functions import is_valid, places_in
from assay.data.corpus.corpus import Corpus
from assay.data.corpus.origin import Origin
from assay.label_sets import LabelSets
from assay.suggest import counted, quote

if TYPE_CHECKING:
    from assay.label_types import LabelType
    from assay.updating.new_labels import NewLabels

__all__ = ["Relabelled", "joined", "near_sentences", "relabelled"]


@dataclass(frozen=True, eq=False)
class Relabelled:
    """A part of the old data with what people decided since.

    Attributes
    ----------
    corpus
        The part, in its order, without the texts that are to be left out.
    kept
        Which of the old rows these are.
    met
        Of each new text, whether it is one of this part.
    replaced, confirmed, removed
        Rows whose label was another, or the same; rows that were left out.
    """

    corpus: Corpus
    kept: NDArray[np.bool_]
    met: NDArray[np.bool_]
    replaced: int
    confirmed: int
    removed: int


def relabelled(old: Corpus, new: NewLabels) -> Relabelled:
    """Put the new labels in the place of the old ones; every copy of a text takes its new label.

    Examples
    --------
    >>> from assay.updating.new_labels import take_new_labels
    >>> old = Corpus(["good", "bad", "good"], ["neg", "neg", "neg"])
    >>> new = take_new_labels(Corpus(["good", "fine"], ["pos", "pos"]), ["neg", "pos"], "labels", allow_new=False)
    >>> found = relabelled(old, new)
    >>> found.corpus.label_names, found.corpus.classes.tolist(), found.replaced, found.met.tolist()
    (('pos', 'neg'), [0, 1, 0], 2, [True, False])
    """
    place = _places(old, new.corpus)
    decided, gone = place >= 0, _places(old, new.left_out) >= 0
    rows = np.arange(len(old))
    rows[decided] = len(old) + place[decided]
    sets, names = _sets_of_both(old, new.corpus)
    numbers = sets.members if old.task == "labels" else sets.numbers_of_sets()
    other = numbers[rows] != numbers[: len(old)]
    met = np.zeros(len(new.corpus), bool)
    met[place[decided]] = True
    changed = _with_sets(old.select(~gone) if gone.any() else old, sets.take(rows[~gone]), names)
    counts = (int((decided & other).sum()), int((decided & ~other).sum()), int(gone.sum()))
    return Relabelled(changed, ~gone, met, *counts)


def joined(old: Corpus, more: Corpus, label_type: LabelType) -> Corpus:
    """The texts of both, one after the other, with their labels and places."""
    sets, names = _sets_of_both(old, more)
    texts = pa.chunked_array([*old.texts.chunks, *more.texts.chunks], pa.large_string())
    both = Corpus.assembled(
        texts,
        None,
        (),
        {},
        label_type=label_type,
        source=old.source,
        notes=old.notes,
        incidents=old.incidents,
        origin=Origin.joined([old.origin, more.origin]),
        text_column=old.text_column,
        label_column=old.label_column,
        labels_separator=old.labels_separator,
    )
    return _with_sets(both, sets, names, of_sets=old.task == "label-sets")


def _places(old: Corpus, new: Corpus) -> NDArray[np.int64]:
    """Where each old text stands among the new ones; -1 for nowhere."""
    found = places_in(old.texts, new.texts)
    return np.where(joined_mask(is_valid(found)), joined_integers(found), -1).astype(np.int64)


def _sets_of_both(old: Corpus, new: Corpus) -> tuple[LabelSets, list[str]]:
    """The labels of both, one after the other, by numbers that they share."""
    names = list(dict.fromkeys([*old.label_names, *new.label_names]))
    place = {name: number for number, name in enumerate(names)}
    parts = []
    for corpus in (old, new):
        numbers = np.array([place[name] for name in corpus.label_names], np.int64)
        parts.append(corpus.label_sets.renumbered(numbers, len(names)))
    offsets = np.concatenate([parts[0].offsets, parts[1].offsets[1:] + parts[0].offsets[-1]])
    return LabelSets(offsets, np.concatenate([part.members for part in parts]), len(names)), names


def _with_sets(corpus: Corpus, sets: LabelSets, names: list[str], *, of_sets: bool | None = None) -> Corpus:
    if corpus.task == "label-sets" if of_sets is None else of_sets:
        return corpus.with_label_sets(sets, names, changes={})
    return corpus.with_labels(sets.members, names, changes={})


def near_sentences(together: Corpus, n_old: int, first: NDArray[np.int64], most: int = 3) -> list[str]:
    """Which new texts are nearly the same as an old one that has another label: what a person should look at.

    Parameters
    ----------
    together, n_old
        Old texts, of which there are so many, and the new ones after them.
    first
        Of each the first one of its group of near-copies.
    most
        How many are shown.
    """
    numbers = together.label_numbers
    rows = n_old + np.flatnonzero(first[n_old:] < n_old)
    rows = rows[numbers[rows] != numbers[first[rows]]]
    if not rows.size:
        return []
    said = []
    for row in map(int, rows[:most]):
        like = int(first[row])
        labels = quote(together[row].shown_label), quote(together[like].shown_label)
        said.append(f"{together.origin.place(row)} ({labels[0]}) and {together.origin.place(like)} ({labels[1]})")
    more = "" if rows.size <= most else f", and {rows.size - most:,} more"
    what = counted(rows.size, "new text is", "new texts are")
    return [
        f"{what} nearly the same as an old one with another label, which keeps it: {'; '.join(said)}{more}. If the old "
        "label is wrong, correct that text too"
    ]
