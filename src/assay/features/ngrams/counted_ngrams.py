"""N-grams of texts, counted: which have a column, what their counts become, and the rows of the texts.

A vectorizer, a training and a search all go this way. Nothing here needs scikit-learn or scipy, whose import takes
longer than most of this work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay import _native
from assay.features.ngrams.ngram_settings import NgramSettings
from assay.features.ngrams.text_features import Rows, TextFeatures, Weighting, native_matrix
from assay.features.ngrams.vocabulary import Vocabulary

__all__ = ["CountedNgrams", "count_ngrams", "weighted_rows"]


@dataclass(frozen=True, eq=False)
class CountedNgrams:
    """The n-grams of documents: those that have a column, the documents that hold each, and what counts become."""

    settings: NgramSettings
    corpus: Any  # the native counts
    n_columns: int
    frequencies: npt.NDArray[np.int64]
    weighting: Weighting

    @classmethod
    def of(cls, settings: NgramSettings, corpus: Any) -> CountedNgrams:
        """Choose columns and weigh them."""
        n_columns = settings.choose_columns(corpus)
        frequencies = corpus.document_frequencies()
        return cls(settings, corpus, n_columns, frequencies, settings.weighting(frequencies, corpus.n_documents))

    def take_vocabulary(self) -> Vocabulary:
        """The n-grams that have a column; taken once, after the rows are written."""
        return Vocabulary.from_counted(self.settings.analysis, self.corpus)

    def take_features(self) -> TextFeatures:
        """The same with what counts become, ready for prediction."""
        return TextFeatures(self.settings.analysis, self.take_vocabulary(), self.weighting)


def count_ngrams(documents: Any, settings: Sequence[NgramSettings], threads: int) -> list[CountedNgrams]:
    """Read the documents once, by all settings."""
    counted = _native.count_documents(documents, [block.analysis.native for block in settings], threads)
    return [CountedNgrams.of(block, corpus) for block, corpus in zip(settings, counted, strict=True)]


def weighted_rows(blocks: Sequence[CountedNgrams], *, threads: int, dtype: npt.DTypeLike) -> Rows:
    """The matrix of the documents, blocks side by side."""
    natives, first_column = [], 0
    for block in blocks:
        how = block.weighting.settings()
        natives.append(_native.counted_block(block.corpus, first_column=first_column, n_columns=block.n_columns, **how))
        first_column += block.n_columns
    return native_matrix(natives, n_threads=threads, dtype=dtype)
