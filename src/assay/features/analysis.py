"""What the native core does to a document, as plain settings that can be kept in a file."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any, Literal

from assay import _native
from assay.errors import ParameterError

__all__ = ["NAMED_TOKENIZERS", "Analysis", "native_pattern"]

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

    unit: Literal["word", "char", "char_wb", "piece"] = "word"
    ngrams: tuple[int, int] = (1, 1)
    tokens: Literal["words", "words_and_punctuation", "not_space", "separated", "none"] = "words"
    min_token_length: int = 2
    lowercase: bool = True
    accents: Literal["keep", "unicode", "ascii"] = "keep"
    stop_words: tuple[str, ...] = ()

    @cached_property
    def native(self) -> Any:
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
        lowest, highest = settings["ngrams"]
        return cls(
            **{**settings, "ngrams": (lowest, highest), "stop_words": tuple(settings["stop_words"])},
        )

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


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
