"""The four things that are done with vectors: dot product, length, adding a multiple, averaging."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["add", "dot", "mean", "norm"]


def dot(x: Sequence[float], y: Sequence[float]) -> float:
    """Multiply pairwise and sum up: x · y = Σ xᵢ yᵢ.

    References
    ----------
    Surdeanu & Valenzuela-Escárcega, section 2.4, equation 2.6.

    Examples
    --------
    >>> dot([1, 2], [3, 4])
    11
    """
    return sum(a * b for a, b in zip(x, y, strict=True))


def norm(x: Sequence[float]) -> float:
    """Give the length of a vector: ‖x‖ = √(Σ xᵢ²).

    Examples
    --------
    >>> norm([3, 4])
    5.0
    """
    return math.sqrt(dot(x, x))


def add(x: Sequence[float], y: Sequence[float], times: float = 1) -> list[float]:
    """Give x + times · y.

    Examples
    --------
    >>> add([1, 1, 1], [0, 0, 1], times=-1)
    [1, 1, 0]
    """
    return [a + times * b for a, b in zip(x, y, strict=True)]


def mean(vectors: Sequence[Sequence[float]]) -> list[float]:
    """Give the point in the middle: in each dimension the mean of the vectors' values.

    Examples
    --------
    >>> mean([[0, 0], [1, 3]])
    [0.5, 1.5]
    """
    return [sum(values) / len(vectors) for values in zip(*vectors, strict=True)]
