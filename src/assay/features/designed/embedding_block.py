"""The mean of the vectors of a text's words, as columns of a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from assay import _native
from assay.features.columns.blocks import Arrays, Places
from assay.features.designed.table_block import TableBlock
from assay.features.documents import documents_from_strings
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.text_features import Rows, TextFeatures, Weighting
from assay.features.ngrams.vocabulary import Vocabulary
from assay.header_checks import LARGEST, entry, numbers

__all__ = ["EmbeddedWords", "EmbeddingBlock", "word_shares"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class EmbeddingBlock(TableBlock):
    """One column a dimension of word vectors.

        value = Σ_w count(w) · matrix[w] / Σ_w count(w)        over the words of the text that have a vector

    brought to `length`, if that is given. A text without such words has zeros.

    Attributes
    ----------
    words
        The words, and how they are read out of a text.
    matrix
        float32, (n_words, n_dimensions): the vector of each word times its weight.
    length
        A number above 0, or None.

    Examples
    --------
    >>> words = Vocabulary.from_terms(Analysis(), {"good": 0, "bad": 1})
    >>> block = EmbeddingBlock(words, np.array([[3, 0], [0, 4]], dtype=np.float32), length=None)
    >>> block.table(documents_from_strings(["good bad bad", "unknown"])).tolist()
    [[1.0, 2.6666666666666665], [0.0, 0.0]]
    """

    words: Vocabulary
    matrix: npt.NDArray[np.float32]
    length: float | None = 1.0

    kind: ClassVar[str] = "embeddings"

    @property
    def n_columns(self) -> int:
        """Dimensions of the vectors."""
        return int(self.matrix.shape[1])

    def names(self) -> list[str]:
        """Dimensions have numbers only, from 1."""
        return [f"vector {i}" for i in range(1, self.n_columns + 1)]

    def table(self, documents: Any, *, n_threads: int = 1) -> Floats:
        """The values of documents, (n, n_columns)."""
        means = self._means(word_shares(self.words, documents, n_threads), n_threads)
        return means if self.length is None else means * (self.length / _lengths(means))[:, None]

    def in_words(self) -> EmbeddedWords:
        """The same with a column for each word; a word's weight is ``matrix[word] @ weights`` of the dimensions."""
        return EmbeddedWords(self)

    def to_data(self) -> tuple[dict[str, Any], Arrays]:
        """Plain values and arrays that say everything about the block."""
        content, offsets = self.words.to_arrays()
        description = {"analysis": self.words.analysis.to_dict(), "length": self.length}
        return description, {"words": content, "offsets": offsets, "matrix": self.matrix}

    @classmethod
    def from_data(cls, description: Mapping[str, Any], arrays: Arrays) -> EmbeddingBlock:
        """The inverse of `to_data`."""
        analysis = Analysis.from_dict(entry(description, "analysis", dict))
        if analysis.unit != "word" or analysis.ngrams != (1, 1):
            raise ValueError(f"vectors are of words, not of {analysis.unit} {analysis.ngrams}")
        length = None if entry(description, "length", object) is None else entry(description, "length", float)
        if length is not None and not 0 < length <= LARGEST:
            raise ValueError(f"'length' is {length!r}, which is no number above 0")
        words = Vocabulary.checked(analysis, arrays.pop("words"), arrays.pop("offsets"))
        matrix = arrays.pop("matrix")
        if matrix.dtype != np.float32 or matrix.ndim != 2 or len(matrix) != len(words) or not matrix.shape[1]:
            raise ValueError(f"the vectors, {matrix.dtype} of shape {matrix.shape}, do not fit {len(words)} words")
        return cls(words, numbers({"matrix": matrix}, "matrix", (np.float32,), matrix.shape), length)

    def _means(self, shares: Rows, n_threads: int) -> Floats:
        means = np.empty((len(shares[0]) - 1, self.n_columns))
        _native.score_with_table(*shares, np.ascontiguousarray(self.matrix), np.zeros(self.n_columns), means, n_threads)
        return means


@dataclass(frozen=True, eq=False)
class EmbeddedWords:
    """An `EmbeddingBlock` with a column for each word instead of for each dimension: the value is the word's share.

    Scores are the same, because a mean of vectors is linear in the shares of the words, and the length that it is
    divided by belongs to the text.
    """

    block: EmbeddingBlock

    is_hashed: ClassVar[bool] = False

    @property
    def n_columns(self) -> int:
        """Number of words."""
        return len(self.block.words)

    def names(self) -> list[str]:
        """The words."""
        return self.block.words.names()

    def weights(self, of_dimensions: npt.NDArray[Any]) -> Floats:
        """Weights of the words, (n_words, n_outputs), from those of the dimensions."""
        return np.asarray(self.block.matrix.astype(np.float64) @ of_dimensions)

    def rows(self, documents: Any, *, n_threads: int, dtype: npt.DTypeLike = np.float64) -> Rows:
        """Share of each word in each document, over the length of the document's mean vector."""
        indptr, indices, shares = word_shares(self.block.words, documents, n_threads)
        if self.block.length is not None:
            lengths = _lengths(self.block._means((indptr, indices, shares), n_threads))
            shares = shares * np.repeat(self.block.length / lengths, np.diff(indptr))
        return indptr, indices, shares.astype(dtype)

    def places(self, text: str) -> Places:
        """Where in a text its words stand."""
        words = self.block.words
        found = _native.locate_features(documents_from_strings([text]), words.analysis.native, words.native, 1)
        starts, ends = np.asarray(found["starts"]), np.asarray(found["ends"])
        places: Places = {}
        for column, first in zip(found["columns"].tolist(), found["first"].tolist(), strict=True):
            places.setdefault(column, []).append((int(starts[first]), int(ends[first])))
        return places


def word_shares(words: Vocabulary, documents: Any, n_threads: int) -> Rows:
    """Of the known words of each document, the share of each."""
    return TextFeatures(words.analysis, words, Weighting(norm="l1")).rows(documents, n_threads=n_threads)


def _lengths(means: Floats) -> Floats:
    lengths = np.linalg.norm(means, axis=1)
    return np.where(lengths > 0, lengths, 1.0)
