"""Which texts an update is measured on: the same ones before and after, and none that a person was shown for a doubt.

Texts that were held out when the model was trained stay held out for ever. Where none were, a part of the old texts is
chosen by a hash of what they say, so that it is the same part in every later update, and two models are trained without
it. Of the new texts, only those that were drawn at random may be measured on, and those are not learned from: a sample
of doubtful texts would tell how good a model is on doubtful texts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.data.arrays import text_bytes
from assay.data.corpus.corpus import Corpus
from assay.suggest import counted

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["SHARE", "chosen_by_content", "fit_for_test"]

SHARE = 0.2  # of the old texts, where none were held out
_PARTS = 1 << 32


def chosen_by_content(corpus: Corpus, first: NDArray[np.int64], seed: int, share: float = SHARE) -> NDArray[np.bool_]:
    """Which texts are held out, by what the first text of their group of near-copies, `first`, says.

    Examples
    --------
    >>> texts = Corpus([f"text number {i}" for i in range(1000)])
    >>> chosen = chosen_by_content(texts, np.arange(1000), seed=0)
    >>> few = texts.select(np.arange(500, 1000))
    >>> int(chosen.sum()), bool((chosen_by_content(few, np.arange(500), seed=0) == chosen[500:]).all())
    (203, True)
    """
    begin, below = sha256(b"held out %d" % seed), int(share * _PARTS).to_bytes(4)

    def is_drawn(text: memoryview) -> bool:
        digest = begin.copy()
        digest.update(text)
        return digest.digest() < below

    drawn = (is_drawn(text) for chunk in corpus.texts.chunks for text in _each(chunk))
    return np.asarray(np.fromiter(drawn, bool, len(corpus))[first])


def _each(chunk: pa.Array) -> Iterator[memoryview]:
    """The bytes of each text, where they lie."""
    offsets, content = text_bytes(chunk)
    whole = memoryview(content.data)
    return (whole[begin:end] for begin, end in pairwise(offsets.tolist()))


def fit_for_test(test: Corpus, near: NDArray[np.bool_], known: Collection[str]) -> tuple[NDArray[np.bool_], list[str]]:
    """Which texts of a test are not `near` what is learned from; and what to say of the others.

    Labels that nothing is learned of, which are not among the `known`, are none to test on either.
    """
    notes = []
    if near.any():
        notes.append(f"{_of_the_test(near)} nearly the same as what is learned from, and counted no longer")
    strange = np.zeros(len(test), bool)
    for number, name in enumerate(test.label_names):
        if name not in known:
            strange |= test.label_sets.having(number)
    if strange.any():
        notes.append(f"{_of_the_test(strange)} of a label that no training text has, and left out")
    return ~near & ~strange, notes


def _of_the_test(marked: NDArray[np.bool_]) -> str:
    return counted(int(marked.sum()), "text of the test is", "texts of the test are")
