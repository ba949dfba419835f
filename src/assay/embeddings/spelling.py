"""Words that are spelled like another one, out of a vocabulary of any size."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest
from itertools import pairwise

from assay.data.suggest import nearest_first

__all__ = ["nearest_spellings"]

_CANDIDATES = 50  # a comparison letter by letter costs as much as a thousand looks at pairs of letters


def nearest_spellings(word: str, words: Sequence[str], top: int = 5) -> list[str]:
    """The words with the most like spelling, nearest first; of equally like ones those that come first.

    Words that share the most pairs of letters are found first, and then compared letter by letter.

    Examples
    --------
    >>> nearest_spellings("fantstic", ["great", "fantastic", "frantic", "film"], top=2)
    ['fantastic', 'frantic']
    """
    wanted = _pairs(word)

    def likeness(option: str) -> float:
        own = _pairs(option)
        return len(wanted & own) / (len(wanted) + len(own))

    near = nlargest(_CANDIDATES, words, key=likeness)
    return nearest_first(word, [option for option in near if likeness(option) > 0])[:top]


def _pairs(word: str) -> set[tuple[str, str]]:
    return set(pairwise(f" {word.casefold()} "))
