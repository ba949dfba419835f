"""Learning a vocabulary natively and looking documents up in it: what CountVectorizer and TfidfVectorizer share."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from numbers import Integral
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn import get_config

from assay.errors import ParameterError
from assay.features.ngrams.analysis import NAMED_TOKENIZERS, Analysis
from assay.features.ngrams.counted_ngrams import CountedNgrams, count_ngrams, weighted_rows
from assay.features.ngrams.native_vectorizer import NativeVectorizer, NonTextFeatureError, said_with_way_out
from assay.features.ngrams.ngram_settings import NgramSettings
from assay.features.ngrams.text_features import Rows, TextFeatures, Weighting
from assay.features.ngrams.vocabulary import Vocabulary
from assay.sklearn_internals import StrOptions
from assay.suggest import shortened

__all__ = ["LearnedVocabulary", "constraints_with_ours", "csr"]


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

    def _settings(self, analysis: Analysis) -> NgramSettings:
        """What is done with the counts, as the floor below has it."""
        min_df, max_df = self.min_df, self.max_df
        return NgramSettings(
            analysis, min_df, max_df, self.max_features, self.binary, sublinear=False, idf=False, norm=None
        )

    def _learned(self, counted: CountedNgrams) -> None:
        """Keep what was learned; called once, when the rows are written."""
        self._vocabulary = counted.take_vocabulary()

    def _fit_rows(self, raw_documents: Iterable[Any], *, matrix: bool = True) -> Any:
        """Learn the features of the documents, weigh them and give their matrix if asked."""
        self._validate_ngram_range()  # type: ignore[attr-defined]
        self._warn_for_unused_params()
        self._validate_vocabulary()
        if self.fixed_vocabulary_:
            self._warn_for_upper_case()
            return self._look_up(raw_documents, learn=True)
        analysis, documents = self._read(raw_documents)
        threads = self._threads()
        with said_with_way_out():
            (counted,) = count_ngrams(documents, [self._settings(analysis)], threads)
        rows = weighted_rows([counted], threads=threads, dtype=self._native_dtype()) if matrix else None
        self._learned(counted)
        return None if rows is None else csr(rows, counted.n_columns)

    def _look_up(self, raw_documents: Iterable[Any], *, learn: bool = False, weighting: Weighting | None = None) -> Any:
        """Rows of documents by the vocabulary that there is; with `learn`, its columns are weighed by them first."""
        analysis, documents = self._read(raw_documents)
        features = TextFeatures(analysis, self._vocabulary_for(analysis), Weighting())
        threads, dtype = self._threads(), self._native_dtype()
        with said_with_way_out():
            if learn:
                _, indices, _ = features.rows(documents, n_threads=threads, dtype=np.float32)
                self._weigh_columns(np.bincount(indices, minlength=features.n_columns), len(documents))
            weighed = replace(features, weighting=weighting or self._weighting())
            rows = weighed.rows(documents, n_threads=threads, dtype=dtype)
        return csr(rows, features.n_columns)

    def _weigh_columns(self, frequencies: npt.NDArray[np.int64], n_documents: int) -> None:
        """Learn from the documents that hold each column; counts are counts, whatever these are."""

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
