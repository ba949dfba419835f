"""What the native core does to a document, as plain settings that can be kept in a file."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from numbers import Integral
from typing import Any, Literal, get_args

from assay import _native
from assay.errors import ParameterError
from assay.suggest import check_choice, shortened

__all__ = ["LONGEST_NGRAM", "NAMED_TOKENIZERS", "Analysis", "is_length", "native_pattern"]

#: Longer n-grams than this are refused: they would keep a reader busy for nothing.
LONGEST_NGRAM = 1000

Unit = Literal["word", "char", "char_wb", "piece"]
Marking = Literal["words", "words_and_punctuation", "not_space", "separated", "none"]
Accents = Literal["keep", "unicode", "ascii"]

#: Tokenizers that can be asked for by name, as the regular expression that says the same.
NAMED_TOKENIZERS = {
    "words": r"(?u)\b\w\w+\b",
    "all words": r"(?u)\b\w+\b",
    "words and punctuation": r"(?u)\w+|[^\w\s]",
    "whitespace": r"(?u)\S+",
}

_WORDS = re.compile(
    r"""(?:\(\?u\))?
    (?: \\b(?P<bounded>\\w\\w\+|\\w\+|\\w\{\d+,\})\\b | (?P<bare>\\w\\w\+|\\w\+|\[\\w\]\+|\\w\{\d+,\}) )
    (?P<punctuation>\|\[\^\\w\\s\])?""",
    re.VERBOSE,
)
_NOT_SPACE = re.compile(r"(?:\(\?u\))?(?:\\S\+|\[\^\\s\]\+)")


@dataclass(frozen=True)
class Analysis:
    r"""One way of reading n-grams out of a text.

    Parameters
    ----------
    unit
        ``"word"``: n-grams of tokens; ``"char"``: of characters; ``"char_wb"``: of characters inside words;
        ``"piece"``: features that Python code found, joined by a separator.
    ngrams
        Least and greatest n.
    tokens
        Which characters make a token: ``"words"`` (``\w``), ``"words_and_punctuation"``, ``"not_space"``,
        ``"separated"`` (Python code found them) or ``"none"``.
    min_token_length
        In characters.
    accents
        ``"keep"``, or strip them as ``"unicode"`` or ``"ascii"``.
    stop_words
        Tokens left out, as they stand after lower-casing.

    Examples
    --------
    >>> Analysis(ngrams=(1, 2)).to_dict()["unit"]
    'word'
    >>> Analysis.from_dict(Analysis(unit="char").to_dict()) == Analysis(unit="char")
    True
    """

    unit: Unit = "word"
    ngrams: tuple[int, int] = (1, 1)
    tokens: Marking = "words"
    min_token_length: int = 2
    lowercase: bool = True
    accents: Accents = "keep"
    stop_words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, kind in (("unit", Unit), ("tokens", Marking), ("accents", Accents)):
            check_choice(repr(name), getattr(self, name), get_args(kind))
        lengths = self.ngrams if isinstance(self.ngrams, tuple) and len(self.ngrams) == 2 else (0, 0)
        if not all(is_length(n) for n in lengths) or lengths[0] > lengths[1]:
            expected = f"the least and the greatest length of n-grams, from 1 to {LONGEST_NGRAM:,}"
            raise _wrong("ngrams", expected, self.ngrams)
        if not is_length(self.min_token_length):
            raise _wrong("min_token_length", f"a whole number from 1 to {LONGEST_NGRAM:,}", self.min_token_length)
        if not isinstance(self.lowercase, bool):
            raise _wrong("lowercase", "true or false", self.lowercase)
        if not isinstance(self.stop_words, tuple) or not all(isinstance(word, str) for word in self.stop_words):
            raise _wrong("stop_words", "a list of words", self.stop_words)

    @cached_property
    def native(self) -> _native.Analyzer:
        """The same for the native core."""
        return _native.Analyzer.make(
            unit=self.unit,
            min_n=self.ngrams[0],
            max_n=self.ngrams[1],
            min_token_length=self.min_token_length,
            lowercase=self.lowercase,
            accents=self.accents,
            marking=self.tokens,
            stop_words=[word.encode("utf-8", "surrogatepass") for word in self.stop_words],
        )

    def to_dict(self) -> dict[str, Any]:
        """Settings as plain values."""
        return {**asdict(self), "ngrams": list(self.ngrams), "stop_words": list(self.stop_words)}

    @classmethod
    def from_dict(cls, settings: dict[str, Any]) -> Analysis:
        """The inverse of `to_dict`; unknown or missing settings are refused."""
        names = {field.name for field in fields(cls)}
        if set(settings) != names:
            odd = sorted(names ^ set(settings))
            raise ParameterError(f"an analysis has the settings {sorted(names)}; missing or unknown: {odd}")
        lists = {name: tuple(settings[name]) for name in ("ngrams", "stop_words") if isinstance(settings[name], list)}
        return cls(**{**settings, **lists})

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


def is_length(value: object) -> bool:
    """Whether an n-gram, or a token, can be so long."""
    return isinstance(value, Integral) and not isinstance(value, bool) and 1 <= int(value) <= LONGEST_NGRAM


def _wrong(name: str, expected: str, value: object) -> ParameterError:
    return ParameterError(f"{name!r} must be {expected}. Got {shortened(value)} instead.")


def native_pattern(pattern: str) -> tuple[str, int] | None:
    r"""Which characters make a token and how many it needs, if the native core knows the regular expression.

    Examples
    --------
    >>> native_pattern(r"(?u)\b\w\w+\b")
    ('words', 2)
    >>> native_pattern(r"\w+|[^\w\s]")
    ('words_and_punctuation', 1)
    >>> native_pattern(r"[a-z]+") is None
    True
    """
    if _NOT_SPACE.fullmatch(pattern):
        return "not_space", 1
    match = _WORDS.fullmatch(pattern)
    if match is None:
        return None
    word = match["bounded"] or match["bare"]
    counted = re.search(r"\{(\d+),", word)
    least = int(counted[1]) if counted else 2 if word == r"\w\w+" else 1
    if least < 1 or least > 1000:
        return None
    return ("words_and_punctuation" if match["punctuation"] else "words"), least
