"""Features of few texts, for which χ² is no approximation, and the exact test that is taken instead.

A word in ten texts has eleven possible outcomes. The likelihood-ratio test calls those significant that are so under a
smooth law, and together they come about in up to 11 % of data without any association; of three texts in 27 %. Fisher's
test counts what can come about; shuffling does so where there are controls, other features or more than two classes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.inference.alternatives import permutation_p_value
from assay.inference.newton import Classes, Floats
from assay.inference.variables import Variable
from assay.suggest import quoted

__all__ = ["exact_p_value", "few_texts_note", "has_few_texts"]

FEW = 50  # texts with the feature, without it, or of the rarest class: from there on at most 6.5 % are false


def has_few_texts(variable: Variable, classes: Classes, n_classes: int) -> bool:
    """Whether the likelihood-ratio test of a feature would be rough."""
    rarest = int(np.bincount(classes, minlength=n_classes).min())
    least = min((_least(column) for column in variable.columns.T), default=0)
    return min(rarest, least) < FEW


def exact_p_value(variable: Variable, others: Floats, classes: Classes, n_classes: int, seed: int) -> tuple[float, str]:
    """p-value of a feature beyond all other columns, and the name of the test.

    Fisher's where it is two values against two classes and there is nothing else; else the permutation test of what
    the other columns leave of it (of several columns the smallest p, times their number).

    Examples
    --------
    >>> from assay.inference.variables import Variable
    >>> word = Variable("never", np.array([[1.0]] * 4 + [[0.0]] * 96), ("never",), "texts with it")
    >>> classes = np.array([1, 1, 1, 1] + [0, 1] * 48)
    >>> p, name = exact_p_value(word, np.ones((100, 1)), classes, 2, seed=0)
    >>> round(p, 3), name
    (0.119, "Fisher's exact")
    """
    if others.shape[1] == 1 and n_classes == 2 and variable.columns.shape[1] == 1:
        values, inverse = np.unique(variable.columns[:, 0], return_inverse=True)
        if values.size == 2:
            from scipy.stats import fisher_exact

            table = np.bincount(inverse * 2 + classes, minlength=4).reshape(2, 2)
            return float(fisher_exact(table).pvalue), "Fisher's exact"
    ps = [permutation_p_value(column, others, classes, n_classes, seed=seed) for column in variable.columns.T]
    return min(1.0, min(ps) * len(ps)), "permutation"


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
