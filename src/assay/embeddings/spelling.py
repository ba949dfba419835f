"""Words that are spelled like another one, out of a vocabulary of any size."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from heapq import nlargest
from itertools import pairwise

__all__ = ["nearest_spellings"]

_LIKE = 0.5  # of the letters in the same order
_CANDIDATES = 50  # a comparison letter by letter costs as much as a thousand looks at pairs of letters


def nearest_spellings(word: str, words: Sequence[str], top: int = 5) -> list[str]:
    """The words with the most like spelling, nearest first; none where none is like it.

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

    near = {option.casefold(): option for option in reversed(nlargest(_CANDIDATES, words, key=likeness))}
    return [near[found] for found in get_close_matches(word.casefold(), near, top, cutoff=_LIKE)]


def _pairs(word: str) -> set[tuple[str, str]]:
    return set(pairwise(f" {word.casefold()} "))
