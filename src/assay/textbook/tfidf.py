"""tf-idf: counts, with the words that stand in every document made light.

    DF(w)   = the number of documents in D that contain w
    IDF(w)  = log(|D| / DF(w))

and, in the two forms in which the book works it out,

    raw               f = #w in d  ·  log₂(|D| / DF(w))
    length-normalised f = #w in d / (number of tokens of d that are in V)  ·  ln(|D| / DF(w))

A word of every document gets weight 0: tf-idf is a stop-word list that nobody has to write.

References
----------
Zhang, *Natural Language Processing*, chapter 3.1: the table of four documents (raw, log₂) and Python practice
2 (length-normalised, natural logarithm).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence

from assay.textbook.inputs import SettingError, as_documents
from assay.textbook.steps import Step, Steps, finish
from assay.textbook.vectors import count_vectors, vocabulary

__all__ = ["document_frequencies", "inverse_document_frequencies", "term_frequencies", "tfidf", "tfidf_steps"]


def document_frequencies(counts: Sequence[Sequence[float]]) -> list[int]:
    """Give for each dimension the number of documents in which it is not zero.

    Examples
    --------
    >>> document_frequencies([[1, 0], [2, 1], [1, 0]])
    [3, 1]
    """
    return [sum(f > 0 for f in column) for column in zip(*counts, strict=True)]


def inverse_document_frequencies(
    counts: Sequence[Sequence[float]], log: Callable[[float], float] = math.log
) -> list[float]:
    """Give IDF(w) = log(|D| / DF(w)) for each word; 0 for a word of the vocabulary that no document has.

    Examples
    --------
    >>> inverse_document_frequencies([[1, 0], [2, 1]], log=math.log2)
    [0.0, 1.0]
    """
    return [log(len(counts) / df) if df else 0.0 for df in document_frequencies(counts)]


def term_frequencies(counts: Sequence[Sequence[float]]) -> list[list[float]]:
    """Divide each document's counts by its number of tokens that are in the vocabulary.

    Examples
    --------
    >>> term_frequencies([[2, 1, 1], [0, 0, 0]])
    [[0.5, 0.25, 0.25], [0.0, 0.0, 0.0]]
    """
    return [[f / (sum(vector) or 1) for f in vector] for vector in counts]


def tfidf_steps(
    documents: Iterable[str | Sequence[str]],
    words: Sequence[str] | None = None,
    stop_words: Collection[str] = (),
    form: str = "raw",
) -> Steps[list[list[float]]]:
    """Weigh one word of the vocabulary after the other; see `tfidf`."""
    token_lists = as_documents(documents)
    words = vocabulary(token_lists, stop_words) if words is None else list(words)
    counts = count_vectors(token_lists, words)
    if form == "raw":
        frequencies: Sequence[Sequence[float]] = counts
        idf = inverse_document_frequencies(counts, math.log2)
    elif form == "length-normalised":
        frequencies = term_frequencies(counts)
        idf = inverse_document_frequencies(counts, math.log)
    else:
        raise SettingError(f"form is {form!r}. It must be 'raw' or 'length-normalised'.")
    vectors: list[list[float]] = [[] for _ in token_lists]
    for j, (word, df) in enumerate(zip(words, document_frequencies(counts), strict=True)):
        for i, vector in enumerate(vectors):
            vector.append(frequencies[i][j] * idf[j])
        yield Step(
            j + 1,
            seen=word,
            score=idf[j],
            decision=f"in {df} of {len(counts)}",
            update="tf × idf",
            parameters={
                f"d{i}": vector[j] for i, vector in enumerate(vectors, start=1) if vector[j] or len(vectors) <= 20
            },
            why="everywhere: weighs nothing" if df == len(counts) else "the rarer, the heavier",
        )
    return vectors


def tfidf(
    documents: Iterable[str | Sequence[str]],
    words: Sequence[str] | None = None,
    stop_words: Collection[str] = (),
    form: str = "raw",
) -> list[list[float]]:
    """Represent each document by its tf-idf vector.

    Parameters
    ----------
    documents
        Strings, split at white space, or lists of tokens.
    words
        The vocabulary, in the order of the dimensions; the documents' own by default.
    stop_words
        Words that are left out of the documents' own vocabulary.
    form
        "raw": count × log₂ idf. "length-normalised": count / length × ln idf.

    Examples
    --------
    >>> tfidf(["Tim bought", "Tim is reading"], form="raw")
    [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]
    """
    return finish(tfidf_steps(documents, words, stop_words, form))
