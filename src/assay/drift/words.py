"""Words that are more frequent in new texts, or in old ones, than chance makes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.features.documents import as_documents
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.counted_ngrams import count_ngrams, weighted_rows
from assay.features.ngrams.ngram_settings import NgramSettings
from assay.prediction.known_ngrams import KnownNgrams
from assay.prediction.probabilities import Floats

__all__ = ["LEAST", "MOST_SHOWN", "ShiftedWord", "likelihood_ratio", "shifted_words", "texts_with", "unknown_words"]

MOST_SHOWN = 12  # words of a side
LEAST = 3  # texts that must hold a word


@dataclass(frozen=True)
class ShiftedWord:
    """A word, in which share of the old and the new texts it is, and how likely chance alone makes that.

    Attributes
    ----------
    word, old, new
        `old` is NaN where only the new texts are there, and the word was unknown.
    p_value
        Of the likelihood-ratio test, or of Fisher's, times what was looked at; NaN where nothing was compared.
    """

    word: str
    old: float
    new: float
    p_value: float


def shifted_words(old: Sequence[str], new: Sequence[str], *, words: bool, threads: int) -> tuple[ShiftedWord, ...]:
    """Words of which the share of texts differs by more than chance, the clearest first, new ones before old ones.

    Examples
    --------
    >>> found = shifted_words(["a card"] * 50, ["a card", "a parcel"] * 25, words=True, threads=1)
    >>> [(each.word, each.old, each.new) for each in found]
    [('parcel', 0.0, 0.5), ('card', 1.0, 0.5)]
    """
    from scipy.stats import chi2

    counts, names = texts_with([*old, *new], len(old), words, threads)
    enough = counts.sum(axis=0) >= LEAST
    counts, names = counts[:, enough], [name for name, kept in zip(names, enough, strict=True) if kept]
    if not names:
        return ()
    sizes = np.array([[len(old)], [len(new)]])
    ratio = likelihood_ratio(counts, sizes)
    p_values = np.minimum(chi2.sf(ratio, 1) * len(names), 1.0)
    shares = counts / sizes
    found: list[ShiftedWord] = []
    for side in (1, 0):
        more = np.flatnonzero((shares[side] > shares[1 - side]) & (p_values < 0.05))
        order = more[np.lexsort((more, -ratio[more].round(9)))][:MOST_SHOWN]
        found += [ShiftedWord(names[k], float(shares[0, k]), float(shares[1, k]), float(p_values[k])) for k in order]
    return tuple(found)


def unknown_words(new: Sequence[str], known: KnownNgrams, *, threads: int) -> tuple[ShiftedWord, ...]:
    """Words of the new texts that no training text had, by the hashes of a model file, the most frequent first.

    A word whose hash is that of another, one in sixteen, is missed.
    """
    counts, names = texts_with(new, 0, known.analysis.unit == "word", threads)
    enough = np.flatnonzero(counts[1] >= LEAST)
    candidates = [names[k] for k in enough]
    if not candidates:
        return ()
    alone = known.shares(as_documents(candidates), threads)
    missing = enough[alone == 0]
    order = missing[np.lexsort((missing, -counts[1, missing]))][:MOST_SHOWN]
    nan = float("nan")
    return tuple(ShiftedWord(names[k], nan, float(counts[1, k] / len(new)), nan) for k in order)


def texts_with(texts: Sequence[str], n_old: int, words: bool, threads: int) -> tuple[NDArray[np.int64], list[str]]:
    """How many old and new texts hold each word, (2, n_words), and the words."""
    analysis = Analysis() if words else Analysis(unit="char", ngrams=(2, 2), tokens="none")
    settings = NgramSettings(analysis, binary=True, sublinear=False, idf=False, norm=None)
    counted = count_ngrams(as_documents(list(texts)), [settings], threads)
    indptr, indices, _ = weighted_rows(counted, threads=threads, dtype=np.float32)
    features = counted[0].take_features()
    names = features.names() or []
    parts = (indices[: indptr[n_old]], indices[indptr[n_old] :])
    return np.stack([np.bincount(part, minlength=len(names)) for part in parts]), names


def likelihood_ratio(counts: NDArray[np.int64], sizes: NDArray[np.int64]) -> Floats:
    """G² of each word's table of texts with and without it, old and new."""
    from scipy.special import xlogy

    without = sizes - counts
    together, n = counts.sum(axis=0), sizes.sum()
    rows = xlogy(counts, counts / sizes) + xlogy(without, without / sizes)
    pooled = xlogy(together, together / n) + xlogy(n - together, (n - together) / n)
    return np.asarray(2 * np.maximum(rows.sum(axis=0) - pooled, 0.0))
