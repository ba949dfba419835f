"""Feature templates as data: what the language of `template_language` says, after parsing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["AGGREGATES", "TEXT_MEASURES", "Aggregate", "Template", "Term"]

Aggregate = Literal["count", "presence", "log-count", "sum", "text-length", "log-text-length"]

#: What is made of all the places where a conjunction holds.
AGGREGATES: tuple[Aggregate, ...] = ("count", "presence", "log-count", "sum")
#: What needs no conjunction.
TEXT_MEASURES: tuple[Aggregate, ...] = ("text-length", "log-text-length")


@dataclass(frozen=True)
class Term:
    """One question about a token near the place that is looked at, such as ``lower[+1]``.

    Attributes
    ----------
    feature, argument
        Such as ``"suffix"`` and 3.
    offset
        Tokens from the place, to the right.
    negated
        Whether the answer is turned round.
    equals, differs
        What the value must, or must not, be.
    """

    feature: str
    argument: str | int | None = None
    offset: int = 0
    negated: bool = False
    equals: str | None = None
    differs: str | None = None

    @property
    def is_about_lexicon(self) -> bool:
        """Whether the argument is the name of a lexicon."""
        return self.feature in ("in", "score")

    @property
    def is_number(self) -> bool:
        """Whether it can be added up."""
        return self.feature in ("length", "score") and self.equals is None and self.differs is None


@dataclass(frozen=True)
class Template:
    """A template with its name; its columns are called by the name and the values that were found.

    Attributes
    ----------
    name, text
        What it is called, and how it was written.
    aggregate
        What is made of all the places where the terms hold.
    terms
        Of the conjunction.
    """

    name: str
    text: str
    aggregate: Aggregate
    terms: tuple[Term, ...] = ()

    @property
    def reach(self) -> tuple[int, int]:
        """Offsets of the first and the last token that the terms look at."""
        lengths = [int(term.argument or 1) if term.feature == "ngram" else 1 for term in self.terms]
        last = [term.offset + length - 1 for term, length in zip(self.terms, lengths, strict=True)]
        return min(term.offset for term in self.terms), max(last)
