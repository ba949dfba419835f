"""Features of folds without tokenising again.

The counts of all documents are made once. For a fold, the training rows decide which columns there are and what they
weigh (document frequencies, `min_df`, `max_df`, `max_features`, idf), and train and test rows are weighted natively:
the matrices equal those of a vectorizer fitted anew on the fold's training texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from assay import _native
from assay.errors import DataError
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.ngram_settings import NgramSettings

__all__ = ["CorpusFeatures", "FoldSettings", "HashedFeatures", "settings_of", "text_settings"]

# Settings that act on counts; all others act on text, and changing them means tokenising again.
_AFTER_COUNTING = (
    "min_df",
    "max_df",
    "max_features",
    "binary",
    "norm",
    "smooth_idf",
    "use_idf",
    "sublinear_tf",
    "dtype",
)
_FREQUENT = 16  # documents
_NORMS = {None: 0, "l1": 1, "l2": 2}


@dataclass(frozen=True)
class FoldSettings:
    """What is done with counts, the type of the matrices, and whether all columns were given beforehand."""

    ngrams: NgramSettings
    dtype: Any = np.float64
    fixed_vocabulary: bool = False


def settings_of(vectorizer: Any) -> FoldSettings:
    """The settings of a CountVectorizer or TfidfVectorizer, scikit-learn's or assay's."""
    parameters = vectorizer.get_params(deep=False)
    known = {"idf": parameters.get("use_idf", False), "sublinear": parameters.get("sublinear_tf", False), "norm": None}
    known |= {name: parameters[name] for name in _AFTER_COUNTING[:6] if name in parameters}
    return FoldSettings(
        NgramSettings(Analysis(), **known), parameters["dtype"], parameters.get("vocabulary") is not None
    )


def text_settings(vectorizer: Any) -> tuple[Any, ...]:
    """What of a vectorizer's settings acts on text: equal ones share counts."""
    parameters = vectorizer.get_params(deep=False)
    later = () if type(vectorizer).__name__ == "HashingVectorizer" else _AFTER_COUNTING
    kept = sorted(name for name in parameters if name not in later)
    return (type(vectorizer), *((name, repr(parameters[name])) for name in kept))


