"""Which words a decision hangs on: the fewest whose removal changes it.

Every candidate is checked by asking the model about the text without the words. One word and two are tried exhaustively
among the most telling; beyond that more and more words are left out in the order of what they say for the label, until
it changes or no word is left, and those that turn out not to be needed are put back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Any, Protocol

from assay.explanation.label_decisions import LabelDecider
from assay.explanation.words import TextPiece

__all__ = ["Decider", "Removal", "label_removal", "smallest_removal"]

MOST_ALONE = 200
MOST_PAIRED = 24
AT_ONCE = 16  # texts that the model is asked about first, then twice as many at a time
ONE_BY_ONE = 200  # words left out in order, beyond which a twentieth more are left out at a time


class Decider(Protocol):
    """What gives texts their labels."""

    def predict(self, texts: list[str], /) -> Any:
        """Label of each text."""


@dataclass(frozen=True)
class Removal:
    """Words without which the decision is another.

    Attributes
    ----------
    words
        In the order of the text, each once; all their occurrences are removed.
    label
        The decision without them; of a model that gives sets, all labels of the text without them.
    text
        What is left.
    """

    words: tuple[str, ...]
    label: str | tuple[str, ...] | None
    text: str


def smallest_removal(model: Decider, label: object, pieces: Sequence[TextPiece]) -> Removal | None:
    """The fewest words found whose removal changes `label`; None where none was found.

    Parameters
    ----------
    model
        Decides.
    label
        What it decided.
    pieces
        The pieces of the text that it decided about, with what each contributes to the label.
    """
    search = _Search(model, label, pieces)
    if not search.candidates:
        return None
    found = search.first_of((word,) for word in search.candidates[:MOST_ALONE])
    found = found or search.first_of(combinations(search.candidates[:MOST_PAIRED], 2))
    found = found or search.greedy()
    if found is None:
        return None
    return Removal(tuple(sorted(found, key=search.place)), search.decide([found])[0], search.without(found))


def label_removal(model: Any, label: str, given: bool, pieces: Sequence[TextPiece]) -> Removal | None:
    """The fewest words found whose removal changes whether a model that gives sets gives one label.

    What speaks for the label goes first, or, where it is not given, what keeps it away.
    """
    sign = 1 if given else -1
    signed = [replace(piece, contribution=sign * piece.contribution) for piece in pieces]
    found = smallest_removal(LabelDecider(model, label), given, signed)
    if found is None:
        return None
    return replace(found, label=tuple(map(str, model.predict([found.text]).tolist()[0])))


class _Search:
    def __init__(self, model: Decider, label: object, pieces: Sequence[TextPiece]) -> None:
        self.model, self.label = model, label
        self.text = "".join(piece.text for piece in pieces)
        support: dict[str, float] = {}
        self.first: dict[str, TextPiece] = {}
        self.spans: dict[str, list[tuple[int, int]]] = {}  # of each word, with the space before it
        begin = end = 0
        for k, piece in enumerate(pieces):
            begin, end = end, end + len(piece.text)
            if piece.is_word:
                key = piece.text.casefold()
                support[key] = support.get(key, 0.0) + piece.contribution
                self.first.setdefault(key, piece)
                space = len(pieces[k - 1].text) if k and pieces[k - 1].text.isspace() else 0
                self.spans.setdefault(key, []).append((begin - space, end))
        ranked = sorted(support, key=lambda key: -support[key])
        self.candidates = [self.first[key].text for key in ranked]

    def place(self, word: str) -> int:
        return self.first[word.casefold()].start

    def without(self, words: Iterable[str]) -> str:
        """The text without the words, and without the space before each."""
        gone = sorted(span for key in {word.casefold() for word in words} for span in self.spans.get(key, ()))
        kept, end = [], 0
        for span in gone:
            kept.append(self.text[end : span[0]])
            end = span[1]
        return "".join([*kept, self.text[end:]]).strip()

    def decide(self, sets: Sequence[Sequence[str]]) -> list[Any]:
        decided: list[Any] = self.model.predict([self.without(words) for words in sets]).tolist()
        return decided

    def first_of(self, sets: Iterable[Sequence[str]]) -> tuple[str, ...] | None:
        waiting, size = iter(sets), AT_ONCE
        while tried := [tuple(words) for words in islice(waiting, size)]:
            for words, label in zip(tried, self.decide(tried), strict=True):
                if label != self.label:
                    return words
            size *= 2
        return None

    def greedy(self) -> tuple[str, ...] | None:
        """Remove the words that speak most for the label, one more at a time, until it changes; then put back."""
        found = self.first_of(self.candidates[:size] for size in self._sizes())
        if found is None:
            return None
        kept, part = list(found), max(1, len(found) // ONE_BY_ONE)
        for begin in range(len(found), 0, -part):
            gone = set(found[max(0, begin - part) : begin])
            fewer = [other for other in kept if other not in gone]
            if fewer and self.decide([fewer])[0] != self.label:
                kept = fewer
        return tuple(kept)

    def _sizes(self) -> list[int]:
        sizes = list(range(3, min(len(self.candidates), ONE_BY_ONE) + 1))
        while sizes and sizes[-1] < len(self.candidates):
            sizes.append(min(len(self.candidates), sizes[-1] + max(1, sizes[-1] // 20)))
        return sizes
