"""Co-occurrence: a word is known by the company it keeps.

For each word w, count the words that stand at most c positions to the left or to the right of any w. Signs of
punctuation are not words: they are passed over, and do not take up a position.

References
----------
Surdeanu & Valenzuela-Escárcega, section 7.1 (the vector of *bagel*).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.textbook.inputs import InputError, as_count, as_label
from assay.textbook.steps import Step, Steps, finish

__all__ = ["Cooccurrence", "cooccurrence", "cooccurrence_steps", "words_of"]


@dataclass(frozen=True)
class Cooccurrence:
    """Who stands near whom.

    Parameters
    ----------
    words
        The vocabulary, in the order of first appearance.
    counts
        For each word how often each other stands in its window.
    """

    words: tuple[str, ...]
    counts: dict[str, Counter[str]]

    def vector(self, word: str) -> dict[str, int]:
        """Give the counts of one word, sorted by name with capitals and small letters mixed."""
        as_label(word, self.words, "word")
        return dict(sorted(self.counts[word].items(), key=lambda entry: (entry[0].lower(), entry[0])))

    def matrix(self) -> npt.NDArray[np.int64]:
        """Give all counts: row i is the vector of word i."""
        return np.array([[self.counts[w][v] for v in self.words] for w in self.words], dtype=np.int64)


def words_of(text: str) -> list[str]:
    """Split a text into words; hyphens and apostrophes inside a word belong to it, punctuation is dropped.

    Examples
    --------
    >>> words_of("It can be served as-is (or toasted).")
    ['It', 'can', 'be', 'served', 'as-is', 'or', 'toasted']
    """
    return re.findall(r"\w+(?:[-'’]\w+)*", text)


def cooccurrence_steps(text: str | Sequence[str], c: int = 3, word: str | None = None) -> Steps[Cooccurrence]:
    """Look at one window after the other; see `cooccurrence`."""
    tokens = words_of(text) if isinstance(text, str) else list(text)
    as_count(c, "c")
    if not tokens:
        raise InputError("The text has no words. Give at least one.")
    words = tuple(dict.fromkeys(tokens))
    if word is not None:
        as_label(word, words, "word")
    found = Cooccurrence(words, {w: Counter() for w in words})
    number = 0
    for i, centre in enumerate(tokens):
        left, right = tokens[max(0, i - c) : i], tokens[i + 1 : i + 1 + c]
        found.counts[centre].update(left + right)
        if word in (None, centre):
            number += 1
            yield Step(
                number,
                seen=" ".join([*left, f"[{centre}]", *right]),
                score=len(left) + len(right),
                decision=f"the company of {centre}",
                update=f"count {len(left)} left, {len(right)} right",
                parameters=found.vector(centre),
                why=f"position {i + 1} of {len(tokens)}",
            )
    return found


def cooccurrence(text: str | Sequence[str], c: int = 3, word: str | None = None) -> Cooccurrence:
    """Count who stands at most c words from whom.

    Parameters
    ----------
    text
        A string, of which the words are taken, or a list of tokens, taken as it is.
    c
        How far the window reaches to each side.
    word
        The word whose windows the steps show; all by default. Everything is counted in any case.

    Examples
    --------
    >>> cooccurrence("bread and butter and jam", c=1).vector("and")
    {'bread': 1, 'butter': 2, 'jam': 1}
    """
    return finish(cooccurrence_steps(text, c, word))
