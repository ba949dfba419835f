"""Naive Bayes from counts: the weights and biases of a linear model, whatever a document is thought to be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.learners.solvers.class_counts import ClassCounts, LinearWeights, SharedWeights
from assay.learners.solvers.each_label import fit_in_blocks
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.learned_state import CountedRows
from assay.learners.solvers.naive_bayes_odds import log_odds, settled, weigh_odds
from assay.learners.solvers.naive_bayes_settings import NaiveBayesSettings
from assay.learners.solvers.naive_bayes_tables import bernoulli_table, complement_table, multinomial_table
from assay.learners.solvers.solution import Solution, one_output
from assay.logarithms import log

__all__ = ["NaiveBayesSettings", "fit_naive_bayes", "log_prior", "weigh_counts"]

Floats = NDArray[np.float64]


def fit_naive_bayes(rows: LabelledRows, settings: NaiveBayesSettings) -> Solution:
    """Count and weigh; a factor of a class multiplies its prior. The weights are in double."""
    if rows.have_sets:
        return fit_in_blocks(rows, lambda some: fit_against_rest(some, settings), rows.X.dtype)
    sizes = rows.class_sizes
    counts = rows.counted()
    found = weigh_counts(counts, sizes, rows.X.shape[1], settings, rows.n_threads)
    biases = found.biases
    if settings.events != "complement":  # which leaves the prior out of the decision
        biases = log_prior(sizes * rows.class_factors) + biases
    weights = np.ascontiguousarray(found.table(rows.n_threads).T)
    if rows.n_classes == 2:
        weights, biases = one_output(weights, biases)
    return Solution(weights, biases, converged=True, state=CountedRows(counts, sizes))


def fit_against_rest(rows: LabelledRows, settings: NaiveBayesSettings) -> Solution:
    """The same for labels of which a row may have several: log-odds; a factor of a label multiplies its odds."""
    *sizes, of_all = rows.counted_sizes
    found = weigh_odds(rows.counted(), rows.counted_sizes, rows.X.shape[1], settings)
    odds = np.zeros(rows.n_classes)
    if settings.events != "complement":
        odds = log_odds(np.array(sizes), of_all) + log(np.where(rows.class_factors > 0, rows.class_factors, 1.0))
    biases = settled(found.biases + odds, np.array(sizes), of_all)
    return Solution(np.ascontiguousarray(found.table(rows.n_threads).T), biases, converged=True, of_sets=True)


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
        return multinomial_table(counts.table(n_features) + alpha)
    if settings.events == "complement":
        if shared:
            norm = settings.norm
            return SharedWeights(*_native.complement_weights(*counts.arrays, n_features, alpha, norm, n_threads))
        table = counts.table(n_features)
        return complement_table(table.sum(axis=0) + alpha - table, settings.norm)
    if shared and len(alpha) == 1:
        one = float(alpha[0])
        return SharedWeights(*_native.bernoulli_weights(*counts.arrays, n_features, class_sizes, one, n_threads))
    return bernoulli_table(counts.table(n_features) + alpha, class_sizes[:, np.newaxis] + 2 * alpha)
