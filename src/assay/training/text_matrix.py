"""From texts to matrices natively: once for all folds of a search, or once with a vocabulary that is kept.

Nothing here needs scikit-learn, whose import takes longer than most of this work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from assay import _native
from assay.errors import DataError
from assay.evaluation.fold_features import CorpusFeatures, FeatureSettings
from assay.features.analysis import Analysis
from assay.features.documents import as_documents
from assay.features.text_features import TextFeatures, Weighting, native_matrix
from assay.features.vocabulary import Vocabulary
from assay.training.recipes import FeatureBlock

__all__ = ["FoldMatrices", "TextMatrix", "learn_features"]

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TextMatrix:
    """The matrix of a corpus, and the features that its columns stand for."""

    X: Any  # CSR, float32
    features: tuple[TextFeatures, ...]


def learn_features(texts: Any, blocks: Sequence[FeatureBlock], *, threads: int) -> TextMatrix:
    """Learn the vocabularies and weights of blocks from texts, which are read once, and weigh the texts."""
    documents = as_documents(texts)
    counted = _native.count_documents(documents, [block.analysis.native for block in blocks], threads)
    rows, weightings, first_column = [], [], 0
    for block, corpus in zip(blocks, counted, strict=True):
        n_columns = _choose_columns(block, corpus)
        weighting = _weighting(block, corpus.document_frequencies(), corpus.n_documents)
        rows.append(
            _native.counted_block(corpus, first_column=first_column, n_columns=n_columns, **weighting.settings())
        )
        weightings.append(weighting)
        first_column += n_columns
    indptr, indices, data = native_matrix(rows, n_threads=threads, dtype=np.float32)
    X = sparse.csr_array((data, indices, indptr), shape=(len(indptr) - 1, first_column), copy=False)
    X.has_sorted_indices = X.has_canonical_format = True
    features = tuple(
        TextFeatures(block.analysis, Vocabulary(block.analysis, corpus.take_vocabulary()), weighting)
        for block, corpus, weighting in zip(blocks, counted, weightings, strict=True)
    )
    return TextMatrix(X, features)


class FoldMatrices:
    """The counts of a corpus, made once for every way of reading; from them the matrices of any part of it.

    Parameters
    ----------
    texts
        All training texts.
    threads
        For counting.
    """

    def __init__(self, texts: Any, threads: int) -> None:
        self._documents = as_documents(texts)
        self._threads = threads
        self._counts: dict[tuple[Analysis, int], CorpusFeatures] = {}
        self._sizes: dict[tuple[Analysis, int], int] = {}

    def count(self, blocks: Sequence[FeatureBlock]) -> None:
        """Read the texts for these blocks, unless that has been done."""
        for block in dict.fromkeys(blocks):
            if _counts_key(block) not in self._counts:
                self._counts[_counts_key(block)] = self._counted(block)

    def forget(self, kept: Sequence[FeatureBlock]) -> None:
        """Give back the memory of everything but these blocks."""
        keys = {_counts_key(block) for block in kept}
        self._counts = {key: counts for key, counts in self._counts.items() if key in keys}

    def size(self, block: FeatureBlock) -> int:
        """Stored counts of all texts: what the work on a block is proportional to."""
        return self._sizes[_counts_key(block)]

    def part(self, blocks: Sequence[FeatureBlock], train: Rows, test: Rows) -> tuple[Any, Any]:
        """Matrices of training and test rows, with the features and weights of the training rows."""
        pairs = [
            self._counts[_counts_key(block)].fold(
                train, test, _fold_settings(block), threads=1, reuse_memory=len(blocks) == 1
            )
            for block in blocks
        ]
        if len(pairs) == 1:
            return pairs[0]
        return tuple(sparse.hstack([pair[side] for pair in pairs], format="csr") for side in (0, 1))

    def _counted(self, block: FeatureBlock) -> CorpusFeatures:
        (corpus,) = _native.count_documents(self._documents, [block.analysis.native], self._threads)
        lowest = _counts_key(block)[1]
        if corpus.n_features == 0 or (n_columns := corpus.assign_columns(float(lowest), float("inf"))) == 0:
            raise _nothing_left(block, corpus)
        plain = _native.counted_block(corpus, first_column=0, n_columns=n_columns, **Weighting().settings())
        indptr, indices, data = native_matrix([plain], n_threads=self._threads, dtype=np.float32)
        matrix = sparse.csr_matrix((data.astype(np.int32), indices, indptr), shape=(len(indptr) - 1, n_columns))
        matrix.has_sorted_indices = True
        self._sizes[_counts_key(block)] = matrix.nnz
        return CorpusFeatures(matrix)


def _counts_key(block: FeatureBlock) -> tuple[Analysis, int]:
    """Blocks that can share counts; n-grams that no part of the corpus could keep are not counted."""
    return block.analysis, int(block.min_df) if isinstance(block.min_df, Integral) else 1


def _fold_settings(block: FeatureBlock) -> FeatureSettings:
    return FeatureSettings(
        min_df=block.min_df,
        max_df=block.max_df,
        max_features=block.max_features,
        binary=block.binary,
        norm=block.norm,
        use_idf=block.idf,
        smooth_idf=block.smooth_idf,
        sublinear_tf=block.sublinear,
        dtype=np.float32,
    )


def _choose_columns(block: FeatureBlock, corpus: Any) -> int:
    """Give columns to the n-grams that min_df, max_df and max_features leave; returns how many."""
    n_documents = corpus.n_documents
    lowest, highest = (
        float(limit) if isinstance(limit, Integral) else limit * n_documents for limit in (block.min_df, block.max_df)
    )
    n_columns: int = corpus.assign_columns(lowest, highest) if corpus.n_features else 0
    if n_columns == 0:
        raise _nothing_left(block, corpus)
    if block.max_features is not None and n_columns > block.max_features:
        kept = np.zeros(n_columns, dtype=np.uint8)
        order = np.argsort(-corpus.term_frequencies(block.binary), kind="stable")
        kept[order[: block.max_features]] = 1
        corpus.keep_columns(kept)
        n_columns = block.max_features
    return n_columns


def _weighting(block: FeatureBlock, frequencies: NDArray[np.int64], n_documents: int) -> Weighting:
    idf = np.empty(0)
    if block.idf:
        smooth = int(block.smooth_idf)
        idf = np.log((n_documents + smooth) / (frequencies + smooth)) + 1.0
    return Weighting(binary=block.binary, sublinear=block.sublinear, norm=block.norm, idf=idf)


def _nothing_left(block: FeatureBlock, corpus: Any) -> DataError:
    if corpus.n_features == 0:
        return DataError(
            f"None of the {corpus.n_documents} training texts has anything of '{block.name}' in it: they are empty, or "
            "hold no such characters. Look at the texts (assay inspect), or use --chars 1-3."
        )
    return DataError(
        f"No n-gram of '{block.name}' is in at least {block.min_df:g} and at most {block.max_df:g} of the "
        f"{corpus.n_documents} training texts. Lower min_df or raise max_df."
    )
