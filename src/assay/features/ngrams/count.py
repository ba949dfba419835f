"""Counts of n-grams: scikit-learn's CountVectorizer on the native core."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.feature_extraction import text as theirs

from assay.features.ngrams.learned_vocabulary import LearnedVocabulary, constraints_with_ours
from assay.features.ngrams.native_vectorizer import NonTextFeatureError
from assay.sklearn_internals import fit_context

__all__ = ["CountVectorizer"]


class CountVectorizer(LearnedVocabulary, theirs.CountVectorizer):
    """Count n-grams: scikit-learn's class of this name, same parameters and same output, natively.

    Beside those below, the parameters are those of `sklearn.feature_extraction.text.CountVectorizer`.

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
    fixed_vocabulary_
        Whether it was given.

    Examples
    --------
    >>> vectorizer = CountVectorizer(ngram_range=(1, 2), tokenizer="words and punctuation")
    >>> counts = vectorizer.fit_transform(["Not bad, not bad!", "bad"])
    >>> vectorizer.get_feature_names_out().tolist()
    ['!', ',', ', not', 'bad', 'bad !', 'bad ,', 'not', 'not bad']
    >>> counts.toarray().tolist()
    [[1, 1, 1, 2, 1, 1, 2, 2], [0, 0, 0, 1, 0, 0, 0, 0]]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = constraints_with_ours(
        theirs.CountVectorizer._parameter_constraints
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
        stop_words: str | list[str] | None = None,
        token_pattern: str | None = r"(?u)\b\w\w+\b",
        ngram_range: tuple[int, int] = (1, 1),
        analyzer: str | Callable[[Any], Iterable[Any]] = "word",
        max_df: float = 1.0,
        min_df: float = 1,
        max_features: int | None = None,
        vocabulary: Mapping[str, int] | Iterable[str] | None = None,
        binary: bool = False,
        dtype: npt.DTypeLike = np.int64,
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
            stop_words=stop_words,
            token_pattern=token_pattern,
            ngram_range=ngram_range,
            analyzer=analyzer,
            max_df=max_df,
            min_df=min_df,
            max_features=max_features,
            vocabulary=vocabulary,
            binary=binary,
            dtype=dtype,
        )
        self.n_jobs = n_jobs

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, raw_documents: Iterable[Any], y: object = None) -> CountVectorizer:
        """Learn the vocabulary."""
        self._fit(raw_documents, matrix=False)
        return self

    @fit_context(prefer_skip_nested_validation=True)
    def fit_transform(self, raw_documents: Iterable[Any], y: object = None) -> Any:
        """Learn the vocabulary and give the documents' counts."""
        return self._fit(raw_documents, matrix=True)

    def _fit(self, raw_documents: Iterable[Any], *, matrix: bool) -> Any:
        raw_documents = self._reusable(raw_documents)
        try:
            return self._fit_rows(raw_documents, matrix=matrix)
        except NonTextFeatureError:
            return super().fit_transform(raw_documents)

    def transform(self, raw_documents: Iterable[Any]) -> Any:
        """Counts of documents by the vocabulary that was learned or given."""
        raw_documents = self._reusable(raw_documents)
        self._check_vocabulary()
        try:
            return self._look_up(raw_documents)
        except NonTextFeatureError:
            return super().transform(raw_documents)
