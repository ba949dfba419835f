"""Feature hashing: scikit-learn's HashingVectorizer on the native core."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from sklearn.feature_extraction import text as theirs

from assay import _native
from assay.errors import ParameterError
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.count import CountVectorizer
from assay.features.ngrams.learned_vocabulary import constraints_with_ours, csr
from assay.features.ngrams.native_vectorizer import NativeVectorizer, NonTextFeatureError, said_with_way_out
from assay.features.ngrams.text_features import Hashing, TextFeatures, Weighting

__all__ = ["HashingVectorizer"]


class HashingVectorizer(NativeVectorizer, theirs.HashingVectorizer):
    """Hash n-grams to columns: scikit-learn's class of this name, same parameters and same output, natively.

    Beside those below, the parameters are those of `sklearn.feature_extraction.text.HashingVectorizer`.

    Parameters
    ----------
    tokenizer
        As in scikit-learn a function; or by name ``"words"`` (two characters and more, the default), ``"all words"``,
        ``"words and punctuation"`` or ``"whitespace"``.
    n_jobs
        Threads; None for every core. The result is the same for any number.

    Examples
    --------
    >>> vectorizer = HashingVectorizer(n_features=2**10)
    >>> matrix = vectorizer.transform(["a good film", "a bad one"])
    >>> vectorizer.remember(["a good film", "a bad one"]).explain([int(matrix.indices[0])])
    {65: [('good', 1)]}

    References
    ----------
    Weinberger et al. (2009), Feature hashing for large scale multitask learning.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = constraints_with_ours(
        theirs.HashingVectorizer._parameter_constraints
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
        n_features: int = 2**20,
        binary: bool = False,
        norm: Literal["l1", "l2"] | None = "l2",
        alternate_sign: bool = True,
        dtype: npt.DTypeLike = np.float64,
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
            n_features=n_features,
            binary=binary,
            norm=norm,
            alternate_sign=alternate_sign,
            dtype=dtype,
        )
        self.n_jobs = n_jobs

    def transform(self, X: Iterable[Any]) -> Any:
        """Hashed and weighted n-grams of documents."""
        X = self._reusable(X)
        self._validate_ngram_range()
        try:
            analysis, documents = self._read(X)
        except NonTextFeatureError:
            return super().transform(X)
        features = self._features(analysis)
        with said_with_way_out():
            return csr(features.rows(documents, n_threads=self._threads(), dtype=self.dtype), self.n_features)

    def text_features(self) -> list[TextFeatures]:
        """The block of columns, ready for prediction without scikit-learn."""
        return [self._features(self._data_analysis())]

    def _features(self, analysis: Analysis) -> TextFeatures:
        hashing = Hashing(self.n_features, self.alternate_sign)
        return TextFeatures(analysis, hashing, Weighting(binary=self.binary, norm=self.norm))

    def remember(self, sample: Iterable[Any]) -> HashingVectorizer:
        """Keep the names and the frequencies of a sample's features, so that `explain` can name columns."""
        ours = {name: value for name, value in self.get_params().items() if name in CountVectorizer().get_params()}
        counter = CountVectorizer(**{**ours, "binary": False, "dtype": np.int64})
        counts = np.asarray(counter.fit_transform(sample).sum(axis=0)).ravel()
        names = counter.get_feature_names_out().tolist()
        self._remembered = (names, counts, _native.hash_names(names, self.n_features))
        return self

    def explain(self, columns: Iterable[int], sample: Iterable[Any] | None = None) -> dict[int, list[tuple[str, int]]]:
        """Features of a sample that fall into each column, with their counts, most frequent first.

        The sample is the one given to `remember`, unless another is given here. A column into which nothing of the
        sample falls has an empty list.
        """
        if sample is not None:
            self.remember(sample)
        if not hasattr(self, "_remembered"):
            raise ParameterError(
                "a hash cannot be undone: give texts like those that were hashed as `sample=`, or to `remember` first."
            )
        names, counts, homes = self._remembered
        wanted = {int(column) for column in columns}
        for column in wanted:
            if not 0 <= column < self.n_features:
                raise ParameterError(
                    f"column {column} is not one of the {self.n_features} columns, 0 to {self.n_features - 1}."
                )
        found: dict[int, list[tuple[str, int]]] = defaultdict(list)
        for i in np.flatnonzero(np.isin(homes, list(wanted))):
            found[int(homes[i])].append((names[i], int(counts[i])))
        return {column: sorted(found[column], key=lambda pair: (-pair[1], pair[0])) for column in sorted(wanted)}
