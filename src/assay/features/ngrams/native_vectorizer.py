"""What the drop-in vectorizers share: which stages run natively, and which ask Python code first.

A callable preprocessor, tokenizer or analyzer, or a regular expression that the native core does not know, is asked in
Python for its own stage; everything after it is native again.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from assay import _native
from assay.arguments import require_writable
from assay.errors import DataError, ParameterError
from assay.features.documents import as_documents, documents_from_strings
from assay.features.ngrams.analysis import LONGEST_NGRAM, NAMED_TOKENIZERS, Analysis, is_length, native_pattern
from assay.suggest import shortened
from assay.threads import count_threads

__all__ = ["NativeVectorizer", "NonTextFeatureError", "number_type", "refuse_code", "said_with_way_out"]

_SEPARATOR: str = _native.separator


class NonTextFeatureError(Exception):
    """A callable analyzer gave features that are no strings: only Python can count those."""


class NativeVectorizer:
    """Mixin before one of scikit-learn's vectorizers, whose parameters it reads."""

    n_jobs: int | None
    ngram_range: tuple[int, int]
    analyzer: str | Callable[[Any], Iterable[Any]]
    tokenizer: str | Callable[[str], Iterable[str]] | None
    preprocessor: Callable[[str], str] | None
    strip_accents: str | Callable[[str], str] | None
    token_pattern: str | None
    stop_words: str | list[str] | None
    lowercase: bool
    input: str
    dtype: npt.DTypeLike
    decode: Callable[[Any], str]

    def _validate_params(self) -> None:
        """What scikit-learn checks, and what it would fail over later."""
        require_writable(self, self.get_params(deep=False))  # type: ignore[attr-defined]
        super()._validate_params()  # type: ignore[misc]
        number_type(self.dtype)
        if isinstance(self.stop_words, list) and not all(isinstance(word, Hashable) for word in self.stop_words):
            raise ParameterError(
                f"The 'stop_words' parameter must be a list of words. Got {shortened(self.stop_words)} instead."
            )
        if self.analyzer == "word" and self.tokenizer is None and self.token_pattern is None:
            raise ParameterError(
                "The 'token_pattern' parameter must be a regular expression where there is no tokenizer."
            )

    def _threads(self) -> int:
        return count_threads(self.n_jobs)

    @staticmethod
    def _reusable(raw_documents: Iterable[Any]) -> Iterable[Any]:
        """An iterator becomes a list, as the documents may be looked at twice; a single text is refused."""
        if isinstance(raw_documents, str):
            raise ParameterError("Iterable over raw text documents expected, string object received.")
        return list(raw_documents) if isinstance(raw_documents, Iterator) else raw_documents

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to a file that holds only data (no pickle); `assay.features.load` reads it."""
        from assay.features.storage import save

        save(self, path)

    def build_tokenizer(self) -> Callable[[str], list[str]]:
        """Return a function that splits a string into a sequence of tokens.

        Returns
        -------
        The tokenizer, or the one that goes by the name given as `tokenizer`.
        """
        if isinstance(self.tokenizer, str):
            return re.compile(_pattern_named(self.tokenizer)).findall
        return cast(Callable[[str], list[str]], super().build_tokenizer())  # type: ignore[misc]

    def _warn_for_unused_params(self) -> None:
        with warnings.catch_warnings():
            if isinstance(self.tokenizer, str):
                _pattern_named(self.tokenizer)
                warnings.filterwarnings("ignore", "The parameter 'token_pattern' will not be used")
            super()._warn_for_unused_params()  # type: ignore[misc]

    def check_as_data(self) -> None:
        """Refuse settings that only Python code can follow, and those that nobody can."""
        self._validate_params()
        for name in ("analyzer", "tokenizer", "preprocessor", "strip_accents"):
            refuse_code(self, name, getattr(self, name))
        if self.analyzer == "word" and self._native_tokens() is None:
            raise ParameterError(
                f"The token_pattern {self.token_pattern!r} needs Python's regular expressions, and a model is data, "
                f"without code. Use tokenizer= with one of {sorted(NAMED_TOKENIZERS)}, or the default pattern."
            )
        self._analysis()
        self._threads()

    def _data_analysis(self) -> Analysis:
        """The analysis, if it is all that happens to a text: refuses stages that only Python code can do."""
        self.check_as_data()
        if self.input != "content":
            raise ParameterError(
                f"A model takes texts, not input={self.input!r}. Read the files first, with assay.read."
            )
        return self._analysis()

    def _read(self, raw_documents: Iterable[Any]) -> tuple[Analysis, Any]:
        """How the documents are to be analysed natively, and the documents, after any stage that is Python's."""
        if callable(self.analyzer):
            return self._read_features(raw_documents)
        if self.analyzer == "word" and (callable(self.tokenizer) or self._native_tokens() is None):
            return self._read_tokens(raw_documents)
        self._check_stop_words()
        analysis = self._analysis()
        if self.preprocessor is not None or callable(self.strip_accents):
            preprocess = self.build_preprocessor()  # type: ignore[attr-defined]
            return analysis, documents_from_strings([preprocess(self.decode(d)) for d in _items(raw_documents)])
        if self.input != "content":
            return analysis, documents_from_strings([self.decode(d) for d in raw_documents])
        return analysis, as_documents(raw_documents, self.decode)

    def _analysis(self) -> Analysis:
        """Settings of the native stages when the tokens are found natively."""
        python_text = self.preprocessor is not None or callable(self.strip_accents)
        accents = cast(Literal["unicode", "ascii"] | None, self.strip_accents or None)
        common: dict[str, Any] = {
            "ngrams": _checked_range(self.ngram_range),
            "lowercase": bool(self.lowercase) and not python_text,
            "accents": "keep" if python_text or accents is None else accents,
        }
        if self.analyzer == "word":
            tokens, least = self._native_tokens() or ("words", 2)
            return Analysis(
                tokens=cast(Any, tokens),
                min_token_length=least,
                stop_words=self._sorted_stop_words(),
                **common,
            )
        marks = cast(Any, "not_space" if self.analyzer == "char_wb" else "none")
        return Analysis(unit=cast(Any, self.analyzer), tokens=marks, min_token_length=1, **common)

    def _native_tokens(self) -> tuple[str, int] | None:
        if isinstance(self.tokenizer, str):
            return native_pattern(_pattern_named(self.tokenizer))
        return None if self.token_pattern is None else native_pattern(self.token_pattern)

    def _sorted_stop_words(self) -> tuple[str, ...]:
        return tuple(sorted(word for word in self.get_stop_words() or () if isinstance(word, str)))  # type: ignore[attr-defined]

    def _check_stop_words(self) -> None:
        if self.analyzer == "word" and self.stop_words is not None:
            self._check_stop_words_consistency(  # type: ignore[attr-defined]
                self.get_stop_words(),  # type: ignore[attr-defined]
                self.build_preprocessor(),  # type: ignore[attr-defined]
                self.build_tokenizer(),
            )

    def _read_tokens(self, raw_documents: Iterable[Any]) -> tuple[Analysis, Any]:
        """Tokens come from Python; n-grams of them are native unless a token contains a space."""
        self._check_stop_words()
        preprocess = self.build_preprocessor()  # type: ignore[attr-defined]
        tokenize = self.build_tokenizer()
        found = [list(tokenize(preprocess(self.decode(d)))) for d in _items(raw_documents)]
        joined = _join(found)
        stop_words = self._sorted_stop_words()
        lowest, highest = _checked_range(self.ngram_range)
        # An empty list of tokens and one empty token are both joined to nothing; a space makes a token look like two.
        if any(" " in text for text in joined) or any(tokens == [""] for tokens in found):
            word_ngrams = self._word_ngrams  # type: ignore[attr-defined]
            return self._as_pieces([word_ngrams(tokens, set(stop_words)) for tokens in found])
        analysis = Analysis(
            ngrams=(lowest, highest),
            tokens="separated",
            min_token_length=1,
            lowercase=False,
            stop_words=stop_words,
        )
        return analysis, documents_from_strings(joined)

    def _read_features(self, raw_documents: Iterable[Any]) -> tuple[Analysis, Any]:
        """All features come from Python."""
        analyze = self.build_analyzer()  # type: ignore[attr-defined]
        return self._as_pieces([list(analyze(d)) for d in _items(raw_documents)])

    def _as_pieces(self, found: list[list[str]]) -> tuple[Analysis, Any]:
        if any(features == [""] for features in found):
            raise NonTextFeatureError
        analysis = Analysis(unit="piece", tokens="separated", min_token_length=1, lowercase=False)
        return analysis, documents_from_strings(_join(found))


