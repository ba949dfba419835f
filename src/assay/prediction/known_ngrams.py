"""Which n-grams training texts had, and how rare they are: a table of hashes that holds no words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.text_features import Hashing, TextFeatures, Weighting
from assay.prediction.probabilities import Floats

__all__ = ["KnownNgrams", "NgramRows", "known_shares", "read_ngrams"]

_STEPS = 8  # to a doubling of the number of texts


@dataclass(frozen=True, eq=False)
class NgramRows:
    """The hashed n-grams of some texts: those of text i are ``columns[bounds[i]:bounds[i + 1]]``, each once."""

    bounds: NDArray[np.int64]
    columns: NDArray[np.int64]

    @property
    def text_of(self) -> NDArray[np.int64]:
        """The text of each n-gram."""
        return np.repeat(np.arange(self.bounds.size - 1), np.diff(self.bounds))


def read_ngrams(documents: Any, analysis: Analysis, n_columns: int, threads: int) -> NgramRows:
    """The n-grams of texts, by the hash of each."""
    hashed = TextFeatures(analysis, Hashing(n_columns, alternate_sign=False), Weighting(binary=True))
    bounds, columns, _ = hashed.rows(documents, n_threads=threads, dtype=np.float32)
    return NgramRows(bounds.astype(np.int64), columns.astype(np.int64))


def known_shares(rows: NgramRows, texts_with: NDArray[Any], n_texts: int) -> Floats:
    """Of each text the share of its n-grams that training texts had, each as important as it is rare.

    An n-gram counts idf² = (1 + ln((1 + n) / (1 + texts with it)))², as in the length of a tf-idf vector; one that no
    training text had counts most. A text without n-grams has the share 0.

    Parameters
    ----------
    rows
        The texts' n-grams.
    texts_with
        For each column, in how many of the training texts its n-grams are.
    n_texts
        Training texts.
    """
    found = texts_with[rows.columns]
    importance = (1 + np.log((1 + n_texts) / (1 + found))) ** 2
    n = rows.bounds.size - 1
    known = np.bincount(rows.text_of, importance * (found > 0), minlength=n)
    every = np.bincount(rows.text_of, importance, minlength=n)
    return np.asarray(known / np.where(every > 0, every, 1.0))


@dataclass(frozen=True, eq=False)
class KnownNgrams:
    """In how many training texts n-grams are, by their hashes.

    Attributes
    ----------
    analysis
        What the n-grams are.
    n_texts
        Training texts.
    codes
        For each column 0 where no training text has such an n-gram, else 1 + 8 log₂ of how many have one, rounded.

    Examples
    --------
    >>> from assay.features.documents import as_documents
    >>> rows = read_ngrams(as_documents(["pay my card", "lost my card"]), Analysis(ngrams=(1, 2)), 1024, 1)
    >>> known = KnownNgrams.of_counts(Analysis(ngrams=(1, 2)), 2, np.bincount(rows.columns, minlength=1024))
    >>> known.shares(as_documents(["my card", "my cat", "weather", ""]), 1).round(2).tolist()
    [1.0, 0.1, 0.0, 0.0]
    """

    analysis: Analysis
    n_texts: int
    codes: NDArray[np.uint8]

    @classmethod
    def of_counts(cls, analysis: Analysis, n_texts: int, texts_with: NDArray[Any]) -> KnownNgrams:
        """From the number of texts of each column."""
        codes = np.zeros(texts_with.size, np.uint8)
        seen = texts_with > 0
        codes[seen] = np.minimum(1 + np.round(_STEPS * np.log2(texts_with[seen])), 255)
        return cls(analysis, n_texts, codes)

    @cached_property
    def _texts_with(self) -> Floats:
        return np.where(self.codes > 0, 2.0 ** ((self.codes.astype(np.float64) - 1) / _STEPS), 0.0)

    @property
    def most_texts_with(self) -> NDArray[np.int64]:
        """The greatest numbers of texts that the codes can mean."""
        most = np.floor(2.0 ** ((self.codes.astype(np.float64) - 0.5) / _STEPS) * (1 - 1e-12))
        return np.where(self.codes > 0, most, 0).astype(np.int64)

    def shares(self, documents: Any, threads: int) -> Floats:
        """Of each text the share of its n-grams that is known, see `known_shares`."""
        rows = read_ngrams(documents, self.analysis, self.codes.size, threads)
        return known_shares(rows, self._texts_with, self.n_texts)
