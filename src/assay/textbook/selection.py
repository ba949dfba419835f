"""Which words tell the classes apart: four figures from one little table.

For a word t and a class c, documents are counted in four cells,

    A  with t, in c        B  with t, not in c
    C  without t, in c     D  without t, not in c       N = A + B + C + D

    information gain   H(class) - [P(t) H(class | t) + P(no t) H(class | no t)]    H = -Σ P log₂ P, in bits
    χ²                 N (A D - C B)² / ((A + C) (B + D) (A + B) (C + D))
    pointwise mutual   log₂ (P(t, c) / (P(t) P(c))) = log₂ (A N / ((A + C) (A + B)))
    information
    Gini               G(class) - [P(t) G(class | t) + P(no t) G(class | no t)]    G = 1 - Σ P²

Information gain and Gini look at all classes at once; χ² and pointwise mutual information at one.

References
----------
Jurafsky & Martin, *Speech and Language Processing*, chapter 4, historical notes; Yang & Pedersen (1997) for
the first three formulas.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.textbook.inputs import Label, as_documents, as_label, as_labels
from assay.textbook.steps import Step, Steps, finish
from assay.textbook.vectors import vocabulary

__all__ = [
    "Cells",
    "chi_squared",
    "entropy",
    "gini_gain",
    "gini_impurity",
    "information_gain",
    "pointwise_mutual_information",
    "rank_words",
    "rank_words_steps",
]


@dataclass(frozen=True)
class Cells:
    """The four counts of a word and a class."""

    A: int
    B: int
    C: int
    D: int

    @property
    def N(self) -> int:  # noqa: N802 (the formulas' letter)
        """All documents."""
        return self.A + self.B + self.C + self.D


def entropy(counts: Iterable[float]) -> float:
    """Give -Σ p log₂ p of counts made into probabilities: the bits that are needed to tell the class.

    Examples
    --------
    >>> entropy([5, 5]), entropy([10, 0])
    (1.0, 0.0)
    """
    values = [value for value in counts if value]
    total = sum(values)
    return -sum(value / total * math.log2(value / total) for value in values) + 0.0


def gini_impurity(counts: Iterable[float]) -> float:
    """Give 1 - Σ p² of counts made into probabilities: the chance that two random documents differ in class.

    Examples
    --------
    >>> gini_impurity([5, 5]), gini_impurity([10, 0])
    (0.5, 0.0)
    """
    values = list(counts)
    total = sum(values)
    return 1 - sum((value / total) ** 2 for value in values) if total else 0.0


def information_gain(with_word: Mapping[Label, int], without_word: Mapping[Label, int]) -> float:
    """Give how many bits the presence of a word saves in telling the class.

    Parameters
    ----------
    with_word
        For each class how many of its documents have the word.
    without_word
        For each class how many have not.

    Examples
    --------
    >>> information_gain({"+": 4, "-": 0}, {"+": 0, "-": 4})
    1.0
    """
    return _gain(with_word, without_word, entropy)


def gini_gain(with_word: Mapping[Label, int], without_word: Mapping[Label, int]) -> float:
    """Give by how much the presence of a word lowers the Gini impurity.

    Examples
    --------
    >>> gini_gain({"+": 4, "-": 0}, {"+": 0, "-": 4})
    0.5
    """
    return _gain(with_word, without_word, gini_impurity)


def chi_squared(cells: Cells) -> float:
    """Give χ²: how far the four counts are from those of a word that has nothing to do with the class.

    Examples
    --------
    >>> chi_squared(Cells(A=4, B=0, C=0, D=4))
    8.0
    """
    A, B, C, D = cells.A, cells.B, cells.C, cells.D
    product = (A + C) * (B + D) * (A + B) * (C + D)
    return cells.N * (A * D - C * B) ** 2 / product if product else 0.0


def pointwise_mutual_information(cells: Cells) -> float:
    """Give how many times, in powers of two, word and class meet more often than by chance.

    Examples
    --------
    >>> pointwise_mutual_information(Cells(A=4, B=0, C=0, D=4))
    1.0
    """
    if not cells.A:
        return -math.inf
    return math.log2(cells.A * cells.N / ((cells.A + cells.C) * (cells.A + cells.B)))


def rank_words_steps(
    documents: Iterable[str | Sequence[str]], y: Iterable[Any], label: Label | None = None
) -> Steps[list[tuple[str, float]]]:
    """Look at one word after the other; see `rank_words`."""
    token_lists = as_documents(documents)
    labels = as_labels(y, len(token_lists))
    classes = sorted(set(labels), key=str)
    c = classes[-1] if label is None else as_label(label, classes)
    sizes = Counter(labels)
    ranking = []
    for number, word in enumerate(vocabulary(token_lists), start=1):
        having = Counter(label for tokens, label in zip(token_lists, labels, strict=True) if word in tokens)
        lacking = {name: sizes[name] - having[name] for name in classes}
        A, C = having[c], lacking[c]
        cells = Cells(A, having.total() - A, C, sum(lacking.values()) - C)
        gain = information_gain(having, lacking)
        ranking.append((word, gain))
        yield Step(
            number,
            seen=word,
            score=gain,
            decision=f"A={cells.A} B={cells.B} C={cells.C} D={cells.D}",
            update="none",
            parameters={
                "χ²": chi_squared(cells),
                "PMI": pointwise_mutual_information(cells),
                "Gini": gini_gain(having, lacking),
            },
            why=f"in {A} of {A + C} {c}, {cells.B} of {cells.B + cells.D} others",
        )
    return sorted(ranking, key=lambda entry: -entry[1])


def rank_words(
    documents: Iterable[str | Sequence[str]], y: Iterable[Any], label: Label | None = None
) -> list[tuple[str, float]]:
    """Give every word with its information gain, the most telling first.

    Parameters
    ----------
    documents
        Strings, split at white space, or lists of tokens.
    y
        One label a document.
    label
        The class that the steps show χ² and pointwise mutual information for; by default the last one.

    Examples
    --------
    >>> rank_words(["good film", "good book", "bad film", "bad book"], ["+", "+", "-", "-"])
    [('good', 1.0), ('bad', 1.0), ('film', 0.0), ('book', 0.0)]
    """
    return finish(rank_words_steps(documents, y, label))


def _gain(
    with_word: Mapping[Label, int],
    without_word: Mapping[Label, int],
    disorder: Callable[[Iterable[float]], float],
) -> float:
    n_with, n_without = sum(with_word.values()), sum(without_word.values())
    n = n_with + n_without
    classes = {**with_word, **without_word}
    before = disorder([with_word.get(c, 0) + without_word.get(c, 0) for c in classes])
    after = n_with / n * disorder(with_word.values()) + n_without / n * disorder(without_word.values())
    return before - after