def number_type(dtype: npt.DTypeLike) -> np.dtype[Any]:
    """The type of the numbers in a matrix."""
    try:
        found = np.dtype(dtype)
    except (TypeError, ValueError, SyntaxError, RecursionError, OverflowError):
        found = np.dtype(object)
    if found.kind not in "biuf":
        raise ParameterError(
            f"The 'dtype' parameter must be a type of numbers, such as numpy.float64. Got {shortened(dtype)} instead."
        )
    return found


def refuse_code(vectorizer: object, name: str, value: object) -> None:
    """Complain about a parameter that is a Python function, where only data is possible."""
    if callable(value):
        raise ParameterError(
            f"the '{name}' of this {type(vectorizer).__name__} is a Python function, and a file of data cannot "
            f"hold code. Use one of the native settings (for the tokenizer a name), or pickle it at your own risk."
        )


def _join(found: list[list[str]]) -> list[str]:
    try:
        joined = [_SEPARATOR.join(tokens) for tokens in found]
    except TypeError:
        raise NonTextFeatureError from None
    for text, tokens in zip(joined, found, strict=True):
        if text.count(_SEPARATOR) != max(len(tokens) - 1, 0):
            raise NonTextFeatureError  # a token holds the separator itself
    return joined


def _items(raw_documents: Iterable[Any]) -> Iterable[Any]:
    """Items of any form of texts, one by one."""
    if not isinstance(raw_documents, (list, tuple)) and hasattr(raw_documents, "label_names"):
        raw_documents = raw_documents.texts  # type: ignore[attr-defined]
    if type(raw_documents).__module__.startswith("pyarrow"):
        return cast(Iterable[Any], raw_documents.to_pylist())  # type: ignore[attr-defined]
    return raw_documents


