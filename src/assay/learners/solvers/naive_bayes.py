"""Naive Bayes from counts: the weights and biases of a linear model, whatever a document is thought to be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.learners.solvers.class_counts import ClassCounts, LinearWeights, SharedWeights, TableOfWeights
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.solution import Solution, one_output
from assay.logarithms import log

__all__ = ["NaiveBayesSettings", "fit_naive_bayes", "log_prior", "weigh_counts"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NaiveBayesSettings:
    """What a document is, and how its counts are smoothed.

    Attributes
    ----------
    events
        "multinomial": words drawn from the class; "complement": from everything but the class; "bernoulli": every
        feature is there or not.
    alpha
        Pseudo-count: one number, or one for each feature.
    norm
        Complement: divide the weights of each class by their sum.
    """

    events: Literal["multinomial", "complement", "bernoulli"]
    alpha: Floats
    norm: bool = False


def fit_naive_bayes(rows: LabelledRows, settings: NaiveBayesSettings) -> Solution:
    """Count and weigh; a factor of a class multiplies its prior. The weights are in double."""
    sizes = rows.class_sizes
    found = weigh_counts(rows.counted(), sizes, rows.X.shape[1], settings, rows.n_threads)
    biases = found.biases
    if settings.events != "complement":  # which leaves the prior out of the decision
        biases = log_prior(sizes * rows.class_factors) + biases
    weights = np.ascontiguousarray(found.table(rows.n_threads).T)
    if rows.n_classes == 2:
        weights, biases = one_output(weights, biases)
    return Solution(weights, biases, converged=True)


def log_prior(class_sizes: Floats) -> Floats:
    """Log P(class) by what the rows of each class weigh; -inf for a class that has none."""
    return log(class_sizes / class_sizes.sum())


def weigh_counts(
    counts: ClassCounts, class_sizes: Floats, n_features: int, settings: NaiveBayesSettings, n_threads: int
) -> LinearWeights:
    """The weights of each feature and class, and what the events add to the score of each class."""
    alpha, shared = settings.alpha, bool(settings.alpha.all())
    if settings.events == "multinomial":
        if shared:
            return SharedWeights(*_native.multinomial_weights(*counts.arrays, n_features, alpha, n_threads))
        return _multinomial_table(counts.table(n_features) + alpha)
    if settings.events == "complement":
        if shared:
            norm = settings.norm
            return SharedWeights(*_native.complement_weights(*counts.arrays, n_features, alpha, norm, n_threads))
        return _complement_table(counts.table(n_features), alpha, settings.norm)
    if shared and len(alpha) == 1:
        one = float(alpha[0])
        return SharedWeights(*_native.bernoulli_weights(*counts.arrays, n_features, class_sizes, one, n_threads))
    return _bernoulli_table(counts.table(n_features) + alpha, class_sizes[:, np.newaxis] + 2 * alpha)


def _multinomial_table(smoothed: Floats) -> TableOfWeights:
    with np.errstate(divide="ignore"):  # what was never seen is impossible
        log_prob = np.log(smoothed) - np.log(smoothed.sum(axis=1, keepdims=True))
    return TableOfWeights(np.asfortranarray(log_prob), np.zeros(len(log_prob)))


def _complement_table(counts: Floats, alpha: Floats, norm: bool) -> TableOfWeights:
    elsewhere = counts.sum(axis=0) + alpha - counts
    with np.errstate(divide="ignore"):  # what only this class has is impossible elsewhere
        weights = np.log(elsewhere.sum(axis=1, keepdims=True)) - np.log(elsewhere)
    if norm:
        weights /= weights.sum(axis=1, keepdims=True)
    return TableOfWeights(np.asfortranarray(weights), np.zeros(len(weights)))


def _bernoulli_table(present: Floats, rows: Floats) -> TableOfWeights:
    with np.errstate(divide="ignore"):
        log_absent = np.log1p(-present / rows)
        weights = np.log(present) - np.log(rows) - log_absent
    return TableOfWeights(np.asfortranarray(weights), log_absent.sum(axis=1))
