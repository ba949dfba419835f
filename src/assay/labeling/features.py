"""The features of a pool of texts: tf-idf of words and pairs of words, to compare them by and to learn from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.data.profile.scripts import has_words
from assay.errors import DataError
from assay.features.columns.text_matrix import CompressedRows, TextMatrix, learn_features
from assay.features.documents import as_documents
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.ngram_settings import NgramSettings
from assay.features.ngrams.text_features import TextFeatures
from assay.features.ngrams.vocabulary import Vocabulary
from assay.threads import count_threads

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["PoolFeatures"]

_ENOUGH = 0.9  # of the texts that are to have a feature


@dataclass(frozen=True, eq=False)
class PoolFeatures:
    """Rows of unit length, and what their columns are called.

    Attributes
    ----------
    rows
        float32; the row of a text without any feature is empty.
    """

    rows: CompressedRows
    _matrix: TextMatrix | None

    @classmethod
    def of(cls, corpus: Corpus, threads: int | None) -> PoolFeatures:
        """Words and pairs of words that two texts have; where hardly any are, those of one too.

        Texts in scripts without blanks between words are taken by one to three characters.
        """
        documents = as_documents(corpus)
        words = Analysis(ngrams=(1, 2)) if has_words(corpus.texts) else Analysis(unit="char", ngrams=(1, 3))
        for least in (2, 1):
            try:
                matrix = learn_features(documents, [NgramSettings(words, min_df=least)], threads=count_threads(threads))
            except (DataError, ValueError):  # no n-gram is left
                continue
            if least == 1 or np.mean(np.diff(matrix.X.indptr) > 0) >= _ENOUGH:
                return cls(_of_one_type(matrix.X), matrix)
        nothing = np.zeros(len(corpus) + 1, np.int32)
        return cls(CompressedRows((len(corpus), 1), nothing, nothing[:0], np.zeros(0, np.float32)), None)

    @property
    def is_empty(self) -> NDArray[np.bool_]:
        """Which texts have no feature to go by."""
        return np.asarray(np.diff(self.rows.indptr) == 0)

    def names(self, columns: NDArray[np.integer]) -> list[str]:
        """The n-grams of some columns."""
        content, offsets = self._terms
        return [bytes(content[offsets[c] : offsets[c + 1]]).decode() for c in columns]

    @cached_property
    def _terms(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        assert self._matrix is not None, "a column has a name"
        [block] = self._matrix.features
        assert isinstance(block, TextFeatures), "as it was learned"
        assert isinstance(block.columns, Vocabulary), "as it was learned"
        return block.columns.to_arrays()


def _of_one_type(X: CompressedRows) -> CompressedRows:
    """Offsets and columns in the same type, as the kernels take them."""
    if X.indptr.dtype == X.indices.dtype:
        return X
    return CompressedRows(X.shape, X.indptr.astype(np.int64), X.indices.astype(np.int64), X.data)
