"""The matrices of a search: texts are read once, and every part of the corpus is weighted from the same counts."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from assay.evaluation.protocols.fold_features import CorpusFeatures, FoldSettings
from assay.features.documents import as_documents
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.counted_ngrams import count_ngrams, weighted_rows
from assay.features.ngrams.ngram_settings import NgramSettings
from assay.training.recipes import Block
from assay.training.vector_block import VectorBlock

__all__ = ["FoldMatrices"]

Rows = NDArray[np.int64]


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
        self._means: dict[VectorBlock, Any] = {}
        self._sizes: dict[VectorBlock | tuple[Analysis, int], int] = {}

    def count(self, blocks: Sequence[Block]) -> None:
        """Read the texts for these blocks, unless that has been done."""
        for block in dict.fromkeys(blocks):
            if isinstance(block, VectorBlock):
                if block not in self._means:
                    self._means[block] = self._averaged(block)
            elif _counts_key(block) not in self._counts:
                self._counts[_counts_key(block)] = self._counted(block)

    def forget(self, kept: Sequence[Block]) -> None:
        """Give back the memory of everything but these blocks."""
        self._means = {block: means for block, means in self._means.items() if block in kept}
        keys = {_counts_key(block) for block in kept if isinstance(block, NgramSettings)}
        self._counts = {key: counts for key, counts in self._counts.items() if key in keys}

    def size(self, block: Block) -> int:
        """Stored counts of all texts: what the work on a block is proportional to."""
        return self._sizes[block if isinstance(block, VectorBlock) else _counts_key(block)]

    def part(self, blocks: Sequence[Block], train: Rows, test: Rows) -> tuple[Any, Any]:
        """Matrices of training and test rows, with the features and weights of the training rows."""
        pairs = [
            (self._means[block][train], self._means[block][test])
            if isinstance(block, VectorBlock)
            else self._counts[_counts_key(block)].fold(
                train, test, FoldSettings(block, np.float32), threads=1, reuse_memory=len(blocks) == 1
            )
            for block in blocks
        ]
        if len(pairs) == 1:
            return pairs[0]
        return tuple(sparse.hstack([pair[side] for pair in pairs], format="csr") for side in (0, 1))

    def _averaged(self, block: VectorBlock) -> Any:
        fitted = block.fitted(self._documents, self._threads)
        indptr, indices, data = fitted.rows(self._documents, n_threads=self._threads, dtype=np.float32)
        self._sizes[block] = len(data)
        return sparse.csr_matrix((data, indices, indptr), shape=(len(indptr) - 1, fitted.n_columns))

    def _counted(self, block: NgramSettings) -> CorpusFeatures:
        analysis, lowest = _counts_key(block)
        plain = NgramSettings(analysis, lowest, sublinear=False, idf=False, norm=None)
        (counted,) = count_ngrams(self._documents, [plain], self._threads)
        indptr, indices, data = weighted_rows([counted], threads=self._threads, dtype=np.float32)
        shape = len(indptr) - 1, counted.n_columns
        matrix = sparse.csr_matrix((data.astype(np.int32), indices, indptr), shape=shape)
        matrix.has_sorted_indices = True
        self._sizes[_counts_key(block)] = matrix.nnz
        return CorpusFeatures(matrix)


def _counts_key(block: NgramSettings) -> tuple[Analysis, int]:
    """Blocks that can share counts; n-grams that no part of the corpus could keep are not counted."""
    return block.analysis, int(block.min_df) if isinstance(block.min_df, Integral) else 1
