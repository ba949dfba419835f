"""Words with their counts and vectors, and how they take in the words of more text."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from assay.embeddings.encoded_text import EncodedText

__all__ = ["Counted", "first_vectors", "grown"]

Matrix = npt.NDArray[np.float32]


class Counted(NamedTuple):
    """What is known about words, by falling count."""

    words: list[str]
    counts: npt.NDArray[np.int64]
    input: Matrix
    output: Matrix


def first_vectors(words: list[str], dimensions: int, *seed: int) -> Matrix:
    """Small random numbers, between -½ and ½ divided by the dimensions."""
    rng = np.random.default_rng(seed)
    return (rng.random((len(words), dimensions), dtype=np.float32) - np.float32(0.5)) / np.float32(dimensions)


def grown(known: Counted, encoded: EncodedText, seed: int) -> Counted:
    """Add the words and counts of more text, whose ids become ranks among all words.

    New words begin with random inputs and zero outputs.
    """
    place = {word: at for at, word in enumerate(known.words)}
    new = [word for word in encoded.vocabulary.words if word not in place]
    place.update((word, at) for at, word in enumerate(new, start=len(known.words)))
    of_text = np.array([place[word] for word in encoded.vocabulary.words], np.int64)
    counts = np.concatenate([known.counts, np.zeros(len(new), np.int64)])
    counts[of_text] += encoded.vocabulary.counts
    order = np.argsort(-counts, kind="stable")
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    encoded.renumber(rank[of_text])
    words = known.words + new
    dimensions = known.input.shape[1]
    # Another seed for every text: a word that is new now does not begin where another began.
    more = first_vectors(new, dimensions, seed, len(known.words))
    return Counted(
        [words[at] for at in order],
        counts[order],
        np.concatenate([known.input, more])[order],
        np.concatenate([known.output, np.zeros_like(more)])[order],
    )
