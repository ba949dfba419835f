"""Weights of naive Bayes written out, for smoothing that lists cannot share: none, or weights divided by their sums."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.learners.solvers.class_counts import TableOfWeights

__all__ = ["bernoulli_table", "complement_table", "multinomial_table"]

Floats = NDArray[np.float64]


def multinomial_table(smoothed: Floats) -> TableOfWeights:
    """Logarithms of the shares of each feature in the smoothed counts of each class."""
    with np.errstate(divide="ignore"):  # what was never seen is impossible
        log_prob = np.log(smoothed) - np.log(smoothed.sum(axis=1, keepdims=True))
    return TableOfWeights(np.asfortranarray(log_prob), np.zeros(len(log_prob)))


def complement_table(elsewhere: Floats, norm: bool) -> TableOfWeights:
    """Minus the logarithms of the shares in the smoothed counts of everything but the class."""
    with np.errstate(divide="ignore"):  # what only this class has is impossible elsewhere
        weights = np.log(elsewhere.sum(axis=1, keepdims=True)) - np.log(elsewhere)
    if norm:
        weights /= weights.sum(axis=1, keepdims=True)
    return TableOfWeights(np.asfortranarray(weights), np.zeros(len(weights)))


def bernoulli_table(present: Floats, rows: Floats) -> TableOfWeights:
    """Log-odds of the presence of each feature, by smoothed numbers of rows, and what its absence everywhere adds."""
    with np.errstate(divide="ignore"):
        log_absent = np.log1p(-present / rows)
        weights = np.log(present) - np.log(rows) - log_absent
    return TableOfWeights(np.asfortranarray(weights), log_absent.sum(axis=1))