class CorpusFeatures:
    """The counts of a corpus, tokenised once.

    Parameters
    ----------
    counts
        Documents × all terms, with columns in the order of the terms.

    Examples
    --------
    >>> features = CorpusFeatures(csr_matrix([[1, 1, 0], [0, 2, 1], [1, 0, 1]]))
    >>> counts = NgramSettings(Analysis(), sublinear=False, idf=False, norm=None)
    >>> train, test = features.fold(np.array([0]), np.array([1, 2]), FoldSettings(counts))
    >>> test.toarray()
    array([[0., 2.],
           [1., 0.]])
    """

    def __init__(self, counts: csr_matrix) -> None:
        counts = csr_matrix(counts)
        if not counts.has_sorted_indices:
            counts = counts.sorted_indices()
        self.n_documents, self.n_columns = counts.shape
        self._documents = np.bincount(counts.indices, minlength=self.n_columns).astype(np.int32)
        # Frequent columns stand together, so that most look-ups of a fold stay in the cache.
        frequent = self._documents >= _FREQUENT
        self._slot = np.where(frequent, np.cumsum(frequent), np.cumsum(~frequent) + frequent.sum()).astype(np.int32) - 1
        self._offsets = counts.indptr.astype(np.int64, copy=False)
        self._counts = _native.CorpusCounts(
            self._offsets, self._slot[counts.indices], counts.data.astype(np.int32, copy=False), self.n_columns
        )
        self._memory = local()

    @classmethod
    def of(cls, vectorizer: Any, texts: Sequence[str]) -> CorpusFeatures:
        """Tokenise and count with a vectorizer's settings, keeping every term."""
        parameters = vectorizer.get_params(deep=False)
        counter_class = _counter_class(vectorizer)
        accepted = counter_class().get_params(deep=False)
        kept = {name: parameters[name] for name in accepted if name not in _AFTER_COUNTING}
        return cls(counter_class(**kept, dtype=np.int32).fit_transform(texts))

    def fold(
        self,
        train: NDArray[Any],
        test: NDArray[Any],
        settings: FoldSettings,
        threads: int = 1,
        reuse_memory: bool = False,
    ) -> tuple[csr_matrix, csr_matrix]:
        """Matrices of the training and the test rows, as a vectorizer fitted on the training rows gives them.

        With `reuse_memory` they are valid until the same thread asks for its next fold.
        """
        train, test = np.asarray(train, dtype=np.int32), np.asarray(test, dtype=np.int32)
        ngrams = settings.ngrams
        documents, occurrences = self._training_counts(train, ngrams.max_features is not None, threads)
        columns = self._kept_columns(documents, occurrences, train.size, settings)
        place = self._room("fold", 2 * self.n_columns, np.int32, reuse_memory).reshape(-1, 2)
        place.fill(-1)
        slots = self._slot[columns]
        place[slots, 0] = np.arange(columns.size, dtype=np.int32)
        place[slots, 1] = documents[columns]
        weighting = ngrams.weighting(np.arange(train.size + 1), train.size)  # by the documents that hold a column
        all_kept = columns.size == np.count_nonzero(documents)
        matrices = []
        for name, rows in (("train", train), ("test", test)):
            offsets = self._row_offsets(rows, place, threads, all_kept and name == "train")
            size = int(offsets[-1])
            indices = self._room(f"{name} indices", size, np.int32, reuse_memory)
            kind = np.float32 if np.dtype(settings.dtype) == np.float32 else np.float64
            values = self._room(f"{name} values", size, kind, reuse_memory)
            how = weighting.idf, ngrams.binary, ngrams.sublinear, _NORMS[ngrams.norm]
            _native.weight_fold_rows(self._counts, rows, place, *how, offsets, threads, indices, values)
            matrices.append(_csr(values.astype(settings.dtype, copy=False), indices, offsets, columns.size))
        return matrices[0], matrices[1]

    def _training_counts(
        self, train: NDArray[np.int32], with_occurrences: bool, threads: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Of each column: training documents that hold it, and how often (where asked for)."""
        if with_occurrences or 2 * train.size <= self.n_documents:
            return self._count(train, with_occurrences, threads)
        outside = np.ones(self.n_documents, bool)
        outside[train] = False
        documents, occurrences = self._count(np.flatnonzero(outside).astype(np.int32), False, threads)
        return self._documents - documents, occurrences

    def _count(
        self, rows: NDArray[np.int32], with_occurrences: bool, threads: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        documents = np.empty(self.n_columns, np.int32)
        occurrences = np.empty(self.n_columns if with_occurrences else 0, np.int64)
        _native.count_fold_columns(self._counts, rows, threads, documents, occurrences)
        return documents[self._slot], occurrences[self._slot] if with_occurrences else occurrences

    def _kept_columns(
        self,
        documents: NDArray[np.int32],
        occurrences: NDArray[Any],
        n_train: int,
        settings: FoldSettings,
    ) -> NDArray[np.int64]:
        """Columns that a vectorizer fitted on the training rows would have, in order."""
        if settings.fixed_vocabulary:
            return np.arange(self.n_columns)
        columns = settings.ngrams.kept(documents, occurrences, n_train)
        if columns.size == 0:
            raise DataError(
                f"No term is left in a fold with {n_train} training documents: min_df={settings.ngrams.min_df!r} and "
                f"max_df={settings.ngrams.max_df!r} leave none. Lower min_df, raise max_df, or use fewer folds."
            )
        return columns

    def _row_offsets(
        self, rows: NDArray[np.int32], place: NDArray[np.int32], threads: int, all_kept: bool
    ) -> NDArray[np.int64]:
        offsets = np.empty(rows.size + 1, np.int64)
        if all_kept:
            offsets[0] = 0
            np.cumsum(self._offsets[rows + 1] - self._offsets[rows], out=offsets[1:])
        else:
            _native.measure_fold_rows(self._counts, rows, place, threads, offsets)
        return offsets

    def _room(self, name: str, size: int, dtype: Any, reuse: bool) -> NDArray[Any]:
        """An array of this size: a new one, or the thread's own from the fold before (fresh pages cost time)."""
        if not reuse:
            return np.empty(size, dtype)
        kept = getattr(self._memory, name, None)
        if kept is None or kept.size < size or kept.dtype != dtype:
            kept = np.empty(size, dtype)
            setattr(self._memory, name, kept)
        return np.asarray(kept[:size])


class HashedFeatures:
    """Rows of a vectorizer that learns nothing: a fold only selects them."""

    def __init__(self, rows: csr_matrix) -> None:
        self._rows = csr_matrix(rows)

    @classmethod
    def of(cls, vectorizer: Any, texts: Sequence[str]) -> HashedFeatures:
        """Hash all documents once."""
        return cls(vectorizer.transform(texts))

    def fold(self, train: NDArray[Any], test: NDArray[Any], *_: Any, **__: Any) -> tuple[csr_matrix, csr_matrix]:
        """Matrices of the training and the test rows."""
        return self._rows[train], self._rows[test]


def _csr(values: NDArray[Any], indices: NDArray[np.int32], offsets: NDArray[np.int64], n_columns: int) -> csr_matrix:
    narrow = np.int32 if indices.size < 2**31 else np.int64
    matrix = csr_matrix((values, indices, offsets.astype(narrow)), (offsets.size - 1, n_columns))
    matrix.has_sorted_indices = True
    matrix.has_canonical_format = True
    return matrix


def _counter_class(vectorizer: Any) -> Any:
    """The CountVectorizer of the same make."""
    if type(vectorizer).__module__.startswith("assay."):
        from assay.features.ngrams.count import CountVectorizer

        return CountVectorizer
    return next(c for c in type(vectorizer).__mro__ if c.__name__ == "CountVectorizer")
