"""A test far below the cross-validation: that the test texts differ from the training texts, and in what most."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from assay.evaluation.presenting.percentages import percent
from assay.suggest import quote

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.evaluation.metrics.outcomes import Outcomes

__all__ = ["shift_note"]

FAR = 3.0  # standard errors of a difference of two shares
LEAST = 0.05  # of accuracy
LOOKED_AT = 2000  # texts of each side
_WORD = re.compile(r"\w+")


def shift_note(train: Corpus, test: Corpus, crossed: Outcomes, tested: Outcomes) -> str | None:
    """What to say where accuracy on given test texts is far below that of the cross-validation; None where it is not.

    Parameters
    ----------
    train, test
        The texts of both sides.
    crossed, tested
        Answers to the training texts by models that had not seen them, and to the test texts by the model.
    """
    n, m = crossed.n_documents, tested.n_documents
    before, after = float(crossed.correct.mean()), float(tested.correct.mean())
    pooled = (crossed.correct.sum() + tested.correct.sum()) / (n + m)
    error = float(np.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m)))
    if before - after < max(LEAST, FAR * error):
        return None
    size, how = max(_differences(train, test))
    most = (
        f"The largest difference that was found: {how}"
        if size >= 1
        else "Their labels, lengths and words are much alike: labels may have been given by another rule there"
    )
    return (
        f"On the test texts {percent(after)} are right, in the cross-validation {percent(before)} were, which is no "
        f"chance: the test texts differ from the training texts. {most}"
    )


def _differences(train: Corpus, test: Corpus) -> Iterator[tuple[float, str]]:
    """How the sides differ, each with its size: 1 is what is worth a word."""
    names = sorted({*train.label_names, *test.label_names})
    shares = [_shares(side, names) for side in (train, test)]
    k = int(np.abs(shares[1] - shares[0]).argmax())
    moved = float(np.abs(shares[1] - shares[0]).sum() / 2)
    yield (
        moved / 0.1,
        f"{quote(names[k])} is {percent(shares[1][k])} of the test, and {percent(shares[0][k])} of the rest",
    )
    ours, theirs = ([_words(text) for text in _sampled(side)] for side in (train, test))
    lengths = [max(float(np.median([len(words) for words in side])), 1.0) for side in (ours, theirs)]
    yield (
        abs(float(np.log2(lengths[1] / lengths[0]))) / 0.5,
        f"half of the test texts have more than {lengths[1]:g} words, half of the others more than {lengths[0]:g}",
    )
    cut = len(ours) * 4 // 5  # words that a fifth of the training texts has and the rest has not, for comparison
    usual, found = _unknown(ours[:cut], ours[cut:]), _unknown(ours, theirs)
    yield (
        (found - usual) / 0.05,
        f"{percent(found)} of their words occur in no training text, where {percent(usual)} would be usual",
    )


def _shares(side: Corpus, names: list[str]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    counts = dict(zip(side.label_names, side.class_counts, strict=True))
    return np.array([float(counts.get(name, 0)) for name in names]) / max(len(side), 1)


def _sampled(side: Corpus) -> list[str]:
    rows = np.random.default_rng(0).permutation(len(side))[:LOOKED_AT]
    return [side[int(row)].text for row in rows]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _unknown(known: list[list[str]], others: list[list[str]]) -> float:
    """Share of the words of `others` that none of the `known` texts has."""
    vocabulary = {word for words in known for word in words}
    words = [word for text in others for word in text]
    return sum(word not in vocabulary for word in words) / max(len(words), 1)
