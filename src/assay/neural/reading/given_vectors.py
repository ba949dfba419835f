"""Vectors of words that somebody made before, for the first layer of a network."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from assay.errors import DataError, ParameterError
from assay.neural.reading.words import FIRST_WORD
from assay.suggest import quote

__all__ = ["GivenVectors", "given_vectors"]


@dataclass(frozen=True, eq=False)
class GivenVectors:
    """Words and their vectors.

    Attributes
    ----------
    words
        Each once.
    matrix
        (n_words, size), float32.
    """

    words: list[str]
    matrix: NDArray[np.float32]

    @property
    def size(self) -> int:
        """Numbers in a vector."""
        return int(self.matrix.shape[1])

    @cached_property
    def _row_of(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self.words)}

    def table(self, names: list[str], seed: int) -> torch.Tensor:
        """The first layer for these words, after two rows of zeros.

        A word without a vector gets random numbers that vary as much as those of the others (Kim 2014).
        """
        spread = float(np.sqrt(3) * self.matrix.std())
        found = np.random.default_rng(seed).uniform(-spread, spread, (FIRST_WORD + len(names), self.size))
        found = found.astype(np.float32)
        found[:FIRST_WORD] = 0.0
        for number, name in enumerate(names, start=FIRST_WORD):
            row = self._row_of.get(name)
            if row is not None:
                found[number] = self.matrix[row]
        return torch.from_numpy(found)


def given_vectors(source: Any) -> GivenVectors:
    """Vectors from `WordVectors`, from a file, or from whatever has `words` and a `matrix`."""
    if isinstance(source, str | os.PathLike):
        source = _read(source)
    if not (hasattr(source, "words") and hasattr(source, "matrix")):
        raise ParameterError(
            "vectors must be assay.embeddings.WordVectors or the path of a file of word vectors. Got "
            f"{type(source).__name__} instead."
        )
    words, matrix = list(map(str, source.words)), np.asarray(source.matrix, dtype=np.float32)
    if matrix.ndim != 2 or matrix.shape[0] != len(words) or not matrix.size:
        raise DataError(
            f"The vectors are {matrix.shape} numbers for {len(words):,} words. There must be one row for each word."
        )
    finite = np.isfinite(matrix).all(axis=1)
    if not finite.all():
        row = int(np.argmin(finite))
        raise DataError(f"The vector of {quote(words[row])} (row {row + 1}) holds NaN or infinity. Leave the word out.")
    return GivenVectors(words, matrix)


def _read(path: str | os.PathLike[str]) -> Any:
    """A file in the format of word2vec or fastText."""
    from assay.embeddings import read_vectors

    return read_vectors(path)
