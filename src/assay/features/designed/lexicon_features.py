"""`LexiconFeatures`: counts of words from lists, in scikit-learn's manners."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import Any, ClassVar

from assay.errors import ParameterError
from assay.features.designed.designed_vectorizer import DesignedFeatures
from assay.features.designed.lexicon import Lexicon
from assay.features.designed.lexicon_block import NEGATORS, LexiconBlock, Values
from assay.sklearn_internals import Interval, StrOptions
from assay.suggest import nearest_first, quoted

__all__ = ["LexiconFeatures"]


class LexiconFeatures(DesignedFeatures):
    """How many words of each list a text has: one column a list, two a list with scores.

    Parameters
    ----------
    lexicons
        By name: a file (one word or phrase a line, or a word and its score; ``;`` begins a comment), a list of words, a
        mapping from words to scores, or a `Lexicon`.
    values
        ``"count"``; ``"presence"``, 1 or 0; or ``"log-count"``, ln(1 + count).
    negation
        A word that has one of the `negators` among the so many words before it, with no punctuation between, counts
        for the other side. 0: words count as they stand.
    negators
        Words that turn others round; ``"n't"`` stands for every word that ends so.
    opposites
        For a list, the list of the other side. By default those called "positive" and "negative" are each other's. A
        list with scores is its own other side; what has none gets a column ``not name`` for its negated words.

    Attributes
    ----------
    block_
        The features as plain data.

    Examples
    --------
    >>> lists = {"positive": ["good", "fun"], "negative": ["dull", "bad"]}
    >>> features = LexiconFeatures(lists, negation=3)
    >>> features.fit_transform(["Good fun!", "This wasn't much fun, and never very good."])
    array([[2., 0.],
           [0., 2.]])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "lexicons": [Mapping],
        "values": [StrOptions({"count", "presence", "log-count"})],
        "negation": [Interval(Integral, 0, None, closed="left")],
        "opposites": [Mapping, None],
    }

    def __init__(
        self,
        lexicons: Mapping[str, Any] | None = None,
        *,
        values: Values = "count",
        negation: int = 0,
        negators: Iterable[str] = NEGATORS,
        opposites: Mapping[str, str] | None = None,
    ) -> None:
        self.lexicons = lexicons
        self.values = values
        self.negation = negation
        self.negators = negators
        self.opposites = opposites

    def _new_block(self, texts: list[str]) -> LexiconBlock:
        if not self.lexicons:
            raise ParameterError(
                "The 'lexicons' parameter of LexiconFeatures must be lists by name, such as {'positive': "
                f"'positive-words.txt'}}. Got {self.lexicons!r} instead."
            )
        lexicons = {str(name): Lexicon.of(given) for name, given in self.lexicons.items()}
        negators = (self.negators,) if isinstance(self.negators, str) else tuple(self.negators)
        return LexiconBlock(lexicons, self.values, int(self.negation), negators, self._checked_opposites(lexicons))

    def _checked_opposites(self, lexicons: Mapping[str, Lexicon]) -> dict[str, str]:
        if self.opposites is None:
            pair = {"positive": "negative", "negative": "positive"}
            plain = all(name in lexicons and not lexicons[name].scored for name in pair)
            return pair if plain else {}
        both = dict(self.opposites) | {other: name for name, other in self.opposites.items()}
        for name in both:
            if name not in lexicons:
                known = quoted(nearest_first(name, lexicons))
                raise ParameterError(f"'opposites' names the lexicon {name!r}, which is not there. There are {known}.")
            if lexicons[name].scored:
                raise ParameterError(
                    f"'opposites' names the lexicon {name!r}, whose scores already say which side a word is on. Name "
                    "lists without scores only."
                )
        return both
