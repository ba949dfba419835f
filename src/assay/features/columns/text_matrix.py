"""From texts to one matrix and the features that predict: n-grams that are learned, and other blocks beside them.

Nothing here needs scikit-learn or scipy.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.features.columns.blocks import FeatureBlock, side_by_side
from assay.features.ngrams.counted_ngrams import CountedNgrams, count_ngrams, weighted_rows
from assay.features.ngrams.ngram_settings import NgramSettings
from assay.features.ngrams.text_features import Rows

__all__ = ["CompressedRows", "TextMatrix", "learn_features"]


@dataclass(frozen=True, eq=False)
class CompressedRows:
    """As much of a sparse matrix as the native solvers take."""

    shape: tuple[int, int]
    indptr: npt.NDArray[Any]
    indices: npt.NDArray[Any]
    data: npt.NDArray[Any]

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the values."""
        return self.data.dtype

    def __getitem__(self, rows: npt.NDArray[np.intp]) -> CompressedRows:
        lengths = np.diff(self.indptr)[rows]
        indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(self.indptr.dtype)
        places = np.arange(indptr[-1]) + np.repeat(self.indptr[rows] - indptr[:-1], lengths)
        return CompressedRows((len(rows), self.shape[1]), indptr, self.indices[places], self.data[places])


@dataclass(frozen=True, eq=False)
class TextMatrix:
    """The matrix of a corpus (float32), and the features that its columns stand for.

    The vocabularies are still being put in order in another thread: a solver need not wait for them.
    """

    X: CompressedRows
    _features: Future[tuple[FeatureBlock, ...]]

    @classmethod
    def of(cls, rows: Rows, counted: Sequence[CountedNgrams], designed: Sequence[FeatureBlock] = ()) -> TextMatrix:
        """Rows of n-grams that have been counted, which give up their vocabularies, and of other blocks after them."""
        with_vocabularies = ThreadPoolExecutor(1)
        features = with_vocabularies.submit(lambda: (*(block.take_features() for block in counted), *designed))
        with_vocabularies.shutdown(wait=False)
        indptr, indices, data = rows
        width = sum(block.n_columns for block in counted) + sum(block.n_columns for block in designed)
        return cls(CompressedRows((len(indptr) - 1, width), indptr, indices, data), features)

    @property
    def features(self) -> tuple[FeatureBlock, ...]:
        """Ready for prediction."""
        return self._features.result()


def learn_features(
    documents: Any, settings: Sequence[NgramSettings], designed: Sequence[FeatureBlock] = (), *, threads: int
) -> TextMatrix:
    """Learn the vocabularies and weights of n-grams, weigh the documents, and put the columns of other blocks beside.

    Parameters
    ----------
    documents
        Of `as_documents`.
    settings
        Blocks of n-grams.
    designed
        Blocks that are fitted already.
    threads
        They change no bit.
    """
    counted = count_ngrams(documents, settings, threads)
    rows = weighted_rows(counted, threads=threads, dtype=np.float32)
    if designed:
        beside = [block.rows(documents, n_threads=threads, dtype=np.float32) for block in designed]
        widths = [sum(block.n_columns for block in counted), *(block.n_columns for block in designed)]
        rows = side_by_side([rows, *beside], widths)
    return TextMatrix.of(rows, counted, designed)
