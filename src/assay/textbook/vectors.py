"""Documents as vectors: one dimension a word of the vocabulary.

    count vector     fᵢ = #wᵢ, how often word wᵢ stands in the document
    binary vector    fᵢ = 1 if wᵢ stands in the document, else 0

Stop words are left out of the vocabulary. A document is a string that is split at white space, or a list of
tokens.

References
----------
Zhang, *Natural Language Processing*, chapter 3.1 (vector space, stop words) and 3.3.1 (bigrams); Surdeanu &
Valenzuela-Escárcega, section 2.2 (word frequencies as features); McDonald, *Classification* (bag of words
with a feature for unknown words).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from assay.textbook.inputs import InputError, as_documents
from assay.textbook.steps import Step, Steps, finish

__all__ = ["STOP_WORDS", "bigrams", "binary_vectors", "count_vectors", "count_vectors_steps", "vocabulary"]

STOP_WORDS = ("a", "the", "on", "of", "with", "about", "and", "in", "at", "to", '"', ",", "?", "oh", ".")
"""The common English stop words that Zhang lists (chapter 3.1)."""


def vocabulary(documents: Iterable[str | Sequence[str]], stop_words: Collection[str] = ()) -> list[str]:
    """Give every word once, in the order in which the documents bring them, without the stop words.

    Examples
    --------
    >>> vocabulary(["Tim bought a book .", "Tim is reading a book ."], stop_words=["a", "."])
    ['Tim', 'bought', 'book', 'is', 'reading']
    """
    words = (word for tokens in as_documents(documents) for word in tokens)
    return [word for word in dict.fromkeys(words) if word not in stop_words]


def count_vectors_steps(
    documents: Iterable[str | Sequence[str]],
    words: Sequence[str] | None = None,
    stop_words: Collection[str] = (),
) -> Steps[list[list[int]]]:
    """Count the words of one document after the other; see `count_vectors`."""
    token_lists = as_documents(documents)
    words = vocabulary(token_lists, stop_words) if words is None else list(words)
    vectors = []
    for number, tokens in enumerate(token_lists, start=1):
        vector = [tokens.count(word) for word in words]
        vectors.append(vector)
        left_out = [token for token in tokens if token not in words]
        yield Step(
            number,
            seen=" ".join(tokens),
            score=None,
            decision=f"{sum(f > 0 for f in vector)} of {len(words)}",
            update="count",
            parameters={word: f for word, f in zip(words, vector, strict=True) if f or len(words) <= 20},
            why=f"left out: {' '.join(left_out)}" if left_out else "all tokens counted",
        )
    return vectors


def count_vectors(
    documents: Iterable[str | Sequence[str]],
    words: Sequence[str] | None = None,
    stop_words: Collection[str] = (),
) -> list[list[int]]:
    """Represent each document by how often each word of the vocabulary stands in it.

    Parameters
    ----------
    documents
        Strings, split at white space, or lists of tokens.
    words
        The vocabulary, in the order of the dimensions; the documents' own by default.
    stop_words
        Words that are left out of the documents' own vocabulary.

    Examples
    --------
    >>> count_vectors(["This is a great great buy"], words=["buy", "great", "bad"])
    [[1, 2, 0]]
    """
    return finish(count_vectors_steps(documents, words, stop_words))


def binary_vectors(
    documents: Iterable[str | Sequence[str]],
    words: Sequence[str] | None = None,
    stop_words: Collection[str] = (),
    unknown: bool = False,
) -> list[list[int]]:
    """Represent each document by which words of the vocabulary stand in it.

    Parameters
    ----------
    documents
        Strings, split at white space, or lists of tokens.
    words
        The vocabulary, in the order of the dimensions; the documents' own by default.
    stop_words
        Words that are left out of the documents' own vocabulary.
    unknown
        Whether one more dimension says that the document has a word that is not in the vocabulary.

    Examples
    --------
    >>> binary_vectors(["George George George of the Jungle"], ["George", "Washington"], unknown=True)
    [[1, 0, 1]]
    """
    token_lists = as_documents(documents)
    words = vocabulary(token_lists, stop_words) if words is None else list(words)
    vectors = [[min(f, 1) for f in counts] for counts in count_vectors(token_lists, words)]
    if unknown:
        for vector, tokens in zip(vectors, token_lists, strict=True):
            vector.append(int(any(token not in words for token in tokens)))
    return vectors


def bigrams(tokens: str | Sequence[str]) -> list[str]:
    """Give each pair of neighbouring tokens as one token.

    Examples
    --------
    >>> bigrams("Tim bought a book .")
    ['Tim bought', 'bought a', 'a book', 'book .']
    """
    words = tokens.split() if isinstance(tokens, str) else list(tokens)
    if not words:
        raise InputError("The document has no tokens. Give at least one.")
    return [f"{left} {right}" for left, right in pairwise(words)]
