"""Labels in the data that a model never saw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from assay.data.corpus.spellings import merged_names
from assay.errors import DataError
from assay.suggest import check_choice, counted, nearest_first, quote, quoted

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["settle_unseen"]

WAYS = ("refuse", "count", "skip")


def settle_unseen(corpus: Corpus, labels: Sequence[str], way: str) -> tuple[Corpus, list[str]]:
    """Refuse texts whose label is not one of `labels`, keep them to be counted as mistakes, or leave them out.

    Returns the corpus that is left, and what a person should know about it.
    """
    check_choice("--unseen", way, WAYS)
    there = set(labels)
    known = np.array([name in there for name in corpus.label_names], bool)
    strange = ~known[corpus.classes]
    if not strange.any():
        return corpus, []
    names = [corpus.label_names[k] for k in np.unique(corpus.classes[strange])]
    first = corpus.origin.place(int(np.flatnonzero(strange)[0]))
    what = (
        f"{counted(int(strange.sum()), 'text has a label', 'texts have labels')} that the model never saw: "
        f"{quoted(names)} (the first: {first})"
    )
    renamed = merged_names(dict.fromkeys(names, 1), labels)
    if strange.all() and not renamed:
        raise DataError(
            f"{corpus.source}: not one label is known to the model. {what}. The model's labels are "
            f"{quoted(nearest_first(names[0], labels))}. Say which column holds the labels with --label."
        )
    if way == "refuse" and renamed:
        label, name = next(iter(renamed.items()))
        raise DataError(
            f"{corpus.source}: {what}. {quote(label)} differs only in case or blanks from the model's {quote(name)}: "
            "use --merge-labels to take them for one, or --unseen count to count such texts as mistakes."
        )
    if way == "refuse":
        raise DataError(
            f"{corpus.source}: {what}. The model's labels are {quoted(nearest_first(names[0], labels))}. Use --unseen "
            "count to count such texts as mistakes, or --unseen skip to leave them out."
        )
    if way == "count":
        return corpus, [f"{what}; they count as mistakes"]
    return corpus.select(~strange), [f"{what}; they are left out"]
