"""Words and characters together: two kinds of n-grams in one matrix, read out of each document in one pass."""

from __future__ import annotations

import os
from collections.abc import Iterable
from numbers import Integral
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from assay.arguments import require_writable
from assay.features.documents import as_documents
from assay.features.ngrams.analysis import NAMED_TOKENIZERS
from assay.features.ngrams.counted_ngrams import count_ngrams, weighted_rows
from assay.features.ngrams.learned_vocabulary import csr
from assay.features.ngrams.native_vectorizer import NativeVectorizer, said_with_way_out
from assay.features.ngrams.text_features import TextFeatures, joint_rows
from assay.features.ngrams.tfidf import TfidfVectorizer
from assay.sklearn_internals import StrOptions, fit_context
from assay.threads import count_threads

__all__ = ["WordCharVectorizer"]


class WordCharVectorizer(TransformerMixin, BaseEstimator):
    """tf-idf of word n-grams and of character n-grams side by side.

    The same as a FeatureUnion of two `TfidfVectorizer`s, each block with its own norm.

    Beside those below, the parameters are those of `TfidfVectorizer`.

    Parameters
    ----------
    word_ngrams, char_ngrams
        Least and greatest n of each kind.
    char_analyzer
        ``"char_wb"``: inside words; ``"char"``: across them.
    min_df, max_df, max_features
        Apply to each kind by itself.
    n_jobs
        Threads; None for every core.

    Attributes
    ----------
    word_, char_
        The two fitted vectorizers.

    Examples
    --------
    >>> vectorizer = WordCharVectorizer(word_ngrams=(1, 1), char_ngrams=(3, 3))
    >>> vectorizer.fit_transform(["good film", "goood film"]).shape
    (2, 12)
    >>> vectorizer.get_feature_names_out()[:5].tolist()
    ['word__film', 'word__good', 'word__goood', 'char__ fi', 'char__ go']
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "word_ngrams": [tuple],
        "char_ngrams": [tuple],
        "char_analyzer": [StrOptions({"char", "char_wb"})],
        "tokenizer": [StrOptions(set(NAMED_TOKENIZERS)), None],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        *,
        word_ngrams: tuple[int, int] = (1, 2),
        char_ngrams: tuple[int, int] = (2, 5),
        char_analyzer: Literal["char", "char_wb"] = "char_wb",
        lowercase: bool = True,
        strip_accents: Literal["unicode", "ascii"] | None = None,
        stop_words: str | list[str] | None = None,
        tokenizer: str | None = None,
        max_df: float = 1.0,
        min_df: float = 1,
        max_features: int | None = None,
        binary: bool = False,
        norm: Literal["l1", "l2"] | None = "l2",
        use_idf: bool = True,
        smooth_idf: bool = True,
        sublinear_tf: bool = False,
        dtype: npt.DTypeLike = np.float64,
        n_jobs: int | None = None,
    ) -> None:
        self.word_ngrams = word_ngrams
        self.char_ngrams = char_ngrams
        self.char_analyzer = char_analyzer
        self.lowercase = lowercase
        self.strip_accents = strip_accents
        self.stop_words = stop_words
        self.tokenizer = tokenizer
        self.max_df = max_df
        self.min_df = min_df
        self.max_features = max_features
        self.binary = binary
        self.norm = norm
        self.use_idf = use_idf
        self.smooth_idf = smooth_idf
        self.sublinear_tf = sublinear_tf
        self.dtype = dtype
        self.n_jobs = n_jobs

    def _validate_params(self) -> None:
        require_writable(self, self.get_params(deep=False))
        super()._validate_params()

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, raw_documents: Iterable[Any], y: object = None) -> WordCharVectorizer:
        """Learn both vocabularies and their weights."""
        self.fit_transform(raw_documents)
        return self

    @fit_context(prefer_skip_nested_validation=True)
    def fit_transform(self, raw_documents: Iterable[Any], y: object = None) -> Any:
        """Learn both vocabularies and their weights, and give the documents' weights."""
        parts = self._new_vectorizers()
        documents = self._documents(raw_documents)
        threads = count_threads(self.n_jobs)
        for part in parts:
            part._validate_params()
            part._validate_ngram_range()
            part._validate_vocabulary()
            part._check_stop_words()
        with said_with_way_out():
            counted = count_ngrams(documents, [part._settings(part._analysis()) for part in parts], threads)
        rows = weighted_rows(counted, threads=threads, dtype=parts[0]._native_dtype())
        for part, own in zip(parts, counted, strict=True):
            part._learned(own)
        self.word_, self.char_ = parts
        return csr(rows, sum(own.n_columns for own in counted))

    def transform(self, raw_documents: Iterable[Any]) -> Any:
        """Weights of documents by what was learned."""
        check_is_fitted(self)
        features = self.text_features()
        with said_with_way_out():
            rows = joint_rows(
                features,
                self._documents(raw_documents),
                n_threads=count_threads(self.n_jobs),
                dtype=self.word_._native_dtype(),
            )
        return csr(rows, sum(f.n_columns for f in features))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to a file that holds only data (no pickle); `assay.features.load` reads it."""
        from assay.features.storage import save

        save(self, path)

    def text_features(self) -> list[TextFeatures]:
        """The two blocks of columns, ready for prediction without scikit-learn."""
        check_is_fitted(self)
        vocabularies = [part._vocabulary_for(part._analysis()) for part in (self.word_, self.char_)]
        weightings = [part._weighting() for part in (self.word_, self.char_)]
        return [TextFeatures(v.analysis, v, w) for v, w in zip(vocabularies, weightings, strict=True)]

    def get_feature_names_out(self, input_features: object = None) -> npt.NDArray[np.object_]:
        """Names of the columns: ``word__…`` and ``char__…``."""
        check_is_fitted(self)
        parts = {"word": self.word_, "char": self.char_}
        names = [f"{kind}__{name}" for kind, part in parts.items() for name in part.get_feature_names_out()]
        return np.asarray(names, dtype=object)

    def _documents(self, raw_documents: Iterable[Any]) -> Any:
        return as_documents(NativeVectorizer._reusable(raw_documents), TfidfVectorizer().decode)

    def _new_vectorizers(self) -> tuple[TfidfVectorizer, TfidfVectorizer]:
        own = {"word_ngrams", "char_ngrams", "char_analyzer", "stop_words", "tokenizer"}
        common = {name: value for name, value in self.get_params(deep=False).items() if name not in own}
        words = TfidfVectorizer(
            **common, ngram_range=self.word_ngrams, stop_words=self.stop_words, tokenizer=self.tokenizer
        )
        return words, TfidfVectorizer(**common, ngram_range=self.char_ngrams, analyzer=self.char_analyzer)
