"""Features of one size: so that no feature rules only because its numbers are large.

    z-score     x' = (x - μ) / σ              mean 0, standard deviation 1
    min-max     x' = (x - min) / (max - min)  between 0 and 1

A feature that has one value everywhere tells nothing, and becomes 0.

References
----------
Jurafsky & Martin, *Speech and Language Processing*, chapter 4.3.2, equations 4.9 and 4.10.
"""

from __future__ import annotations

import math

from assay.textbook.inputs import Points, as_points

__all__ = ["normalize", "standardize"]


def standardize(X: Points) -> list[list[float]]:
    """Give each feature mean 0 and standard deviation 1 over the examples.

    Examples
    --------
    >>> standardize([[1, 5], [3, 5]])
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    columns = []
    for column in zip(*as_points(X), strict=True):
        mu = sum(column) / len(column)
        sigma = math.sqrt(sum((x - mu) ** 2 for x in column) / len(column))
        columns.append([(x - mu) / sigma if sigma else 0.0 for x in column])
    return [list(row) for row in zip(*columns, strict=True)]


def normalize(X: Points) -> list[list[float]]:
    """Move each feature into the range from 0 to 1.

    Examples
    --------
    >>> normalize([[1, 5], [2, 5], [5, 5]])
    [[0.0, 0.0], [0.25, 0.0], [1.0, 0.0]]
    """
    columns = []
    for column in zip(*as_points(X), strict=True):
        low, high = min(column), max(column)
        columns.append([(x - low) / (high - low) if high > low else 0.0 for x in column])
    return [list(row) for row in zip(*columns, strict=True)]
