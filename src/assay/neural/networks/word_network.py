"""What networks over words share: the words they know, their vectors, and how much of a text is read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import torch

from assay.errors import DataError, ParameterError
from assay.learners.parameters import check_choice, check_flag, check_number
from assay.neural.networks.network_classifier import NetworkClassifier
from assay.neural.parts.embedding import VECTORS_USE
from assay.neural.reading.readers import InputReader
from assay.neural.reading.sequences import LONG_TEXTS
from assay.neural.reading.word_reader import WordReader
from assay.neural.reading.words import WORDS_AND_MARKS, Words
from assay.prediction.scoring import documents_of

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.neural.reading.given_vectors import GivenVectors

__all__ = ["WordNetworkClassifier"]


@dataclass(kw_only=True, eq=False, repr=False)
class WordNetworkClassifier(NetworkClassifier):
    """A network over word vectors.

    Parameters
    ----------
    embedding_size
        Numbers in a word's vector; None: as the given vectors have, else `usual_size`.
    vectors
        `assay.embeddings.WordVectors`, or a file of them in the format of word2vec or fastText; None: vectors start
        at random and are learned.
    vectors_use
        "tuned": given vectors are changed in training; "fixed": they are not; "both": one table of each, side by side.
    further_words
        Words that do not occur in the training texts but have a given vector: so many are known too, the first ones.
    word_dropout
        Share of the words that a text lacks in training, other ones each time.
    vector_dropout
        Share of the numbers of word vectors that are left out in training.
    min_count
        Training texts that a word must occur in to be known, unless it has a given vector.
    max_words
        Words of the training texts that are known at most, the most frequent ones.
    lowercase
        Whether case is ignored.
    max_length
        Words of a text that are read at once; None for all.
    long_texts
        "truncate" reads the beginning of longer texts, "window" reads them in pieces and averages the scores.

    Attributes
    ----------
    usual_size
        Numbers in a vector where nothing is said: 100, and 300 of the convolutional network.
    """

    embedding_size: int | None = None
    vectors: Any = None
    vectors_use: str = "tuned"
    further_words: int = 50_000
    word_dropout: float = 0.0
    vector_dropout: float = 0.0
    min_count: int = 1
    max_words: int | None = None
    lowercase: bool = True
    max_length: int | None = 400
    long_texts: str = "truncate"

    usual_size: ClassVar[int] = 100

    def _check(self) -> None:
        super()._check()
        if self.embedding_size is not None:
            check_number(self, "embedding_size", at_least=1, integer=True)
        check_choice(self, "vectors_use", VECTORS_USE)
        if self.vectors is None and self.vectors_use != "tuned":
            raise ParameterError(
                f"{type(self).__name__}(vectors_use={self.vectors_use!r}) needs vectors. Give some with vectors=, or "
                "leave vectors_use as it is: vectors are then learned from the texts."
            )
        check_number(self, "further_words", at_least=0, integer=True)
        check_number(self, "word_dropout", at_least=0, below=1)
        check_number(self, "vector_dropout", at_least=0, below=1)
        check_number(self, "min_count", at_least=1, integer=True)
        for name in ("max_words", "max_length"):
            if getattr(self, name) is not None:
                check_number(self, name, at_least=1, integer=True)
        check_flag(self, "lowercase")
        check_choice(self, "long_texts", LONG_TEXTS)

    def _learn_reader(self, corpus: Corpus, threads: int) -> InputReader:
        documents = documents_of(corpus.texts)
        analysis = replace(WORDS_AND_MARKS, lowercase=self.lowercase)
        self._given = self._given_vectors()
        limits: dict[str, Any] = {"min_count": self.min_count, "most": self.max_words}
        words = Words.learned(documents, analysis, **limits, threads=threads)
        if not len(words.vocabulary):
            raise DataError(
                f"{corpus.source}: none of the {len(corpus):,} texts has a word that occurs in at least "
                f"{self.min_count:,} of them (min_count): they are empty, or very few. Check which column was taken "
                "for the texts."
            )
        if self._given is not None:
            words = words.joined(self._given.words, most=self.further_words)
        return WordReader(words, self.max_length, self.long_texts)

    def _given_vectors(self) -> GivenVectors | None:
        from assay.neural.reading.given_vectors import given_vectors

        found = None if self.vectors is None else given_vectors(self.vectors)
        if found is not None and self.embedding_size not in (None, found.size):
            raise ParameterError(
                f"The vectors have {found.size} numbers each, but embedding_size={self.embedding_size}. Leave "
                "embedding_size out, or give vectors of that size."
            )
        return found

    def _embedding_settings(self, reader: InputReader) -> dict[str, Any]:
        """Of `WordEmbedding`."""
        assert isinstance(reader, WordReader)
        size = self._given.size if self._given is not None else self.embedding_size or self.usual_size
        dropout = {"word_dropout": float(self.word_dropout), "vector_dropout": float(self.vector_dropout)}
        return {"n_words": len(reader.words), "size": size, "use": self.vectors_use, **dropout}

    def _first_vectors(self, reader: InputReader) -> torch.Tensor | None:
        """What the tables start with; None for random numbers."""
        assert isinstance(reader, WordReader)
        found = None if self._given is None else self._given.table(reader.words.names(), self.seed)
        self._given = None
        return found
