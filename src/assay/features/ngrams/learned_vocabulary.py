"""Learning a vocabulary natively and looking documents up in it: what CountVectorizer and TfidfVectorizer share."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from numbers import Integral
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn import get_config

from assay import _native
from assay.errors import DataError, ParameterError
from assay.features.ngrams.analysis import NAMED_TOKENIZERS, Analysis
from assay.features.ngrams.column_choice import document_limits, most_frequent
from assay.features.ngrams.native_vectorizer import NativeVectorizer, NonTextFeatureError, said_with_way_out
from assay.features.ngrams.text_features import Rows, TextFeatures, Weighting, native_matrix
from assay.features.ngrams.vocabulary import Vocabulary
from assay.sklearn_internals import StrOptions
from assay.suggest import shortened

__all__ = ["LearnedVocabulary", "Weigh", "constraints_with_ours", "csr"]

#: From document frequencies (None: they do not matter) and the number of documents to weights.
Weigh = Callable[[npt.NDArray[np.int64], int], Weighting]


def constraints_with_ours(theirs: dict[str, Any]) -> dict[str, Any]:
    """Scikit-learn's constraints of a vectorizer's parameters, and what this package allows beyond them."""
    named = StrOptions(set(NAMED_TOKENIZERS))
    return {**theirs, "tokenizer": [*theirs["tokenizer"], named], "n_jobs": [Integral, None]}


def csr(rows: Rows, n_columns: int) -> Any:
    """The rows as the kind of sparse matrix that scikit-learn is set to return."""
    indptr, indices, data = rows
    matrix = sp.csr_array((data, indices, indptr), shape=(len(indptr) - 1, n_columns), copy=False)
    matrix.has_sorted_indices = True
    matrix.has_canonical_format = True
    return matrix if get_config().get("sparse_interface") == "sparray" else sp.csr_matrix(matrix)


class LearnedVocabulary(NativeVectorizer):
    """Mixin before one of scikit-learn's vectorizers that have a vocabulary."""

    vocabulary: Mapping[str, int] | Iterable[str] | None
    dtype: npt.DTypeLike
    max_df: float
    min_df: float
    max_features: int | None
    binary: bool
    fixed_vocabulary_: bool
    _vocabulary: Vocabulary | dict[Any, int]

    @property
    def vocabulary_(self) -> dict[Any, int]:
        """Column of each term; the strings are made when it is first looked at."""
        if "_vocabulary" not in vars(self):
            raise AttributeError(f"this {type(self).__name__} has no vocabulary_ yet: call 'fit' first")
        return self._vocabulary.terms() if isinstance(self._vocabulary, Vocabulary) else self._vocabulary

    @vocabulary_.setter
    def vocabulary_(self, terms: dict[Any, int]) -> None:
        self._vocabulary = terms

    @vocabulary_.deleter
    def vocabulary_(self) -> None:
        del self._vocabulary

    def get_feature_names_out(self, input_features: object = None) -> npt.NDArray[np.object_]:
        """Terms in the order of their columns."""
        known = vars(self).get("_vocabulary")
        if isinstance(known, Vocabulary):
            return np.asarray(known.names(), dtype=object)
        return cast(npt.NDArray[np.object_], super().get_feature_names_out(input_features))  # type: ignore[misc]

    def text_features(self) -> list[TextFeatures]:
        """The block of columns, ready for prediction without scikit-learn."""
        self._check_vocabulary()  # type: ignore[attr-defined]
        vocabulary = self._vocabulary_for(self._data_analysis())
        return [TextFeatures(vocabulary.analysis, vocabulary, self._weighting())]

    def _weighting(self) -> Weighting:
        return Weighting(binary=self.binary)

    def _fit_rows(self, raw_documents: Iterable[Any], weigh: Weigh, *, matrix: bool = True) -> Any:
        """Learn the features of the documents, weigh them and give their matrix if asked."""
        self._validate_ngram_range()  # type: ignore[attr-defined]
        self._warn_for_unused_params()
        self._validate_vocabulary()
        if self.fixed_vocabulary_:
            self._warn_for_upper_case()
            return self._look_up(raw_documents, weigh)
        analysis, documents = self._read(raw_documents)
        threads = self._threads()
        with said_with_way_out():
            (counted,) = _native.count_documents(documents, [analysis.native], threads)
        block, n_columns = self._weigh_counted(counted, weigh, first_column=0)
        rows = native_matrix([block], n_threads=threads, dtype=self._native_dtype()) if matrix else None
        self._vocabulary = Vocabulary.from_counted(analysis, counted)
        return None if rows is None else csr(rows, n_columns)

    def _weigh_counted(self, counted: Any, weigh: Weigh, first_column: int) -> tuple[Any, int]:
        """Columns for the features that are kept, and their weights."""
        n_columns = self._choose_columns(counted)
        weighting = weigh(counted.document_frequencies(), counted.n_documents)
        block = _native.counted_block(counted, first_column=first_column, n_columns=n_columns, **weighting.settings())
        return block, n_columns

    def _choose_columns(self, counted: Any) -> int:
        """Apply min_df, max_df and max_features; returns how many are left."""
        n_documents = counted.n_documents
        lowest, highest = document_limits(self.min_df, self.max_df, n_documents)
        if counted.n_features == 0:
            raise DataError(
                f"empty vocabulary; perhaps the documents only contain stop words: none of the {n_documents} documents "
                f"has a feature. Look at `token_pattern`, `stop_words` and `ngram_range`, or at the texts."
            )
        if highest < lowest:
            raise ParameterError(
                f"max_df corresponds to < documents than min_df: max_df={self.max_df} is {highest:g} and "
                f"min_df={self.min_df} is {lowest:g} of {n_documents} documents. Lower min_df or raise max_df."
            )
        n_columns: int = counted.assign_columns(lowest, highest)
        if n_columns == 0:
            raise DataError(
                f"After pruning, no terms remain. Try a lower min_df or a higher max_df: of {counted.n_features} "
                f"terms none is in {lowest:g} to {highest:g} of the {n_documents} documents."
            )
        if self.max_features is not None and n_columns > self.max_features:
            kept = np.zeros(n_columns, dtype=np.uint8)
            kept[most_frequent(counted.term_frequencies(self.binary), self.max_features)] = 1
            counted.keep_columns(kept)
            n_columns = self.max_features
        return n_columns

    def _look_up(self, raw_documents: Iterable[Any], weigh: Weigh | Weighting) -> Any:
        """Rows of documents by the vocabulary that there is."""
        analysis, documents = self._read(raw_documents)
        features = TextFeatures(analysis, self._vocabulary_for(analysis), Weighting())
        threads, dtype = self._threads(), self._native_dtype()
        with said_with_way_out():
            if isinstance(weigh, Weighting):
                weighting = weigh
            else:
                _, indices, _ = features.rows(documents, n_threads=threads, dtype=np.float32)
                frequencies = np.bincount(indices, minlength=features.n_columns)
                weighting = weigh(frequencies, len(documents))
            rows = replace(features, weighting=weighting).rows(documents, n_threads=threads, dtype=dtype)
        return csr(rows, features.n_columns)

    def _vocabulary_for(self, analysis: Analysis) -> Vocabulary:
        """The vocabulary in the form that the analysis needs (it may have been given, or settings have changed)."""
        known = self._vocabulary
        if isinstance(known, Vocabulary) and known.analysis == analysis:
            return known
        terms = self.vocabulary_
        if not all(isinstance(term, str) for term in terms):
            raise NonTextFeatureError
        translated = Vocabulary.from_terms(analysis, terms)
        self._vocabulary = translated
        return translated

    def _validate_vocabulary(self) -> None:
        try:
            super()._validate_vocabulary()  # type: ignore[misc]
        except TypeError as error:
            raise ParameterError(
                f"The 'vocabulary' parameter must be a list of words or a dictionary of their columns ({error}). Got "
                f"{shortened(self.vocabulary)} instead."
            ) from None

    def _native_dtype(self) -> npt.DTypeLike:
        return self.dtype

    def _warn_for_upper_case(self) -> None:
        if self.lowercase and any(any(map(str.isupper, term)) for term in self.vocabulary_ if isinstance(term, str)):
            warnings.warn(
                "Upper case characters found in vocabulary while 'lowercase' is True. These entries will not be "
                "matched with any documents",
                stacklevel=4,
            )
