"""Texts as vectors, their distances and clusters, and what can be learned from them by counting."""

from __future__ import annotations

from typing import Any

from assay.textbook import worked
from assay.textbook.catalogue.record import Algorithm, Example
from assay.textbook.counting import SymbolCounts, count_symbols_steps
from assay.textbook.distances import distances_steps
from assay.textbook.kmeans import Clusters, kmeans_steps
from assay.textbook.naive_bayes import NaiveBayes, naive_bayes_steps
from assay.textbook.rendering.numbers import show, show_number
from assay.textbook.selection import rank_words_steps
from assay.textbook.tfidf import tfidf, tfidf_steps
from assay.textbook.vectors import count_vectors_steps

__all__ = ["TEXTS"]

_ZHANG = "Zhang, Natural Language Processing, chapter 3"

_TIM_TABLE = Example(
    "tim",
    "four documents about Tim and a book",
    f"{_ZHANG}.1, tables (a) and (b)",
    {"documents": worked.TIM_DOCUMENTS, "words": worked.TIM_WORDS},
)
_TIM_PRACTICE = Example(
    "practice",
    "four documents without stop words",
    f"{_ZHANG}.1, Python practice 1 and 2",
    {"documents": worked.TIM_PRACTICE, "stop_words": worked.TIM_STOP_WORDS},
)
_TIM_VECTORS = tuple(map(tuple, tfidf(worked.TIM_DOCUMENTS, worked.TIM_WORDS)))
_PRACTICE_VECTORS = tuple(
    map(tuple, tfidf(worked.TIM_PRACTICE, stop_words=worked.TIM_STOP_WORDS, form="length-normalised"))
)


def _vectors(vectors: list[list[float]]) -> str:
    return f"{len(vectors)} vectors of {len(vectors[0])} numbers."


def _distances(table: list[tuple[int, int, float, float]]) -> str:
    if not table:
        return "One point alone has no distance."
    i, j, distance, cosine = min(table, key=lambda pair: pair[2])
    return f"Nearest: #{i + 1} and #{j + 1}, Euclidean {show_number(distance)}, cosine {show_number(cosine)}."


def _clusters(found: Clusters) -> str:
    groups = " ".join("{" + ", ".join(map(str, group)) + "}" for group in found.groups)
    return f"Clusters {groups}; sum of squared distances {show_number(found.inertia)}."


def _symbols(table: SymbolCounts) -> str:
    first = table.labels[0]
    return ", ".join(f"P({first}|{s}) = {show_number(table.probability(first, s))}" for s in table.counts) + "."


def _naive_bayes(model: NaiveBayes) -> str:
    telling = {c: max(model.words, key=lambda w: _lead(model, w, c)) for c in model.classes}
    priors = ", ".join(f"P({c}) = {show_number(model.prior(c))}" for c in model.classes)
    return f"{priors}; most telling words: {show(telling)}."


def _lead(model: NaiveBayes, word: str, c: Any) -> float:
    return model.likelihood(word, c) / sum(model.likelihood(word, other) for other in model.classes)


def _ranking(ranking: list[tuple[str, float]]) -> str:
    shown = [f"{word} ({show_number(gain)} bit{'' if gain == 1 else 's'})" for word, gain in ranking[:5]]
    return f"Most telling: {', '.join(shown)}."


TEXTS = (
    Algorithm(
        "count-vectors",
        "Count vectors",
        "a document as the counts of its words",
        f"{_ZHANG}.1",
        count_vectors_steps,
        ("documents",),
        (_TIM_TABLE, _TIM_PRACTICE),
        _vectors,
        ("matrix",),
        {"seen": "document", "decision": "words"},
    ),
    Algorithm(
        "tf-idf",
        "tf-idf",
        "counts, with the words that every document has made light",
        f"{_ZHANG}.1",
        tfidf_steps,
        ("documents",),
        (
            _TIM_TABLE,
            Example(
                "practice",
                "four documents without stop words, length-normalised",
                f"{_ZHANG}.1, Python practice 2",
                {**_TIM_PRACTICE.arguments, "form": "length-normalised"},
            ),
        ),
        _vectors,
        ("matrix",),
        {"seen": "word", "score": "idf", "decision": "DF"},
    ),
    Algorithm(
        "distances",
        "Distances",
        "how far apart vectors are: Euclidean, cosine",
        f"{_ZHANG}.1.1",
        distances_steps,
        ("X",),
        (
            Example(
                "practice",
                "four documents as length-normalised tf-idf",
                f"{_ZHANG}.1, Python practice 3",
                {"X": _PRACTICE_VECTORS},
            ),
        ),
        _distances,
        ("matrix",),
        {"seen": "pair", "score": "Euclidean"},
    ),
    Algorithm(
        "k-means",
        "k-means",
        "groups of points that lie close together",
        f"{_ZHANG}.1.2, Algorithm 1",
        kmeans_steps,
        ("X",),
        (
            Example(
                "topics",
                "nine articles by two word counts, from a bad start",
                "made for this textbook",
                {"X": worked.TOPIC_COUNTS, "k": 3, "start": worked.TOPIC_COUNTS[:3]},
                worked.TOPIC_FEATURES,
            ),
            Example(
                "tim",
                "four documents as tf-idf, 2-means",
                f"{_ZHANG}.1.2",
                {"X": _TIM_VECTORS, "k": 2, "start": (_TIM_VECTORS[0], _TIM_VECTORS[2])},
            ),
            Example(
                "tim-3",
                "four documents as tf-idf, 3-means",
                f"{_ZHANG}.1.2",
                {"X": _TIM_VECTORS, "k": 3, "start": (_TIM_VECTORS[0], _TIM_VECTORS[2], _TIM_VECTORS[3])},
            ),
        ),
        _clusters,
        ("centres", "loss"),
        {"score": "inertia", "decision": "clusters"},
    ),
    Algorithm(
        "counting",
        "Counting symbols",
        "how often a label came with a symbol",
        "McDonald, Classification (AthNLP 2024), let's start simple",
        count_symbols_steps,
        ("sequences", "labels"),
        (
            Example(
                "symbols",
                "four sequences of symbols",
                "McDonald, Classification (AthNLP 2024), let's start simple",
                {"sequences": worked.SYMBOLS, "labels": worked.SYMBOL_LABELS},
            ),
        ),
        _symbols,
        ("bars",),
        {"seen": "sequence", "decision": "label"},
    ),
    Algorithm(
        "naive-bayes",
        "Naive Bayes",
        "the class whose words these most probably are",
        f"{_ZHANG}, naive Bayes as a linear model",
        naive_bayes_steps,
        ("documents", "y"),
        (
            Example(
                "news",
                "five short articles",
                f"made for this textbook with the words of {_ZHANG}",
                {"documents": worked.NEWS, "y": worked.NEWS_LABELS},
            ),
        ),
        _naive_bayes,
        ("bars",),
        {"seen": "document", "decision": "class"},
    ),
    Algorithm(
        "selection",
        "Feature selection",
        "information gain, χ², pointwise mutual information, Gini",
        "Jurafsky & Martin, chapter 4, historical notes; Yang & Pedersen (1997)",
        rank_words_steps,
        ("documents", "y"),
        (
            Example(
                "reviews",
                "six short reviews",
                "made for this textbook",
                {"documents": worked.SHORT_REVIEWS, "y": worked.SHORT_REVIEW_LABELS, "label": "+"},
            ),
        ),
        _ranking,
        ("bars",),
        {"seen": "word", "score": "gain", "decision": "cells"},
    ),
)
