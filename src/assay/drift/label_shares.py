"""Which share of the new texts each label truly has, by what the model gives and how it errs.

A model that takes one text in five of class a for b gives other shares than the texts have. Of held-out texts it is
known how texts of each class are answered, C[i, j] = P(given i | true j); if that still holds, the shares w of the
labels given to new texts are C q, and q are the shares that the labels have. q is the least-squares solution that is
nowhere negative; its interval is that of the same on counts drawn anew, of the held-out and of the new texts.

References
----------
Lipton, Wang & Smola (2018), black box shift estimation (BBSE).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.uncertainty.estimate import Estimate
from assay.prediction.probabilities import Floats

__all__ = ["label_shares"]

_DRAWS = 400
_FEWEST = 10  # held-out texts of a class, below which nothing is said of how its texts are answered
_WEAKEST = 0.15  # smallest singular value of C: below, shares are hardly told by what is given
_MOST_CLASSES = 60


def label_shares(
    confusion: NDArray[np.int64], given: NDArray[np.int64], *, level: float, seed: int
) -> list[Estimate] | str:
    """Estimated shares of the labels among new texts, with intervals; or why they cannot be told.

    Parameters
    ----------
    confusion
        Held-out texts of each class (rows) that were given each class (columns).
    given
        New texts that were given each class.
    level, seed
        Of the intervals.

    Examples
    --------
    >>> shares = label_shares(np.array([[80, 20], [10, 90]]), np.array([450, 550]), level=0.95, seed=0)
    >>> [share.cell(2) for share in shares]
    ['0.50 [0.42, 0.59]', '0.50 [0.41, 0.58]']
    """
    of_class = confusion.sum(axis=1)
    n = len(of_class)
    if n > _MOST_CLASSES:
        return f"there are {n} labels, and shares of more than {_MOST_CLASSES} are not estimated together"
    if of_class.min() < _FEWEST:
        few = f"a label has {of_class.min()} held-out texts, and {_FEWEST} are needed"
        return f"{few} to know how its texts are answered"
    answered = confusion.T / of_class  # (given, true)
    if np.linalg.svd(answered, compute_uv=False)[-1] < _WEAKEST:
        return "the model mixes labels up so much that what it gives hardly tells the shares"
    value = _solved(answered, given / given.sum())
    random = np.random.default_rng(seed)
    drawn = np.empty((_DRAWS, n))
    for k in range(_DRAWS):
        again = np.stack([random.multinomial(m, row / m) for m, row in zip(of_class, confusion, strict=True)])
        drawn[k] = _solved(again.T / of_class, random.multinomial(given.sum(), given / given.sum()) / given.sum())
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    low, high = np.minimum(low, value), np.maximum(high, value)
    return [Estimate(float(v), float(a), float(b), "percentile") for v, a, b in zip(value, low, high, strict=True)]


def _solved(answered: Floats, shares: Floats) -> Floats:
    """Least squares over shares: none negative, their sum 1."""
    from scipy.optimize import nnls

    weight = 100.0  # of the sum
    system = np.vstack([answered, np.full(len(shares), weight)])
    found, _ = nnls(system, np.append(shares, weight))
    return np.asarray(found / found.sum())
