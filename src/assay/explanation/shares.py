"""How the contribution of a feature is shared among the characters that it was read from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.explanation.located import LocatedFeatures

__all__ = ["share_among_characters"]

Floats = NDArray[np.float64]


def share_among_characters(
    located: LocatedFeatures, columns: NDArray[Any], contributions: Floats, n_characters: int
) -> Floats:
    """What each character of the text contributes; the sum is that of the contributions.

    A feature that occurs several times gives each occurrence the same share (a hashed one that partly cancels out gives
    each its sign's), and an occurrence gives the same to each character of its tokens; what stands between the tokens
    of an n-gram gets nothing.

    Parameters
    ----------
    located
        Every occurrence of the block's features.
    columns, contributions
        Columns of the block that the text has, ascending, and what each contributes.
    n_characters
        Length of the text.
    """
    if not len(located.columns):
        return np.zeros(n_characters)
    which = np.searchsorted(columns, located.columns)
    amounts = contributions[which] * _shares(which, located.signs, len(columns))

    widths = (located.ends - located.starts).astype(np.int64)  # of symbols
    before = np.concatenate([[0], np.cumsum(widths)])
    first, lengths = located.first.astype(np.int64), located.lengths.astype(np.int64)
    total = before[first + lengths] - before[first]
    alone = total == 0  # the space that pads a word: shown at the word's nearest character
    if alone.any():
        opens = widths[np.minimum(first + 1, len(widths) - 1)] > 0
        first = np.where(alone, np.where(opens, first + 1, first - 1), first)
        total = before[first + lengths] - before[first]

    occurrence = np.repeat(np.arange(len(first)), lengths)
    step = np.arange(len(occurrence)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    symbol = first[occurrence] + step
    per_character = np.bincount(symbol, (amounts / total)[occurrence], len(widths))  # of a symbol
    place = np.repeat(located.starts.astype(np.int64), widths) + (
        np.arange(before[-1]) - np.repeat(before[:-1], widths)
    )
    return np.asarray(np.bincount(place, np.repeat(per_character, widths), n_characters), dtype=np.float64)


def _shares(which: NDArray[Any], signs: NDArray[Any], n_columns: int) -> Floats:
    """The part of its column's contribution that each occurrence has; those of a column sum to 1."""
    counts = np.bincount(which, minlength=n_columns)
    sums = np.bincount(which, signs.astype(np.float64), n_columns)
    cancelled = sums == 0
    divisors = np.where(cancelled, counts, sums)[which]
    return np.asarray(np.where(cancelled[which], 1.0, signs) / divisors)
