"""From texts to sequences of words that a network knows, long texts cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.vocabulary import Vocabulary
from assay.header_checks import choice, entry, whole_number
from assay.neural.reading.readers import READER_KINDS, Arrays
from assay.neural.reading.sequences import LONG_TEXTS, Sequences
from assay.neural.reading.words import Words
from assay.prediction.scoring import documents_of

__all__ = ["WordReader"]


@READER_KINDS.add
@dataclass(frozen=True, eq=False)
class WordReader:
    """Reads words.

    Attributes
    ----------
    words
        Those that are known.
    max_length
        Words of a text that are read at once; None for all.
    long_texts
        What is done with longer texts, one of `LONG_TEXTS`.
    """

    words: Words
    max_length: int | None
    long_texts: str

    kind: ClassVar[str] = "words"

    def read(self, texts: Any, threads: int) -> Sequences:
        """Texts as sequences."""
        return self.words.sequences(documents_of(texts), threads=threads).limited(self.max_length, self.long_texts)

    def check_fits(self, settings: Mapping[str, Any]) -> None:
        """Complain about a table of vectors for another number of words."""
        if settings.get("n_words") != len(self.words):
            raise ValueError(f"the network has vectors of {settings.get('n_words')} words, not of {len(self.words)}")

    def to_data(self) -> tuple[dict[str, Any], Arrays]:
        """Plain values, and the words."""
        terms, offsets = self.words.vocabulary.to_arrays()
        description = {
            "analysis": self.words.analysis.to_dict(),
            "max_length": self.max_length,
            "long_texts": self.long_texts,
        }
        return description, {"words.terms": terms, "words.offsets": offsets}

    @classmethod
    def from_data(cls, description: Mapping[str, Any], arrays: Arrays) -> Self:
        """The inverse of `to_data`."""
        analysis = Analysis.from_dict(entry(description, "analysis", dict))
        if analysis.unit != "word" or analysis.ngrams != (1, 1):
            raise ValueError(f"'analysis' reads n-grams {analysis.ngrams} of {analysis.unit}s, not words")
        most = description.get("max_length")
        if most is not None:
            most = whole_number(description, "max_length", 1, np.iinfo(np.int32).max)
        vocabulary = Vocabulary.checked(analysis, arrays.pop("words.terms"), arrays.pop("words.offsets"))
        return cls(Words(vocabulary), most, choice(description, "long_texts", LONG_TEXTS))
