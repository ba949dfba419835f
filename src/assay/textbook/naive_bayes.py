"""Naive Bayes: the class whose words these most probably are.

    P(c)      = documents of class c / all documents
    P(w | c)  = (count of w in class c + α) / (tokens in class c + α |V|)
    ĉ         = the c with the highest   log P(c) + Σ_{w in d} log P(w | c)

It is a linear model: with f_w the count of word w in the document,

    score(d, c) = θ_c · f + b_c     where  θ_c = log P(w | c) for each w,  b_c = log P(c).

References
----------
Zhang, *Natural Language Processing*, chapter 3 ("Review naive Bayes", "Naive Bayes is a linear model too").
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from assay.textbook.inputs import InputError, Label, as_documents, as_labels, as_not_negative
from assay.textbook.linear import MulticlassLinear
from assay.textbook.logistic_functions import softmax
from assay.textbook.steps import Step, Steps, finish
from assay.textbook.vectors import vocabulary

__all__ = ["NaiveBayes", "naive_bayes", "naive_bayes_steps"]


@dataclass(frozen=True)
class NaiveBayes:
    """What was counted; the probabilities are computed from it when they are asked for.

    Parameters
    ----------
    classes
        The labels, sorted.
    words
        The vocabulary.
    documents
        For each class how many documents it has.
    counts
        For each class how often each word stands in its documents.
    alpha
        What is added to each count: add-α smoothing.
    """

    classes: tuple[Label, ...]
    words: tuple[str, ...]
    documents: Counter[Label]
    counts: dict[Label, Counter[str]]
    alpha: float

    def prior(self, c: Label) -> float:
        """Give P(c)."""
        return self.documents[c] / self.documents.total()

    def likelihood(self, word: str, c: Label) -> float:
        """Give P(word | c)."""
        counts = self.counts[c]
        return (counts[word] + self.alpha) / (counts.total() + self.alpha * len(self.words))

    def log_scores(self, document: str | Sequence[str]) -> dict[Label, float]:
        """Give log P(c) + Σ log P(w | c) for each class; words that were never seen are passed over."""
        (tokens,) = as_documents([document])
        known = [word for word in tokens if word in self.words]
        return {c: _log(self.prior(c)) + sum(_log(self.likelihood(w, c)) for w in known) for c in self.classes}

    def posterior(self, document: str | Sequence[str]) -> dict[Label, float]:
        """Give P(c | d): the scores, exponentiated and made to sum to one."""
        scores = self.log_scores(document)
        return dict(zip(scores, softmax(list(scores.values())), strict=True))

    def predict(self, document: str | Sequence[str]) -> Label:
        """Give the class with the highest score; of several, the first."""
        scores = self.log_scores(document)
        return max(self.classes, key=lambda c: scores[c])

    def linear_form(self) -> MulticlassLinear:
        """Give the same classifier as weights log P(w | c), one a word, and biases log P(c)."""
        return MulticlassLinear(
            self.classes,
            tuple(tuple(_log(self.likelihood(word, c)) for word in self.words) for c in self.classes),
            tuple(_log(self.prior(c)) for c in self.classes),
        )


def naive_bayes_steps(
    documents: Iterable[str | Sequence[str]], y: Iterable[Any], alpha: float = 1.0
) -> Steps[NaiveBayes]:
    """Count one document after the other; see `naive_bayes`."""
    token_lists = as_documents(documents)
    labels = as_labels(y, len(token_lists))
    as_not_negative(alpha, "alpha")
    classes = tuple(sorted(set(labels), key=str))
    words = tuple(vocabulary(token_lists))
    if not words:
        raise InputError("No document has a token. Give at least one word.")
    model = NaiveBayes(classes, words, Counter(), {c: Counter() for c in classes}, alpha)
    for number, (tokens, label) in enumerate(zip(token_lists, labels, strict=True), start=1):
        model.documents[label] += 1
        model.counts[label].update(tokens)
        yield Step(
            number,
            seen=" ".join(tokens),
            score=None,
            decision=str(label),
            update=f"count {len(tokens)} token{'' if len(tokens) == 1 else 's'}",
            parameters={
                "tokens": {str(c): model.counts[c].total() for c in classes},
                "P(c)": {str(c): model.prior(c) for c in classes},
            },
            why="learning is counting",
        )
    return model


def naive_bayes(documents: Iterable[str | Sequence[str]], y: Iterable[Any], alpha: float = 1.0) -> NaiveBayes:
    """Count words by class, with add-α smoothing.

    Parameters
    ----------
    documents
        Strings, split at white space, or lists of tokens.
    y
        One label a document.
    alpha
        What is added to each count; 0 for none.

    Examples
    --------
    >>> model = naive_bayes(["goal fans goal", "stock loan"], ["sports", "finance"])
    >>> model.likelihood("goal", "sports"), model.predict("a late goal")
    (0.42857142857142855, 'sports')
    """
    return finish(naive_bayes_steps(documents, y, alpha))


def _log(probability: float) -> float:
    return math.log(probability) if probability else -math.inf
