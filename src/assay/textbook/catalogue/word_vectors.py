"""Words as vectors: co-occurrence, topics, skip-gram."""

from __future__ import annotations

from assay.textbook import worked
from assay.textbook.catalogue.record import Algorithm, Example
from assay.textbook.cooccurrence import Cooccurrence, cooccurrence, cooccurrence_steps
from assay.textbook.rendering.numbers import show
from assay.textbook.svd import SVD, svd_steps
from assay.textbook.word2vec import WordVectors, skipgram_steps

__all__ = ["WORD_VECTORS"]

_SURDEANU = "Surdeanu & Valenzuela-Escárcega, section 7"
_BAGEL = cooccurrence(worked.BAGEL, c=3)


def _company(found: Cooccurrence) -> str:
    word = max(found.words, key=lambda w: found.counts[w].total())
    return f"{len(found.words)} words; {word} keeps most company: {show(dict(found.counts[word].most_common(5)))}."


def _topics(parts: SVD) -> str:
    return f"Rank {len(parts.sigma)}; singular values {show(parts.sigma.tolist())}."


def _vectors(vectors: WordVectors) -> str:
    n_words, n = vectors.average.shape
    return f"{n_words} words, {n} dimensions; {vectors.words[0]} = {show(vectors.vector(vectors.words[0]))}."


WORD_VECTORS = (
    Algorithm(
        "co-occurrence",
        "Co-occurrence",
        "a word is known by the company it keeps",
        f"{_SURDEANU}.1",
        cooccurrence_steps,
        ("text",),
        (
            Example(
                "bagel",
                "the company of bagel, c = 3",
                f"{_SURDEANU}.1",
                {"text": worked.BAGEL, "c": 3, "word": "bagel"},
            ),
        ),
        _company,
        ("bars",),
        {"seen": "window", "score": "words"},
    ),
    Algorithm(
        "svd",
        "Singular value decomposition",
        "long vectors of counts become short vectors of topics",
        f"{_SURDEANU}.2",
        svd_steps,
        ("C",),
        (
            Example(
                "bagel",
                "co-occurrence of the words around bagel",
                f"{_SURDEANU}.2, on the text of section 7.1",
                {"C": tuple(map(tuple, _BAGEL.matrix().tolist()))},
                _BAGEL.words,
            ),
        ),
        _topics,
        ("map", "loss"),
        {"seen": "topic", "score": "σ"},
    ),
    Algorithm(
        "skip-gram",
        "word2vec, skip-gram",
        "vectors that are good at guessing the neighbours",
        f"{_SURDEANU}.4, Algorithm 6",
        skipgram_steps,
        ("text",),
        (
            Example(
                "bagel",
                "two-dimensional vectors from the text about bagels",
                f"{_SURDEANU}.4, on the text of section 7.1",
                {"text": worked.BAGEL, "dimensions": 2, "c": 2, "negatives": 5, "rate": 0.1, "epochs": 40, "seed": 1},
            ),
        ),
        _vectors,
        ("map", "loss"),
        {"seen": "word and neighbours", "score": "cost", "decision": "drawn words"},
    ),
)
