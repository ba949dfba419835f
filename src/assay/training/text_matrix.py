"""From texts to a matrix natively, with vocabularies that are kept.

Nothing here needs scikit-learn or scipy, whose import takes longer than most of this work.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.errors import DataError
from assay.features.columns.blocks import FeatureBlock as ModelBlock
from assay.features.columns.blocks import side_by_side
from assay.features.documents import as_documents
from assay.features.ngrams.column_choice import document_limits, most_frequent
from assay.features.ngrams.inverse_frequency import inverse_document_frequencies
from assay.features.ngrams.text_features import TextFeatures, Weighting, native_matrix
from assay.features.ngrams.vocabulary import Vocabulary
from assay.training.recipes import Block, FeatureBlock
from assay.training.vector_block import VectorBlock
from assay.wording import setting

__all__ = ["CompressedRows", "TextMatrix", "learn_features", "nothing_left"]


@dataclass(frozen=True, eq=False)
class CompressedRows:
    """As much of a sparse matrix as the native solvers take."""

    shape: tuple[int, int]
    indptr: NDArray[Any]
    indices: NDArray[Any]
    data: NDArray[Any]

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the values."""
        return self.data.dtype


@dataclass(frozen=True, eq=False)
class TextMatrix:
    """The matrix of a corpus (float32), and the features that its columns stand for.

    The vocabularies are still being put in order in another thread: a solver need not wait for them.
    """

    X: CompressedRows
    _features: Future[tuple[ModelBlock, ...]]

    @property
    def features(self) -> tuple[ModelBlock, ...]:
        """Ready for prediction."""
        return self._features.result()


def learn_features(texts: Any, blocks: Sequence[Block], *, threads: int) -> TextMatrix:
    """Learn the vocabularies and weights of blocks from texts, which are read once, and weigh the texts."""
    documents = as_documents(texts)
    ngrams = [block for block in blocks if isinstance(block, FeatureBlock)]
    embedded = [block.fitted(documents, threads) for block in blocks if isinstance(block, VectorBlock)]
    counted = _native.count_documents(documents, [block.analysis.native for block in ngrams], threads)
    rows, weightings, first_column = [], [], 0
    for block, corpus in zip(ngrams, counted, strict=True):
        n_columns = _choose_columns(block, corpus)
        weighting = _weighting(block, corpus.document_frequencies(), corpus.n_documents)
        rows.append(
            _native.counted_block(corpus, first_column=first_column, n_columns=n_columns, **weighting.settings())
        )
        weightings.append(weighting)
        first_column += n_columns
    indptr, indices, data = native_matrix(rows, n_threads=threads, dtype=np.float32)
    if embedded:
        parts = [(indptr, indices, data), *(v.rows(documents, n_threads=threads, dtype=np.float32) for v in embedded)]
        indptr, indices, data = side_by_side(parts, [first_column, *(v.n_columns for v in embedded)])
        first_column += sum(v.n_columns for v in embedded)
    X = CompressedRows((len(indptr) - 1, first_column), indptr, indices, data)

    def take_features() -> tuple[ModelBlock, ...]:
        taken = [
            TextFeatures(block.analysis, Vocabulary.from_counted(block.analysis, corpus), weighting)
            for block, corpus, weighting in zip(ngrams, counted, weightings, strict=True)
        ]
        return (*taken, *embedded)

    with_vocabularies = ThreadPoolExecutor(1)
    features = with_vocabularies.submit(take_features)
    with_vocabularies.shutdown(wait=False)
    return TextMatrix(X, features)


def _choose_columns(block: FeatureBlock, corpus: Any) -> int:
    """Give columns to the n-grams that min_df, max_df and max_features leave; returns how many."""
    lowest, highest = document_limits(block.min_df, block.max_df, corpus.n_documents)
    n_columns: int = corpus.assign_columns(lowest, highest) if corpus.n_features else 0
    if n_columns == 0:
        raise nothing_left(block, corpus)
    if block.max_features is not None and n_columns > block.max_features:
        kept = np.zeros(n_columns, dtype=np.uint8)
        kept[most_frequent(corpus.term_frequencies(block.binary), block.max_features)] = 1
        corpus.keep_columns(kept)
        n_columns = block.max_features
    return n_columns


def _weighting(block: FeatureBlock, frequencies: NDArray[np.int64], n_documents: int) -> Weighting:
    idf = np.empty(0)
    if block.idf:
        idf = inverse_document_frequencies(frequencies, n_documents, smooth=block.smooth_idf)
    return Weighting(binary=block.binary, sublinear=block.sublinear, norm=block.norm, idf=idf)


def nothing_left(block: FeatureBlock, corpus: Any) -> DataError:
    """What to say where a block of features would be empty."""
    if corpus.n_features == 0:
        return DataError(
            f"None of the {corpus.n_documents} training texts has anything of '{block.name}' in it: they are empty, or "
            f"hold no such characters. Look at the texts (assay inspect), or use {setting('chars', '1-3')}."
        )
    return DataError(
        f"No n-gram of '{block.name}' is in at least {block.min_df:g} and at most {block.max_df:g} of the "
        f"{corpus.n_documents} training texts. Lower min_df or raise max_df."
    )
