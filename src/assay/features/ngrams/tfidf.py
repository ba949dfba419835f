"""tf-idf: scikit-learn's TfidfTransformer and TfidfVectorizer on the native core."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.feature_extraction import text as theirs
from sklearn.utils.validation import check_is_fitted

from assay.errors import DataError
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.counted_ngrams import CountedNgrams
from assay.features.ngrams.inverse_frequency import inverse_document_frequencies
from assay.features.ngrams.learned_vocabulary import LearnedVocabulary, constraints_with_ours
from assay.features.ngrams.native_vectorizer import NonTextFeatureError
from assay.features.ngrams.ngram_settings import NgramSettings
from assay.features.ngrams.text_features import Weighting
from assay.sklearn_internals import fit_context

__all__ = ["TfidfTransformer", "TfidfVectorizer"]


class TfidfTransformer(theirs.TfidfTransformer, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    """Weigh a matrix of counts: scikit-learn's class of this name, and `partial_fit`.

    With `smooth_idf`, idf(t) = ln((1 + n) / (1 + df(t))) + 1; without, ln(n / df(t)) + 1.

    Attributes
    ----------
    idf_
        Weight of each column.
    document_frequencies_, n_documents_
        What the weights were made from.

    Examples
    --------
    >>> import numpy as np
    >>> transformer = TfidfTransformer().partial_fit(np.array([[1, 0], [2, 1]])).partial_fit(np.array([[0, 3]]))
    >>> transformer.n_documents_, transformer.document_frequencies_.tolist()
    (3, [2, 2])
    """

    document_frequencies_: npt.NDArray[np.int64]
    n_documents_: int

    def fit(self, X: Any, y: object = None) -> TfidfTransformer:
        """Learn the weights from a matrix of counts."""
        super().fit(X, y)
        self.document_frequencies_, self.n_documents_ = np.zeros(self.n_features_in_, dtype=np.int64), 0
        return self._add(X)

    def partial_fit(self, X: Any, y: object = None) -> TfidfTransformer:
        """Add the document frequencies of more documents to those known, and weigh anew."""
        if not hasattr(self, "document_frequencies_"):
            return self.fit(X, y)
        n_columns = sp.csr_array(X).shape[1]
        if n_columns != len(self.document_frequencies_):
            raise DataError(
                f"the counts have {n_columns} columns, but those learned before had {len(self.document_frequencies_)}. "
                f"Use the same vectorizer for all parts."
            )
        self._add(X)
        dtype = self.idf_.dtype if self.use_idf else np.float64
        return self.set_frequencies(self.document_frequencies_, self.n_documents_, dtype)

    def _add(self, X: Any) -> TfidfTransformer:
        counts = sp.csr_array(X)
        found = np.bincount(counts.indices[counts.data != 0], minlength=counts.shape[1]).astype(np.int64)
        self.document_frequencies_ = self.document_frequencies_ + found
        self.n_documents_ += counts.shape[0]
        return self

    def set_frequencies(
        self, frequencies: npt.NDArray[np.int64], n_documents: int, dtype: npt.DTypeLike = np.float64
    ) -> TfidfTransformer:
        """Weigh by document frequencies that are known already."""
        self.document_frequencies_ = frequencies
        self.n_documents_ = n_documents
        self.n_features_in_ = len(frequencies)
        if self.use_idf:
            idf = inverse_document_frequencies(frequencies, n_documents, smooth=self.smooth_idf)
            self.idf_ = idf.astype(dtype, copy=False)
        return self


class TfidfVectorizer(LearnedVocabulary, theirs.TfidfVectorizer):
    """Weigh n-grams by tf-idf: scikit-learn's class of this name, same parameters and same output, natively.

    Beside those below, the parameters are those of `sklearn.feature_extraction.text.TfidfVectorizer`.

    Parameters
    ----------
    tokenizer
        As in scikit-learn a function; or by name ``"words"`` (two characters and more, the default), ``"all words"``,
        ``"words and punctuation"`` or ``"whitespace"``.
    n_jobs
        Threads; None for every core. The result is the same for any number.

    Attributes
    ----------
    vocabulary_
        Column of each term.
    idf_
        Weight of each column.

    Examples
    --------
    >>> vectorizer = TfidfVectorizer()
    >>> weights = vectorizer.fit_transform(["good film", "bad film"])
    >>> weights.toarray().round(2).tolist()
    [[0.0, 0.58, 0.81], [0.81, 0.58, 0.0]]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = constraints_with_ours(
        theirs.TfidfVectorizer._parameter_constraints
    )

    def __init__(
        self,
        *,
        input: str = "content",
        encoding: str = "utf-8",
        decode_error: str = "strict",
        strip_accents: str | Callable[[str], str] | None = None,
        lowercase: bool = True,
        preprocessor: Callable[[str], str] | None = None,
        tokenizer: str | Callable[[str], Iterable[str]] | None = None,
        analyzer: str | Callable[[Any], Iterable[Any]] = "word",
        stop_words: str | list[str] | None = None,
        token_pattern: str | None = r"(?u)\b\w\w+\b",
        ngram_range: tuple[int, int] = (1, 1),
        max_df: float = 1.0,
        min_df: float = 1,
        max_features: int | None = None,
        vocabulary: Mapping[str, int] | Iterable[str] | None = None,
        binary: bool = False,
        dtype: npt.DTypeLike = np.float64,
        norm: Literal["l1", "l2"] | None = "l2",
        use_idf: bool = True,
        smooth_idf: bool = True,
        sublinear_tf: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(
            input=input,
            encoding=encoding,
            decode_error=decode_error,
            strip_accents=strip_accents,
            lowercase=lowercase,
            preprocessor=preprocessor,
            tokenizer=tokenizer,
            analyzer=analyzer,
            stop_words=stop_words,
            token_pattern=token_pattern,
            ngram_range=ngram_range,
            max_df=max_df,
            min_df=min_df,
            max_features=max_features,
            vocabulary=vocabulary,
            binary=binary,
            dtype=dtype,
            norm=norm,
            use_idf=use_idf,
            smooth_idf=smooth_idf,
            sublinear_tf=sublinear_tf,
        )
        self.n_jobs = n_jobs

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, raw_documents: Iterable[Any], y: object = None) -> TfidfVectorizer:
        """Learn the vocabulary and the weights."""
        self._fit(raw_documents, matrix=False)
        return self

    @fit_context(prefer_skip_nested_validation=True)
    def fit_transform(self, raw_documents: Iterable[Any], y: object = None) -> Any:
        """Learn the vocabulary and the weights, and give the documents' weights."""
        return self._fit(raw_documents, matrix=True)

    def _fit(self, raw_documents: Iterable[Any], *, matrix: bool) -> Any:
        self._check_params()
        raw_documents = self._reusable(raw_documents)
        self._tfidf = self._new_transformer()
        try:
            return self._fit_rows(raw_documents, matrix=matrix)
        except NonTextFeatureError:
            return super().fit_transform(raw_documents)

    @theirs.TfidfVectorizer.idf_.getter
    def idf_(self) -> npt.NDArray[Any]:
        """Weight of each column, in the type of the matrix; texts are weighed in double."""
        return np.asarray(super().idf_, dtype=self._native_dtype())

    def _new_transformer(self) -> TfidfTransformer:
        return TfidfTransformer(
            norm=self.norm, use_idf=self.use_idf, smooth_idf=self.smooth_idf, sublinear_tf=self.sublinear_tf
        )

    def _settings(self, analysis: Analysis) -> NgramSettings:
        weights = {"sublinear": self.sublinear_tf, "idf": self.use_idf, "smooth_idf": self.smooth_idf}
        return replace(super()._settings(analysis), **weights, norm=self.norm)

    def _learned(self, counted: CountedNgrams) -> None:
        super()._learned(counted)
        self._weigh_columns(counted.frequencies, counted.corpus.n_documents)

    def _weigh_columns(self, frequencies: npt.NDArray[np.int64], n_documents: int) -> None:
        # In double whatever the type of the matrix, whose values are rounded once, when they are written.
        self._tfidf = self._new_transformer().set_frequencies(frequencies, n_documents)

    def _weighting(self) -> Weighting:
        idf = self._tfidf.idf_ if hasattr(self._tfidf, "idf_") else np.empty(0)
        return Weighting(binary=self.binary, sublinear=self._tfidf.sublinear_tf, norm=self._tfidf.norm, idf=idf)

    def partial_fit(self, raw_documents: Iterable[Any], y: object = None) -> TfidfVectorizer:
        """Add the document frequencies of more documents to the weights.

        The first call learns the vocabulary, as `fit` does; later ones leave it, and so the columns, as they are.
        """
        if "_vocabulary" not in vars(self) or not hasattr(self, "_tfidf"):
            self.fit(raw_documents)
            return self
        counts = self._look_up(self._reusable(raw_documents), weighting=Weighting())
        self._tfidf.partial_fit(counts)
        return self

    def transform(self, raw_documents: Iterable[Any]) -> Any:
        """Weights of documents by what was learned."""
        check_is_fitted(self, msg="The TF-IDF vectorizer is not fitted")
        raw_documents = self._reusable(raw_documents)
        self._check_vocabulary()
        try:
            return self._look_up(raw_documents)
        except NonTextFeatureError:
            return super().transform(raw_documents)

    def _native_dtype(self) -> npt.DTypeLike:
        return np.float32 if np.dtype(self.dtype) == np.float32 else np.float64
