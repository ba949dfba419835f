"""Words and their numbers: 0 is padding, 1 every word that is not known, and the known words follow.

Texts are read by the native tokenizer, words and punctuation marks in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

import numpy as np

from assay import _native
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.native_vectorizer import said_with_way_out
from assay.features.ngrams.vocabulary import Vocabulary
from assay.neural.reading.sequences import Sequences

__all__ = ["FIRST_WORD", "PADDING", "UNKNOWN", "WORDS_AND_MARKS", "Words"]

PADDING = 0
UNKNOWN = 1
FIRST_WORD = 2

#: How texts are read where nothing else is said.
WORDS_AND_MARKS = Analysis(tokens="words_and_punctuation", min_token_length=1)


class Words:
    """The words that a network knows.

    Parameters
    ----------
    vocabulary
        Word i has the number i + 2.

    Examples
    --------
    >>> from assay.features.documents import as_documents
    >>> words = Words.learned(as_documents(["good film!", "good one"]), min_count=2)
    >>> len(words), words.names()
    (3, ['good'])
    >>> words.sequences(as_documents(["a good film", ""])).ids.tolist()
    [1, 2, 1]
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    def __len__(self) -> int:
        """Numbers that there are, those for padding and the unknown included."""
        return FIRST_WORD + len(self.vocabulary)

    @property
    def analysis(self) -> Analysis:
        """How texts are read."""
        return self.vocabulary.analysis

    @classmethod
    def learned(
        cls,
        documents: Any,
        analysis: Analysis = WORDS_AND_MARKS,
        *,
        min_count: int = 1,
        most: int | None = None,
        threads: int = 1,
    ) -> Words:
        """The words of some texts, in the order of the alphabet.

        Parameters
        ----------
        documents
            Texts for the native core.
        analysis
            How they are read.
        min_count
            Texts that a word must occur in.
        most
            Keep only so many, the most frequent ones.
        threads
            To read with.
        """
        with said_with_way_out():
            (counted,) = _native.count_documents(documents, [analysis.native], threads)
        n_words = counted.assign_columns(float(min_count), float(len(documents)))
        if most is not None and n_words > most:
            kept = np.zeros(n_words, dtype=np.uint8)
            # Of equally frequent words, the first in the alphabet.
            kept[np.argsort(-counted.term_frequencies(False), kind="stable")[:most]] = 1
            counted.keep_columns(kept)
        return cls(Vocabulary.from_counted(analysis, counted))

    @classmethod
    def of(cls, names: Sequence[str], analysis: Analysis = WORDS_AND_MARKS) -> Words:
        """Given words, in this order."""
        return cls(Vocabulary.from_terms(analysis, {name: number for number, name in enumerate(names)}))

    def joined(self, further: Iterable[str], *, most: int | None = None) -> Words:
        """These words, and after them others that are not among them: all, or so many, the first ones."""
        names = self.names()
        known = set(names)
        others = (word for word in dict.fromkeys(further) if word not in known)
        return Words.of([*names, *islice(others, most)], self.analysis)

    def names(self) -> list[str]:
        """The words, from number 2 on."""
        return self.vocabulary.names()

    def sequences(self, documents: Any, *, threads: int = 1) -> Sequences:
        """Texts as numbers of their words."""
        with said_with_way_out():
            begin, columns = _native.token_columns(documents, self.analysis.native, self.vocabulary.native, threads)
        # The native core says -1 for what it does not know: that becomes 1.
        return Sequences(begin, columns + np.int32(FIRST_WORD))
