"""Columns for n-grams that no old text had: what a file can honestly say of them.

The vocabulary of a model has every n-gram that enough of its texts had. One that is not there was in fewer of them than
that, in most models in none: so the new texts alone say in how many it is. The weights of old columns keep their
factors (idf), to which they were learned.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.features.ngrams.column_choice import document_limits, most_frequent
from assay.features.ngrams.inverse_frequency import inverse_document_frequencies
from assay.features.ngrams.string_arrays import strings_to_arrays
from assay.features.ngrams.text_features import TextFeatures
from assay.features.ngrams.vocabulary import Vocabulary
from assay.updating.onward.told import WordChoice

__all__ = ["Grown", "grown"]

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Grown:
    """Blocks with columns more.

    Attributes
    ----------
    features
        The blocks.
    places
        Which of the columns the old ones are.
    n_columns
        Of all blocks.
    """

    features: tuple[TextFeatures, ...]
    places: Places
    n_columns: int

    def table(self, old: NDArray[Any]) -> NDArray[Any]:
        """A table of the old columns with rows of zeros for the new ones."""
        if self.n_columns == len(old):
            return np.array(old)
        wider = np.zeros((self.n_columns, old.shape[1]), old.dtype)
        wider[self.places] = old
        return wider


def grown(
    features: Sequence[TextFeatures], words: Sequence[WordChoice | None], documents: Any, n_old: int, threads: int
) -> Grown:
    """The features with columns for the n-grams of new documents that are frequent enough.

    Examples
    --------
    >>> from assay.features.documents import as_documents
    >>> from assay.features.ngrams.analysis import Analysis
    >>> from assay.features.ngrams.text_features import Weighting
    >>> words = Vocabulary.from_terms(Analysis(), {"bad": 0, "good": 1})
    >>> block = TextFeatures(Analysis(), words, Weighting(idf=np.ones(2)))
    >>> found = grown([block], [WordChoice()], as_documents(["a fine film", "fine, good"]), 8, 1)
    >>> found.features[0].names(), found.places.tolist(), found.features[0].weighting.idf.round(2).tolist()
    (['bad', 'film', 'fine', 'good'], [0, 3], [1.0, 2.7, 2.3, 1.0])
    """
    wider, places, begin = [], [], 0
    for block, choice in zip(features, words, strict=True):
        found, own = (
            (block, np.arange(block.n_columns)) if choice is None else _grown(block, choice, documents, n_old, threads)
        )
        wider.append(found)
        places.append(own + begin)
        begin += found.n_columns
    return Grown(tuple(wider), np.concatenate(places), begin)


def _grown(
    block: TextFeatures, choice: WordChoice, documents: Any, n_old: int, threads: int
) -> tuple[TextFeatures, Places]:
    n_texts = n_old + len(documents)
    lowest, _ = document_limits(choice.min_df, 1.0, n_texts)
    old = block.names() or []
    room = (2**31 - 1 if choice.most is None else choice.most) - len(old)
    unchanged = block, np.arange(len(old))
    if room <= 0 or not len(documents):
        return unchanged
    (counted,) = _native.count_documents(documents, [block.analysis.native], threads)
    if not counted.n_features or not counted.assign_columns(max(lowest, 1.0), np.inf):
        return unchanged
    frequencies = counted.document_frequencies()
    names = Vocabulary.from_arrays(block.analysis, *counted.take_vocabulary().name_blob(block.analysis.native)).names()
    known = set(old)
    new = np.flatnonzero([name not in known for name in names])
    if len(new) > room:
        new = new[most_frequent(frequencies[new], room)]
    if not len(new):
        return unchanged
    rising = all(a < b for a, b in pairwise(old))
    at = [bisect_left(old, names[k]) for k in new] if rising else [len(old)] * len(new)
    before = np.cumsum(np.bincount(at, minlength=len(old) + 1))[: len(old)]
    places, own = np.arange(len(old)) + before, np.array(at) + np.arange(len(new))
    terms = np.empty(len(old) + len(new), dtype=object)
    terms[places], terms[own] = old, [names[k] for k in new]
    idf = np.empty(0)
    if len(block.weighting.idf):
        idf = np.empty(len(terms))
        idf[places] = block.weighting.idf
        idf[own] = inverse_document_frequencies(frequencies[new], n_texts, smooth=choice.smooth)
    vocabulary = Vocabulary.from_arrays(block.analysis, *strings_to_arrays(terms))
    return replace(block, columns=vocabulary, weighting=replace(block.weighting, idf=idf)), places
