"""Words as vectors: learned from text without labels, kept in files, judged, and used as features.

Names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.embeddings.analogies import AnalogyScore, AnalogySection, evaluate_analogies
    from assay.embeddings.cooccurrence import Cooccurrence
    from assay.embeddings.similarity import SimilarityScore, evaluate_similarity
    from assay.embeddings.svd import SVDVectors
    from assay.embeddings.training_progress import TrainingProgress
    from assay.embeddings.vector_files import read_vectors
    from assay.embeddings.vectorizer import EmbeddingVectorizer
    from assay.embeddings.word2vec import Word2Vec
    from assay.embeddings.word2vec_format import read_word2vec, write_word2vec
    from assay.embeddings.word_vectors import WordVectors

__all__ = [
    "AnalogyScore",
    "AnalogySection",
    "Cooccurrence",
    "EmbeddingVectorizer",
    "SVDVectors",
    "SimilarityScore",
    "TrainingProgress",
    "Word2Vec",
    "WordVectors",
    "evaluate_analogies",
    "evaluate_similarity",
    "read_vectors",
    "read_word2vec",
    "write_word2vec",
]

_HOME_OF = {
    "AnalogyScore": "analogies",
    "AnalogySection": "analogies",
    "Cooccurrence": "cooccurrence",
    "EmbeddingVectorizer": "vectorizer",
    "SVDVectors": "svd",
    "SimilarityScore": "similarity",
    "TrainingProgress": "training_progress",
    "Word2Vec": "word2vec",
    "WordVectors": "word_vectors",
    "evaluate_analogies": "analogies",
    "evaluate_similarity": "similarity",
    "read_vectors": "vector_files",
    "read_word2vec": "word2vec_format",
    "write_word2vec": "word2vec_format",
}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'assay.embeddings' has no attribute {name!r}")
    value = getattr(import_module(f"assay.embeddings.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
