"""Which n-grams become columns: those in enough documents and not in too many, and of these the most frequent."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["descending", "document_limits", "most_frequent"]


def document_limits(min_df: float, max_df: float, n_documents: int) -> tuple[float, float]:
    """The fewest and the most documents that an n-gram may be in; a share counts of all documents.

    Examples
    --------
    >>> document_limits(2, 0.5, 100)
    (2.0, 50.0)
    """
    lowest, highest = (
        float(limit) if isinstance(limit, Integral) else limit * n_documents for limit in (min_df, max_df)
    )
    return lowest, highest


def most_frequent(frequencies: npt.NDArray[Any], n: int) -> npt.NDArray[np.intp]:
    """Places of the `n` highest of the frequencies, in rising order; of equals, the first are taken.

    Columns stand in the order of their terms, so that ties are decided by the term, on every processor.

    Examples
    --------
    >>> most_frequent(np.array([3, 1, 2, 2, 9]), 3)
    array([0, 2, 4])
    """
    return np.sort(descending(frequencies, n))


def descending(scores: npt.NDArray[Any], top: int | None) -> npt.NDArray[np.intp]:
    """Places of the highest scores, the first of equals first."""
    if top is None or top >= len(scores):
        return np.argsort(-scores, kind="stable")
    if top <= 0:
        return np.empty(0, dtype=np.intp)
    least = -np.partition(-scores, top - 1)[top - 1]
    above, equal = np.flatnonzero(scores > least), np.flatnonzero(scores == least)
    chosen = np.concatenate([above, equal[: top - len(above)]])
    return chosen[np.argsort(-scores[chosen], kind="stable")]