def _pattern_named(name: str) -> str:
    if name not in NAMED_TOKENIZERS:
        raise ParameterError(
            f"The 'tokenizer' parameter must be a function or one of {sorted(NAMED_TOKENIZERS)}. Got {name!r} instead."
        )
    return NAMED_TOKENIZERS[name]


def _checked_range(ngram_range: tuple[int, int]) -> tuple[int, int]:
    if not isinstance(ngram_range, tuple | list) or len(ngram_range) != 2 or not all(map(is_length, ngram_range)):
        raise ParameterError(
            f"The 'ngram_range' parameter must be a pair of whole numbers from 1 to {LONGEST_NGRAM:,}. "
            f"Got {shortened(ngram_range)} instead."
        )
    lowest, highest = ngram_range
    if lowest > highest:
        raise ParameterError(
            f"Invalid value for ngram_range={ngram_range} lower boundary larger than the upper boundary."
        )
    return int(lowest), int(highest)


@contextmanager
def said_with_way_out() -> Iterator[None]:
    """Bytes in an Arrow array that are not UTF-8 are said with what to do."""
    try:
        yield
    except ValueError as error:
        if "is not UTF-8" not in str(error):
            raise
        raise DataError(
            f'{error}. Read the file again with the right `encoding=`, or with `errors="replace"`.'
        ) from None
