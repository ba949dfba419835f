"""What an update brings: texts with the labels that people gave them, each text once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.data.reading.corrections import LEAVE_OUT
from assay.data.reading.label_meant import label_meant
from assay.errors import DataError
from assay.suggest import counted, excerpt, nearest_first, quote, quoted
from assay.wording import setting

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["NewLabels", "take_new_labels"]

#: The column that says why a text was shown to a person, and what it says of texts that were drawn blindly.
WHY, DRAWN = "why", "random"
_KINDS = {"labels": "one label a text", "label-sets": "sets of labels"}


@dataclass(frozen=True, eq=False)
class NewLabels:
    """What people decided about texts.

    Attributes
    ----------
    corpus
        The texts with their labels, each text once, in the order in which they came.
    drawn
        Of each, whether it was drawn at random, and so may be part of a test.
    unasked
        Of each, whether nothing says that it was shown for a reason, as a doubt of the model is one; nor by chance.
    left_out
        Texts that are to be left out, as the label ``-`` says where the model has no such label.
    names
        Labels that the model does not have.
    notes
        What should be known of them, in sentences.
    """

    corpus: Corpus
    drawn: NDArray[np.bool_]
    unasked: NDArray[np.bool_]
    left_out: Corpus
    names: tuple[str, ...]
    notes: tuple[str, ...]


def take_new_labels(corpus: Corpus, known: Sequence[str], task: str, *, allow_new: bool) -> NewLabels:
    """Labelled texts as an update takes them; complains about what cannot be meant.

    Parameters
    ----------
    corpus
        As it was read.
    known, task
        The labels of the model, and whether it gives one a text or several.
    allow_new
        Whether other labels are taken for new classes.
    """
    if not len(corpus):
        raise DataError(f"{corpus.source}: there is not one labelled text in it, so there is nothing to update with.")
    if corpus.labels is None:
        raise DataError(
            f"{corpus.source}: the texts have no labels. Say which column holds them with "
            f"{setting('label', of_read=True)}."
        )
    if corpus.task != task:
        raise DataError(
            f"{corpus.source}: its texts have {_KINDS[corpus.task]}, and the model gives {_KINDS[task]}. Give texts "
            "with labels of that kind."
        )
    renamed, new, notes = _names(corpus, known, allow_new=allow_new)
    corpus = _with_names(corpus, renamed)
    _refuse_contradictions(corpus)
    once = corpus.first_occurrences == np.arange(len(corpus))
    if not once.all():
        repeated = counted(int((~once).sum()), "row says", "rows say")
        notes.append(f"{repeated} again what an earlier row says of the same text")
    gone = np.zeros(len(corpus), bool)
    if task == "labels" and LEAVE_OUT not in known and LEAVE_OUT in corpus.label_names:
        gone = corpus.classes == corpus.label_names.index(LEAVE_OUT)
    kept = corpus.select(once & ~gone)
    reasons = kept.column(WHY).to_pylist() if WHY in kept.columns else [None] * len(kept)
    drawn = np.array([reason == DRAWN for reason in reasons], bool)
    unasked = np.array([reason is None or not str(reason).strip() for reason in reasons], bool)
    return NewLabels(kept, drawn, unasked, corpus.select(once & gone), new, tuple(notes))


def _names(corpus: Corpus, known: Sequence[str], *, allow_new: bool) -> tuple[list[str], tuple[str, ...], list[str]]:
    """The labels in the spelling of the model, those that it does not have, and what was read as another."""
    found, new, notes = [], [], []
    counts = corpus.class_counts
    for number, name in enumerate(corpus.label_names):
        meant = label_meant(name, known)
        if meant is not None and meant != name:
            notes.append(f"the label {quote(name)} is read as {quote(meant)}")
        if meant is None and counts[number] and not (corpus.task == "labels" and name == LEAVE_OUT):
            new.append(name)
            if not allow_new:
                row = int(np.argmax(corpus.label_sets.having(number)))
                raise DataError(
                    f"{corpus.origin.place(row)}: the model does not know the label {quote(name)} "
                    f"({counted(int(counts[number]), 'text has', 'texts have')} it). Its labels are "
                    f"{quoted(nearest_first(name, known))}. Correct it, or take it for a new class with "
                    f"{setting('new_labels', True)}."
                )
        found.append(name if meant is None else meant)
    return found, tuple(new), notes


def _with_names(corpus: Corpus, names: Sequence[str]) -> Corpus:
    if list(names) == list(corpus.label_names):
        return corpus
    if corpus.task == "label-sets":
        return corpus.with_label_sets(corpus.label_sets, names, changes={})
    return corpus.with_labels(corpus.classes, names, changes={})


def _refuse_contradictions(corpus: Corpus) -> None:
    """Complain about a text that has two different labels."""
    first, numbers = corpus.first_occurrences, corpus.label_numbers
    rows = np.flatnonzero(numbers != numbers[first])
    if not rows.size:
        return
    row, earlier = int(rows[0]), int(first[rows[0]])
    more = f" So do {counted(rows.size - 1, 'other row', 'other rows')}." if rows.size > 1 else ""
    raise DataError(
        f"{corpus.origin.place(row)}: the text {excerpt(corpus[row].text, 40)} has the label "
        f"{quote(corpus[row].shown_label)} here, and {quote(corpus[earlier].shown_label)} in "
        f"{corpus.origin.place(earlier)}. Keep one of the two rows.{more}"
    )
