"""Features of few texts, for which χ² is no approximation, and the exact test that is taken instead.

A word in ten texts has eleven possible outcomes. The likelihood-ratio test calls those significant that are so under a
smooth law, and together they come about in up to 11 % of data without any association; of three texts in 27 %. Fisher's
test counts what can come about; beside controls and other features it does so among the texts that are alike in those.
Where hardly any two are, or with more than two classes, shuffling does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.inference.alternatives import permutation_p_value
from assay.inference.newton import Classes, Floats
from assay.inference.variables import Variable
from assay.suggest import quoted

__all__ = ["exact_p_value", "few_texts_note", "has_few_texts", "stratified_p_value"]

Flags = NDArray[np.bool_]

STRATUM = 5  # texts on average that are alike in all other columns, to count among them

FEW = 50  # texts with the feature, without it, or of the rarest class: from there on at most 6.5 % are false


def has_few_texts(variable: Variable, classes: Classes, n_classes: int) -> bool:
    """Whether the likelihood-ratio test of a feature would be rough."""
    rarest = int(np.bincount(classes, minlength=n_classes).min())
    least = min((_least(column) for column in variable.columns.T), default=0)
    return min(rarest, least) < FEW


def exact_p_value(variable: Variable, others: Floats, classes: Classes, n_classes: int, seed: int) -> tuple[float, str]:
    """p-value of a feature beyond all other columns, and the name of the test.

    Fisher's where it is two values against two classes and there is nothing else; among texts that are alike in the
    other columns where these have few values; else the permutation test of what the other columns leave of it (of
    several columns the smallest p, times their number).

    Examples
    --------
    >>> from assay.inference.variables import Variable
    >>> word = Variable("never", np.array([[1.0]] * 4 + [[0.0]] * 96), ("never",), "texts with it")
    >>> classes = np.array([1, 1, 1, 1] + [0, 1] * 48)
    >>> p, name = exact_p_value(word, np.ones((100, 1)), classes, 2, seed=0)
    >>> round(p, 3), name
    (0.119, "Fisher's exact")
    """
    if n_classes == 2 and variable.columns.shape[1] == 1:
        values, inverse = np.unique(variable.columns[:, 0], return_inverse=True)
        patterns, stratum = np.unique(others, axis=0, return_inverse=True)
        if values.size == 2 and len(patterns) == 1:
            from scipy.stats import fisher_exact

            table = np.bincount(inverse * 2 + classes, minlength=4).reshape(2, 2)
            return float(fisher_exact(table).pvalue), "Fisher's exact"
        if values.size == 2 and len(patterns) * STRATUM <= len(classes):
            return stratified_p_value(inverse == 1, classes == 1, stratum.reshape(-1)), "stratified exact"
    ps = [permutation_p_value(column, others, classes, n_classes, seed=seed) for column in variable.columns.T]
    return min(1.0, min(ps) * len(ps)), "permutation"


def stratified_p_value(present: Flags, positive: Flags, stratum: NDArray[np.integer[Any]]) -> float:
    """Exact test of a word against a class within strata: how many texts have both, given all counts of each stratum.

    Without an association that number is a sum of hypergeometric ones; p is twice the chance of the smaller tail. (What
    Fisher's test adds up, all numbers that are no likelier, may leave out the other tail where both are nearly alike.)

    Examples
    --------
    >>> word, positive = np.arange(20) < 4, np.arange(20) % 2 == 0
    >>> stratified_p_value(word, positive, np.zeros(20, int))
    1.0
    >>> round(stratified_p_value(word, np.arange(20) < 10, np.zeros(20, int)), 4)
    0.0867

    References
    ----------
    Gart (1970), Point and interval estimation of the common odds ratio in the combination of 2 × 2 tables.
    """
    from scipy.stats import hypergeom

    law = np.ones(1)
    for k in np.unique(stratum[present]):
        inside = stratum == k
        n, with_word, with_class = (int(part[inside].sum()) for part in (inside, present, positive))
        law = np.convolve(law, hypergeom.pmf(np.arange(with_word + 1), n, with_class, with_word))
    both = int((present & positive).sum())
    return float(min(1.0, 2 * min(law[: both + 1].sum(), law[both:].sum())))


def few_texts_note(names: Sequence[str]) -> str:
    """Which features had an exact test, and what is not shown of them."""
    return (
        f"{quoted(names)}: there are fewer than {FEW} texts with it, without it or of the rarest class, too few "
        "for the likelihood-ratio test. The p-value is that of an exact test (the column 'test' says which); Wald's "
        "standard error, test and interval do not hold either and are not shown."
    )


def _least(column: Floats) -> int:
    """Texts that do not have the commonest value."""
    counts = np.unique(column, return_counts=True)[1]
    return int(column.size - counts.max())
