"""Words chosen on one half of the texts, so that the other half can test them honestly."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, ParameterError
from assay.suggest import counted, quoted
from assay.wording import parameter

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["select_features"]

_FEWEST_TEXTS = 5


def select_features(
    corpus: Corpus, classes: NDArray[np.intp], labels: tuple[str, ...], top: int, seed: int, named: Collection[str]
) -> tuple[Corpus, NDArray[np.intp], list[str], str]:
    """The other half, its classes, the `top` words of the first half by χ², and a note on what was done."""
    from assay.features import CountVectorizer

    if top < 1:
        raise ParameterError(
            f"{parameter('top')} must be the number of words to choose, at least 1. Got {top!r} instead."
        )
    order = np.random.default_rng([seed, 2]).permutation(len(corpus))
    chosen_on, tested_on = np.sort(order[: len(order) // 2]), np.sort(order[len(order) // 2 :])
    for part in (chosen_on, tested_on):
        if len(np.unique(classes[part])) < len(labels):
            raise DataError(
                f"{corpus.source}: {counted(len(corpus), 'text is', 'texts are')} too few to choose words on one "
                "half and test them on the other: a half lacks a label. Name the features instead."
            )
    vectorizer = CountVectorizer(binary=True)
    present = vectorizer.fit_transform(corpus.select(chosen_on).texts).tocsc()
    frequency = np.diff(present.indptr)
    by_class = np.zeros((len(labels), present.shape[1]))
    np.add.at(by_class, (classes[chosen_on][present.indices], np.repeat(np.arange(present.shape[1]), frequency)), 1.0)
    shares = np.bincount(classes[chosen_on], minlength=len(labels)) / len(chosen_on)
    expected = shares[:, None] * frequency
    chi2 = (
        ((by_class - expected) ** 2 / expected).sum(axis=0) * len(chosen_on) / np.maximum(1, len(chosen_on) - frequency)
    )
    chi2[(frequency < _FEWEST_TEXTS) | (frequency > len(chosen_on) - _FEWEST_TEXTS)] = -1.0
    ranked = np.argsort(-chi2, kind="stable")
    names = vectorizer.get_feature_names_out()
    candidates = [int(j) for j in ranked if chi2[j] > 0 and str(names[j]) not in named]
    chosen, passed_over = _testable(candidates, vectorizer.transform(corpus.select(tested_on).texts).tocsc(), top)
    words = [str(names[j]) for j in chosen]
    if not words and passed_over:
        raise DataError(
            f"{corpus.source}: of the words chosen on one half of the texts, none can be tested on the other: "
            f"{quoted([names[j] for j in passed_over])}. There are too few texts; name features instead."
        )
    if not words:
        raise DataError(
            f"{corpus.source}: no word is in {_FEWEST_TEXTS} texts of one half: nothing to choose from. Name features."
        )
    note = (
        f"{counted(len(words), 'word was', 'words were')} chosen on {len(chosen_on):,} of the texts, and everything "
        f"was tested on the other {len(tested_on):,}, so that the choice does not make p-values too small."
    )
    if passed_over:
        note += (
            f" Passed over: {quoted([str(names[j]) for j in passed_over])}, which in those texts no text has, or every "
            "text, or the same texts as a word that was chosen before."
        )
    return corpus.select(tested_on), classes[tested_on], words, note


def _testable(ranked: Sequence[int], present: Any, top: int) -> tuple[list[int], list[int]]:
    """The first `top` words about which the other half can say anything, and those that were passed over.

    Only in which texts a word is decides, not their labels: the test stays honest.
    """
    chosen: list[int] = []
    passed_over: list[int] = []
    seen: set[bytes] = set()
    for j in ranked:
        if len(chosen) == top:
            break
        rows = np.sort(present.indices[present.indptr[j] : present.indptr[j + 1]])
        varies = 0 < len(rows) < present.shape[0] and rows.tobytes() not in seen
        (chosen if varies else passed_over).append(j)
        seen.add(rows.tobytes())
    return chosen, passed_over
