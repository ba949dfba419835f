"""Word vectors made ready to describe texts: which words are read, and how much each counts.

Weights and the common component are worked into the vectors here, once, so that describing a text is one mean.
Nothing here needs scikit-learn.
"""

from __future__ import annotations

from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from assay.embeddings.word_vectors import WordVectors
from assay.errors import DataError
from assay.features.designed.embedding_block import EmbeddingBlock, word_shares
from assay.features.documents import documents_from_strings
from assay.features.ngrams.analysis import NAMED_TOKENIZERS, Analysis, native_pattern
from assay.features.ngrams.inverse_frequency import inverse_document_frequencies
from assay.features.ngrams.vocabulary import Vocabulary
from assay.suggest import quote

__all__ = ["WordWeighting", "embedding_block", "zipf_shares"]

WordWeighting = Literal["mean", "idf", "sif"]
Floats = npt.NDArray[np.float64]


def embedding_block(
    vectors: WordVectors,
    documents: Any,
    *,
    weighting: WordWeighting = "sif",
    a: float = 1e-3,
    remove_component: bool = False,
    length: float | None = 1.0,
    tokenizer: str = "all words",
    lowercase: bool | None = None,
    n_threads: int = 1,
) -> EmbeddingBlock:
    """The block of features that `EmbeddingVectorizer` makes of training documents; the parameters are explained there.

    Examples
    --------
    >>> vectors = WordVectors(["the", "film"], [[1, 0], [0, 1]], counts=[900, 100])
    >>> embedding_block(vectors, documents_from_strings(["the film"])).matrix.round(4).tolist()
    [[0.0010999999940395355, 0.0], [0.0, 0.00989999994635582]]
    """
    analysis = _analysis(vectors, tokenizer, lowercase)
    kept = _readable(vectors, analysis)
    words = Vocabulary.from_terms(analysis, {vectors.words[row]: column for column, row in enumerate(kept.tolist())})
    indptr, columns, _ = word_shares(words, documents, n_threads)
    if not len(columns):
        raise DataError(
            f"None of the words of the {len(indptr) - 1:,} training texts has a vector. The vectors begin with "
            f"{', '.join(map(quote, vectors.words[:5]))}: are they of another language, or of another tokenizer?"
        )
    weights = np.ones(len(kept))
    if weighting == "idf":
        found_in = np.bincount(columns, minlength=len(kept))
        weights = inverse_document_frequencies(found_in, len(indptr) - 1)
    elif weighting == "sif":
        shares = zipf_shares(len(vectors)) if vectors.counts is None else vectors.counts / max(vectors.counts.sum(), 1)
        weights = a / (a + shares[kept])
    matrix = np.asarray(vectors.matrix[kept] * weights[:, None], dtype=np.float32)
    if remove_component:
        means = EmbeddingBlock(words, matrix, None).table(documents, n_threads=n_threads)
        common = np.linalg.eigh(means.T @ means)[1][:, -1]  # the largest eigenvalue comes last
        matrix = np.asarray(matrix - np.outer(matrix @ common, common), dtype=np.float32)
    return EmbeddingBlock(words, matrix, None if length is None else float(length))


def zipf_shares(n_words: int) -> Floats:
    """Share of each word of a text by Zipf's law, the most frequent first: proportional to 1 / rank.

    Examples
    --------
    >>> zipf_shares(3).round(3).tolist()
    [0.545, 0.273, 0.182]
    """
    shares = 1.0 / np.arange(1, n_words + 1)
    return np.asarray(shares / shares.sum())


def _analysis(vectors: WordVectors, tokenizer: str, lowercase: bool | None) -> Analysis:
    tokens, length = cast(tuple[Any, int], native_pattern(NAMED_TOKENIZERS[tokenizer]))
    if lowercase is None:
        lowercase = all(word == word.lower() for word in vectors.words)
    return Analysis(tokens=tokens, min_token_length=length, lowercase=lowercase)


def _readable(vectors: WordVectors, analysis: Analysis) -> npt.NDArray[np.intp]:
    """Rows of the words that are read as themselves: no tokenizer finds *new_york* if it cuts words at ``_``."""
    every = Vocabulary.from_terms(analysis, {word: row for row, word in enumerate(vectors.words)})
    indptr, columns, _ = word_shares(every, documents_from_strings(list(vectors.words)), 1)
    alone = np.flatnonzero(np.diff(indptr) == 1)
    return np.asarray(alone[columns[indptr[alone]] == alone])
