"""The matrices of a search: texts are read once, and every part of the corpus is weighted from the same counts."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from assay.evaluation.protocols.fold_features import CorpusFeatures, FoldSettings
from assay.features.columns.blocks import side_by_side
from assay.features.columns.text_matrix import TextMatrix
from assay.features.documents import as_documents
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.counted_ngrams import CountedNgrams, count_ngrams, weighted_rows
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
    sample
        Numbers of the texts that are read, rising; None: all.
    """

    def __init__(self, texts: Any, threads: int, sample: Rows | None = None) -> None:
        self._texts, self._sample = texts, sample
        self._documents = as_documents(texts if sample is None else texts.take(sample))
        self._share = 1.0 if sample is None else sample.size / len(texts)
        self._threads = threads
        self._counts: dict[tuple[Analysis, int], CorpusFeatures] = {}
        self._ngrams: dict[tuple[Analysis, int], CountedNgrams] = {}
        self._means: dict[VectorBlock, Any] = {}
        self._sizes: dict[VectorBlock | tuple[Analysis, int], int] = {}

    @property
    def has_all(self) -> bool:
        """Whether all texts are read, not a sample."""
        return self._sample is None

    def of_all(self) -> FoldMatrices:
        """Of all texts, also where a sample was read."""
        return self if self.has_all else FoldMatrices(self._texts, self._threads)

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
        self._ngrams = {key: counted for key, counted in self._ngrams.items() if key in keys}

    def size(self, block: Block) -> int:
        """Stored counts of all texts, by those that were read: what the work on a block is proportional to."""
        read = self._sizes[block if isinstance(block, VectorBlock) else _counts_key(block)]
        return round(read / self._share)

    def n_columns(self, blocks: Sequence[Block]) -> int:
        """Columns of these blocks: of a part of the texts there may be fewer, never more."""
        return sum(
            self._means[block].shape[1]
            if isinstance(block, VectorBlock)
            else self._counts[_counts_key(block)].n_columns
            for block in blocks
        )

    def take(self, blocks: Sequence[Block]) -> TextMatrix | None:
        """The matrix of all texts and its features, out of the counts; None where that takes reading them again.

        They can be had once: the features take the n-grams with them.
        """
        ngrams = [block for block in blocks if isinstance(block, NgramSettings) and block.max_features is None]
        keys = [_counts_key(block) for block in ngrams]
        if len(ngrams) < len(blocks) or len({*keys} & {*self._ngrams}) < len(keys):
            return None
        everything, nothing = np.arange(self._counts[keys[0]].n_documents), np.arange(0)
        rows, counted = [], []
        for block, key in zip(ngrams, keys, strict=True):
            X, _ = self._counts.pop(key).fold(everything, nothing, FoldSettings(block, np.float32), self._threads)
            rows.append((X.indptr, X.indices, X.data))
            counted.append(CountedNgrams.of(block, self._ngrams.pop(key).corpus))
        widths = [block.n_columns for block in counted]
        return TextMatrix.of(rows[0] if len(rows) == 1 else side_by_side(rows, widths), counted)

    def part(self, blocks: Sequence[Block], train: Rows, test: Rows) -> tuple[Any, Any]:
        """Matrices of training and test rows, with the features and weights of the training rows."""
        if self._sample is not None:
            train, test = np.searchsorted(self._sample, train), np.searchsorted(self._sample, test)
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
        if self._sample is None:
            self._ngrams[_counts_key(block)] = counted
        return CorpusFeatures(matrix)


def _counts_key(block: NgramSettings) -> tuple[Analysis, int]:
    """Blocks that can share counts; n-grams that no part of the corpus could keep are not counted."""
    return block.analysis, int(block.min_df) if isinstance(block.min_df, Integral) else 1
