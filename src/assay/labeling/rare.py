"""More examples of labels that have few: by the words that speak for them, and by what is like an example."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.labeling.features import PoolFeatures
from assay.labeling.known import KnownLabels
from assay.labeling.narrow_rows import NarrowColumns, products
from assay.labeling.picks import Reason
from assay.labeling.quick_model import QuickModel
from assay.suggest import counted, excerpt, quote, quoted
from assay.threads import count_threads

__all__ = ["RareFind", "rare_finds", "rare_labels"]

FEWER_THAN = 10  # examples
_OF_AVERAGE = 0.25  # and fewer than this share of what a label has on average
_EXAMPLES = 8  # that neighbours are looked for of
_WORDS = 3


@dataclass(frozen=True)
class RareFind:
    """A text that is likely of a rare label."""

    row: int
    why: Reason
    score: float
    sentence: str


def rare_labels(known: KnownLabels) -> list[int]:
    """Labels with few examples, beside others that have many, the rarest first.

    Examples
    --------
    >>> rare_labels(KnownLabels.of(["ham"] * 30 + ["spam"] * 2, 32))
    [1]
    """
    counts = known.counts
    few = min(FEWER_THAN, _OF_AVERAGE * counts.sum() / max(len(counts), 1))
    rare = np.flatnonzero((counts > 0) & (counts < few))
    return [int(k) for k in rare[np.argsort(counts[rare], kind="stable")]]


def rare_finds(
    features: PoolFeatures,
    texts: object,
    known: KnownLabels,
    quick: QuickModel,
    table: NDArray[np.float64],
    free: NDArray[np.bool_],
    n: int,
    *,
    threads: int | None,
) -> list[RareFind]:
    """At most n texts, for each rare label in turn one by its words and one by its examples.

    Parameters
    ----------
    features, texts
        Of all texts.
    known, quick, table
        Labels that may be learned from, the model of them, and the probabilities that it gives every text.
    free
        Texts that may be picked.
    n
        At most so many.
    threads
        They change no bit.
    """
    labels = rare_labels(known)
    if not labels or n < 1:
        return []
    rows = np.flatnonzero(free)
    found: list[RareFind] = []
    taken: set[int] = set()
    nearest = {k: _nearest(features, known.rows_of(k)[-_EXAMPLES:], rows, threads) for k in labels[:n]}
    for by_words in (True, False) * n:
        for k in labels[:n]:
            if len(found) == n or len(taken) == len(rows):
                return found
            scores = table[rows, k] if by_words else nearest[k][0]
            order = np.argsort(-scores, kind="stable")
            at = next((int(i) for i in order if int(i) not in taken), None)
            if at is None or scores[at] <= 0:
                continue
            few = f"{quote(known.names[k])}, which has only {counted(int(known.counts[k]), 'example', 'examples')}"
            if by_words:
                words = features.names(quick.words_for(features.rows[rows[[at]]], k)[:_WORDS])
                if not words:
                    continue
                say = "speak" if len(words) > 1 else "speaks"
                find = RareFind(int(rows[at]), "rare-word", float(scores[at]), f"{quoted(words)} {say} for {few}")
            else:
                example = texts[int(nearest[k][1][at])].as_py()  # type: ignore[index]
                sentence = f"like {excerpt(example)}, an example of {few}"
                find = RareFind(int(rows[at]), "rare-neighbor", float(min(scores[at], 1.0)), sentence)
            found.append(find)
            taken.add(at)
    return found


def _nearest(
    features: PoolFeatures, examples: NDArray[np.int64], rows: NDArray[np.intp], threads: int | None
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Of each row the cosine to its nearest example, and which that is."""
    own = features.rows[examples]
    narrow = NarrowColumns.of(own)
    few = narrow.of_rows(own)
    table = np.zeros((len(narrow.columns), len(examples)), np.float32)
    table[few.indices, np.repeat(np.arange(len(examples)), np.diff(few.indptr))] = few.data
    alike = products(narrow.of_rows(features.rows[rows]), table, np.zeros(len(examples)), count_threads(threads))
    best = alike.argmax(axis=1)
    return alike[np.arange(len(rows)), best], examples[best]
