"""Whether words have become more frequent, by the counts of words that a model's file keeps.

The file has no texts of before to deal out anew, but says in how many of them each n-gram was. An n-gram that is in
more of the new texts than that lets expect has risen: Fisher's exact test of each, all together by Bonferroni's rule,
holds whatever the words have to do with each other. Two things are counted against a rise: the file rounds its counts
(the greatest that it may mean is taken), and copies of training texts are in them (the share is of the different texts
only, as the new ones are).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.drift.words import LEAST, MOST_SHOWN, ShiftedWord, likelihood_ratio, texts_with
from assay.features.documents import as_documents
from assay.prediction.known_ngrams import KnownNgrams, read_ngrams
from assay.prediction.probabilities import Floats

__all__ = ["RisenTest", "compare_counts", "risen_words"]

_LOOKED_AT_CLOSELY = 200  # n-grams, those that differ most


@dataclass(frozen=True)
class RisenTest:
    """Whether some n-gram is more frequent in the new texts than it was before.

    Attributes
    ----------
    n_before, n_new
        Different texts on both sides.
    looked_at
        N-grams that were compared.
    risen
        N-grams of which that is clear.
    p_value
        Of the clearest rise, times `looked_at`.
    could_be_seen
        Share of the new texts with one word that no text had, from which it would have been found in four of five
        cases.
    """

    n_before: int
    n_new: int
    looked_at: int
    risen: int
    p_value: float
    could_be_seen: float


def compare_counts(known: KnownNgrams, n_before: int, new: Any, *, level: float, threads: int) -> RisenTest:
    """Test whether n-grams have risen.

    Parameters
    ----------
    known
        What the file keeps of the training texts.
    n_before
        Different training texts.
    new
        New texts, in an Arrow array; copies are left out.
    level
        Chance of no false alarm.
    threads
        For reading.
    """
    rows = read_ngrams(as_documents(new), known.analysis, known.codes.size, threads)
    n_new = len(new)
    now = np.bincount(rows.columns, minlength=known.codes.size)
    before = np.minimum(known.most_texts_with, n_before)
    looked_at = int((before + now >= LEAST).sum())
    columns = np.flatnonzero((before + now >= LEAST) & (now * n_before > before * n_new))
    p_values = _p_values(before[columns], now[columns], n_before, n_new) * looked_at
    return RisenTest(
        n_before,
        n_new,
        looked_at,
        int((p_values < 1 - level).sum()),
        float(min(1.0, p_values.min(initial=1.0))),
        _could_be_seen(n_before, n_new, looked_at, level),
    )


def risen_words(
    new: list[str], known: KnownNgrams, n_before: int, looked_at: int, *, threads: int
) -> tuple[ShiftedWord, ...]:
    """Words that are clearly more frequent in the new texts, the clearest first; none where characters are known.

    Examples
    --------
    >>> from assay.prediction.novelty import reading_of
    >>> texts = ["the card"] * 60
    >>> rows = read_ngrams(as_documents(texts), reading_of("words"), 1024, 1)
    >>> known = KnownNgrams.of_counts(reading_of("words"), 60, np.bincount(rows.columns, minlength=1024))
    >>> found = risen_words(["the card"] * 30 + ["the parcel"] * 30, known, 60, 5, threads=1)
    >>> [(word.word, word.old, word.new) for word in found]
    [('parcel', 0.0, 0.5)]
    """
    if known.analysis.unit != "word":
        return ()
    counts, names = texts_with(new, 0, True, threads)
    rows = read_ngrams(as_documents(names), known.analysis, known.codes.size, threads)
    alone = np.flatnonzero((np.diff(rows.bounds) == 1) & (counts[1] >= LEAST))
    if not alone.size:
        return ()
    before = np.minimum(known.most_texts_with[rows.columns[rows.bounds[alone]]], n_before)
    now = counts[1][alone]
    p_values = _p_values(before, now, n_before, len(new)) * looked_at
    clear = np.flatnonzero((p_values < 0.05) & (now * n_before > before * len(new)))
    order = clear[np.lexsort((clear, p_values[clear]))][:MOST_SHOWN]
    return tuple(
        ShiftedWord(names[alone[k]], float(before[k] / n_before), float(now[k] / len(new)), float(p_values[k]))
        for k in order
    )


def _p_values(before: NDArray[np.int64], now: NDArray[np.int64], n_before: int, n_new: int) -> Floats:
    """Fisher's, one-sided, of those that differ most; 1 for the others, which is never too small."""
    from scipy.stats import hypergeom

    p_values = np.ones(before.size)
    ratio = likelihood_ratio(np.stack([before, now]), np.array([[n_before], [n_new]]))
    most = np.lexsort((np.arange(ratio.size), -ratio.round(9)))[:_LOOKED_AT_CLOSELY]
    p_values[most] = hypergeom.sf(now[most] - 1, n_before + n_new, before[most] + now[most], n_new)
    return p_values


def _could_be_seen(n_before: int, n_new: int, looked_at: int, level: float) -> float:
    """A word that no text of before had is clear from c texts on; so many there are in four of five cases."""
    needed = np.log(max(looked_at, 1) / (1 - level)) / np.log1p(n_before / n_new)
    return float(min(1.0, (needed + 0.84 * np.sqrt(needed)) / n_new))
