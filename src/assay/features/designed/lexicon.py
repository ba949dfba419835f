"""Lists of words, plain or with scores, and where they stand in a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from math import isfinite
from typing import Any

from assay.errors import ParameterError
from assay.features.designed.tokens import Tokens

__all__ = ["Lexicon"]

Match = tuple[int, int, float]
Index = dict[str, list[tuple[tuple[str, ...], float]]]


class Lexicon:
    """A list of words or phrases, each with a score or all alike.

    A phrase is matched token by token, and the longest phrase that begins at a word wins: "well" is not found in
    "well-made" where both are in the list.

    Parameters
    ----------
    scores
        Score of each entry; None stands for a list without scores.
    case_sensitive
        Whether "May" and "may" are different entries. Composed and decomposed letters are always the same, and so are
        the two kinds of apostrophes unless case matters.

    Examples
    --------
    >>> lexicon = Lexicon.of_words(["good", "well-made"])
    >>> lexicon.matches(Tokens("A well-made film, GOOD fun"))
    [(1, 4, 1.0), (6, 7, 1.0)]
    """

    def __init__(self, scores: Mapping[str, float | None], *, case_sensitive: bool = False) -> None:
        self.scored = any(score is not None for score in scores.values())
        self.case_sensitive = case_sensitive
        self.entries = {str(word): 1.0 if score is None else float(score) for word, score in scores.items()}
        for word, score in self.entries.items():
            if not isfinite(score):
                raise ParameterError(
                    f"The score of {word!r} in a lexicon must be a finite number. Got {score} instead."
                )
        if not self.entries:
            raise ParameterError("A lexicon needs at least one word. Got none.")

    @classmethod
    def of_words(cls, words: Iterable[str], *, case_sensitive: bool = False) -> Lexicon:
        """A list without scores."""
        return cls(dict.fromkeys(words), case_sensitive=case_sensitive)

    @classmethod
    def of(cls, given: Any) -> Lexicon:
        """A lexicon out of whatever stands for one: itself, words, a mapping to scores, or the path of a file."""
        if isinstance(given, Lexicon):
            return given
        if isinstance(given, Mapping):
            return cls(given)
        if isinstance(given, str) or hasattr(given, "__fspath__"):
            from assay.features.designed.lexicon_file import read_lexicon

            return read_lexicon(given)
        return cls.of_words(given)

    def checked(self) -> Lexicon:
        """Itself, after a look at whether its entries can be told apart."""
        _ = self._index
        return self

    def matches(self, tokens: Tokens) -> list[Match]:
        """First token, token after the last one, and score of every entry in a text, from left to right."""
        words, index = self._forms(tokens), self._index
        found: list[Match] = []
        end = 0
        for i in [i for i, word in enumerate(words) if word in index]:
            if i < end:
                continue
            for entry, score in index[words[i]]:
                if len(entry) == 1 or tuple(words[i : i + len(entry)]) == entry:
                    end = i + len(entry)
                    found.append((i, end, score))
                    break
        return found

    def __len__(self) -> int:
        return len(self.entries)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lexicon) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(tuple(self.entries))

    def __repr__(self) -> str:
        return f"Lexicon of {len(self)} {'scored ' if self.scored else ''}words"

    @property
    def _identity(self) -> tuple[object, ...]:
        return self.scored, self.case_sensitive, self.entries

    def _forms(self, tokens: Tokens) -> list[str]:
        return tokens.words if self.case_sensitive else tokens.folded

    @cached_property
    def _index(self) -> Index:
        """By the first token: entries that begin with it, the longest first."""
        scores: dict[tuple[str, ...], tuple[str, float]] = {}
        for word, score in self.entries.items():
            entry = tuple(self._forms(Tokens(word)))
            if not entry:
                raise ParameterError(f"A lexicon's entry must hold a word or a mark. Got {word!r} instead.")
            if entry in scores and scores[entry][1] != score:
                raise ParameterError(
                    f"A lexicon has {scores[entry][0]!r} with score {scores[entry][1]:g} and {word!r} with {score:g}, "
                    "which are the same entry. Keep one of them, or let case matter."
                )
            scores[entry] = word, score
        index: Index = {}
        for entry in sorted(scores, key=len, reverse=True):
            index.setdefault(entry[0], []).append((entry, scores[entry][1]))
        return index
