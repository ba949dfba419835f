"""`EmbeddingVectorizer`: a text as the mean of the vectors of its words, in scikit-learn's manners."""

from __future__ import annotations

import os
from numbers import Real
from typing import Any, ClassVar

from assay.embeddings.text_vectors import WordWeighting, embedding_block
from assay.embeddings.vector_files import read_vectors
from assay.embeddings.word_vectors import WordVectors
from assay.features.designed.designed_vectorizer import DesignedFeatures
from assay.features.designed.embedding_block import EmbeddingBlock
from assay.features.documents import documents_from_strings
from assay.features.ngrams.analysis import NAMED_TOKENIZERS
from assay.sklearn_internals import Interval, StrOptions
from assay.threads import count_threads

__all__ = ["EmbeddingVectorizer"]


class EmbeddingVectorizer(DesignedFeatures):
    """The mean of the vectors of a text's words: texts that share meaning are near without sharing words.

    Parameters
    ----------
    vectors
        `WordVectors`, or a file of them.
    weighting
        ``"mean"``: all words alike. ``"idf"``: times ln((1 + n) / (1 + df)) + 1, as found in the training texts.
        ``"sif"``: smooth inverse frequency, times a / (a + p), with p the share of the word in the text that the
        vectors were learned from; where they do not say, by Zipf's law from the order of their words.
    a
        Of smooth inverse frequency: frequent words count less the smaller it is.
    remove_component
        Take away the direction that the training texts have in common (their first singular vector).
    length
        What the mean vector of each text is brought to; n-grams have 1, so that less trusts the vectors less. None
        leaves the mean as it is.
    tokenizer
        What a word is, by name: ``"all words"``, ``"words"``, ``"words and punctuation"`` or ``"whitespace"``. Words
        of the vectors that it can never find are left out.
    lowercase
        Whether texts are lower-cased; None: unless words of the vectors have capitals.
    n_jobs
        Threads; None is every core.

    Attributes
    ----------
    block_
        The features as plain data.

    Examples
    --------
    >>> vectors = WordVectors(["great", "fantastic", "dull"], [[1, 0.1], [0.9, 0.2], [-1, 0.1]])
    >>> vectorizer = EmbeddingVectorizer(vectors).fit(["A great film", "so dull"])
    >>> vectorizer.transform(["great!", "Fantastic."]).round(2)
    array([[1.  , 0.1 ],
           [0.98, 0.22]])

    References
    ----------
    Arora, Liang & Ma (2017), "A simple but tough-to-beat baseline for sentence embeddings".
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "vectors": [WordVectors, str, os.PathLike],
        "weighting": [StrOptions({"mean", "idf", "sif"})],
        "a": [Interval(Real, 0, None, closed="neither")],
        "remove_component": ["boolean"],
        "length": [Interval(Real, 0, None, closed="neither"), None],
        "tokenizer": [StrOptions(set(NAMED_TOKENIZERS))],
        "lowercase": ["boolean", None],
    }

    def __init__(
        self,
        vectors: WordVectors | str | os.PathLike[str] | None = None,
        *,
        weighting: WordWeighting = "sif",
        a: float = 1e-3,
        remove_component: bool = False,
        length: float | None = 1.0,
        tokenizer: str = "all words",
        lowercase: bool | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.vectors = vectors
        self.weighting = weighting
        self.a = a
        self.remove_component = remove_component
        self.length = length
        self.tokenizer = tokenizer
        self.lowercase = lowercase
        self.n_jobs = n_jobs

    def _new_block(self, texts: list[str]) -> EmbeddingBlock:
        vectors = self.vectors if isinstance(self.vectors, WordVectors) else read_vectors(self.vectors or "")
        return embedding_block(
            vectors,
            documents_from_strings(texts),
            weighting=self.weighting,
            a=self.a,
            remove_component=self.remove_component,
            length=self.length,
            tokenizer=self.tokenizer,
            lowercase=self.lowercase,
            n_threads=count_threads(self.n_jobs),
        )
