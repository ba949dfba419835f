"""How many words of each lexicon a text has, a negated word counting for the other side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import log1p
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import numpy.typing as npt

from assay.features.columns.blocks import Arrays, Places
from assay.features.designed.lexicon import Lexicon
from assay.features.designed.table_block import TableBlock
from assay.features.designed.tokens import Tokens, fold
from assay.features.ngrams.string_arrays import strings_from_arrays, strings_to_arrays
from assay.header_checks import choice, entry, flag, numbers, whole_number

__all__ = ["NEGATORS", "LexiconBlock", "Values", "lexicons_from_data", "lexicons_to_data"]

NEGATORS = ("not", "no", "never", "n't", "cannot")
Values = Literal["count", "presence", "log-count"]

_CLAUSE_ENDS = frozenset('.,;:!?()[]…—–"“”')


@dataclass(frozen=True, eq=False)
class LexiconBlock(TableBlock):
    """Columns of lexicons.

    A list without scores has one column, the number of its words in the text; a list with scores has two, the sums of
    the scores above and below zero (the latter without its sign).

    Attributes
    ----------
    lexicons
        By name.
    values
        ``"count"``, ``"presence"`` (1 or 0) or ``"log-count"`` (ln(1 + count)).
    negation
        A word that has one of the `negators` among the so many words before it, with no mark of punctuation between
        them, counts for the other side: for the lexicon that `opposites` names; for a list with scores, with the other
        sign; else in a column of its own, ``not name``. 0: words count as they stand.
    negators
        Words; ``n't`` stands for every word that ends so.
    opposites
        For a lexicon, the one of the other side.

    Examples
    --------
    >>> from assay.features.documents import documents_from_strings
    >>> block = LexiconBlock({"good": Lexicon.of_words(["fun"]), "bad": Lexicon.of_words(["dull"])}, negation=2,
    ...                      opposites={"good": "bad", "bad": "good"})
    >>> block.names(), block.table(documents_from_strings(["It isn't any fun.", "never dull, fun"])).tolist()
    (['good', 'bad'], [[0.0, 1.0], [2.0, 0.0]])
    """

    lexicons: Mapping[str, Lexicon]
    values: Values = "count"
    negation: int = 0
    negators: tuple[str, ...] = NEGATORS
    opposites: Mapping[str, str] | None = None

    kind: ClassVar[str] = "lexicons"

    def names(self) -> list[str]:
        """Name of each column."""
        return list(self._columns)

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self._columns)

    @cached_property
    def _columns(self) -> dict[str, int]:
        names: list[str] = []
        for name, lexicon in self.lexicons.items():
            if lexicon.scored:
                names += [f"{name} above zero", f"{name} below zero"]
            else:
                names.append(name)
                if self.negation and name not in (self.opposites or {}):
                    names.append(f"not {name}")
        return {name: column for column, name in enumerate(names)}

    def table(self, documents: Any, *, n_threads: int = 1) -> npt.NDArray[np.float64]:
        """The values of documents, (n, n_columns)."""
        rows = [self._row(Tokens(text)) for text in documents.strings()]
        return np.array(rows, dtype=np.float64).reshape(len(rows), self.n_columns)

    def places(self, text: str) -> Places:
        """Where in a text the words of its lists stand."""
        tokens = Tokens(text)
        places: Places = {}
        if len(tokens.text) == len(text):  # else letters were composed, and positions are not those of the text
            for column, begin, end, _ in self._found(tokens):
                places.setdefault(column, []).append((tokens.starts[begin], tokens.ends[end - 1]))
        return places

    def _found(self, tokens: Tokens) -> Iterator[tuple[int, int, int, float]]:
        """Column, first token, token after the last one, and size of the score of every word of a list."""
        for name, lexicon in self.lexicons.items():
            plain, other = self._sides[name]
            for begin, end, score in lexicon.matches(tokens):
                negated = bool(self.negation) and self._is_negated(tokens, begin)
                yield other if negated != (score < 0) else plain, begin, end, abs(score)

    def _row(self, tokens: Tokens) -> list[float]:
        sums = [0.0] * self.n_columns
        for column, _, _, score in self._found(tokens):
            sums[column] += score
        if self.values == "presence":
            return [float(value > 0) for value in sums]
        return [log1p(value) for value in sums] if self.values == "log-count" else sums

    @cached_property
    def _sides(self) -> dict[str, tuple[int, int]]:
        """For each lexicon the columns of a word as it stands, and of a negated one."""
        columns, sides = self._columns, {}
        for name, lexicon in self.lexicons.items():
            if lexicon.scored:
                sides[name] = columns[f"{name} above zero"], columns[f"{name} below zero"]
            else:
                other = (self.opposites or {}).get(name, f"not {name}")
                sides[name] = columns[name], columns.get(other, columns[name])
        return sides

    @cached_property
    def _negators(self) -> tuple[frozenset[str], bool]:
        words = frozenset(map(fold, self.negators))
        return words - {"n't"}, "n't" in words

    def _is_negated(self, tokens: Tokens, begin: int) -> bool:
        words, (negators, endings) = tokens.folded, self._negators
        left = self.negation
        for i in range(begin - 1, -1, -1):
            word = words[i]
            if word in _CLAUSE_ENDS or left == 0:
                return False
            if word in negators or (endings and word.endswith("n't")):
                return True
            left -= tokens.is_word[i]
        return False

    def to_data(self) -> tuple[dict[str, Any], Arrays]:
        """Plain values and arrays that say everything about the block."""
        listed, arrays = lexicons_to_data(self.lexicons)
        return {
            "lexicons": listed,
            "values": self.values,
            "negation": int(self.negation),
            "negators": list(self.negators),
            "opposites": dict(self.opposites or {}),
        }, arrays

    @classmethod
    def from_data(cls, description: Mapping[str, Any], arrays: Arrays) -> LexiconBlock:
        """The inverse of `to_data`."""
        lexicons = lexicons_from_data(description, arrays)
        values = choice(description, "values", get_args(Values))
        negation = whole_number(description, "negation", 0, np.iinfo(np.int64).max)
        negators, opposites = entry(description, "negators", list), entry(description, "opposites", dict)
        if not all(isinstance(word, str) for word in negators):
            raise ValueError("a negator is no text")
        for name in [*opposites, *opposites.values()]:
            if not isinstance(name, str) or name not in lexicons or lexicons[name].scored:
                raise ValueError(f"'opposites' names {name!r}, which is no lexicon without scores")
        return cls(lexicons, values, negation, tuple(negators), opposites)


def lexicons_to_data(lexicons: Mapping[str, Lexicon]) -> tuple[list[dict[str, Any]], Arrays]:
    """What a file keeps of lexicons."""
    listed: list[dict[str, Any]] = []
    arrays: Arrays = {}
    for i, (name, lexicon) in enumerate(lexicons.items()):
        listed.append({"name": name, "scored": lexicon.scored, "case_sensitive": lexicon.case_sensitive})
        arrays[f"lexicons.{i}.words"], arrays[f"lexicons.{i}.offsets"] = strings_to_arrays(lexicon.entries)
        if lexicon.scored:
            arrays[f"lexicons.{i}.scores"] = np.array(list(lexicon.entries.values()))
    return listed, arrays


def lexicons_from_data(description: Mapping[str, Any], arrays: Arrays) -> dict[str, Lexicon]:
    """The inverse of `lexicons_to_data`, whose list is the "lexicons" of a block."""
    lexicons: dict[str, Lexicon] = {}
    for i, listed in enumerate(entry(description, "lexicons", list)):
        name = entry(listed, "name", str)
        if name in lexicons:
            raise ValueError(f"two lexicons are called {name!r}")
        words = strings_from_arrays(arrays.pop(f"lexicons.{i}.words"), arrays.pop(f"lexicons.{i}.offsets"))
        scores: list[float | None] = [None] * len(words)
        if flag(listed, "scored"):
            scores = numbers(arrays, f"lexicons.{i}.scores", (np.float64,), (len(words),)).tolist()
        entries = dict(zip(words, scores, strict=True))
        if len(entries) < len(words):
            raise ValueError(f"the lexicon {name!r} has a word twice")
        lexicons[name] = Lexicon(entries, case_sensitive=flag(listed, "case_sensitive")).checked()
    return lexicons
