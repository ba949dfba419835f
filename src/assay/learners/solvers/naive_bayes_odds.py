"""Naive Bayes of labels that come in sets: each against its complement, the rows that do not have it.

The score of a label is the logarithm of its odds,

    log P(label) / P(not label) + Σ x_w (log P(w | label) - log P(w | not label)),

where the complement's frequencies are those of all rows less those of the label. So one list of counts, that of all
rows, serves all labels. With two classes the complement model of Rennie et al. is the same without the prior.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.learners.solvers.class_counts import ClassCounts, LinearWeights, SharedWeights, TableOfWeights
from assay.learners.solvers.each_label import NEVER
from assay.learners.solvers.naive_bayes_settings import NaiveBayesSettings
from assay.learners.solvers.naive_bayes_tables import bernoulli_table, complement_table, multinomial_table
from assay.logarithms import log

__all__ = ["log_odds", "settled", "weigh_odds"]

Floats = NDArray[np.float64]


def log_odds(sizes: Floats, of_all: float) -> Floats:
    """Log P(label) / P(not label); `NEVER`, or its opposite, for a label that no row has, or every row.

    Examples
    --------
    >>> log_odds(np.array([0.0, 5.0, 8.0, 10.0]), 10.0).round(3).tolist()
    [-1000.0, 0.0, 1.386, 1000.0]
    """
    return settled(log(sizes) - log(of_all - sizes), sizes, of_all)


def settled(biases: Floats, sizes: Floats, of_all: float) -> Floats:
    """The biases, but `NEVER`, or its opposite, where no row has the label, or every row."""
    return np.where(sizes <= 0, NEVER, np.where(sizes >= of_all, -NEVER, biases))


def weigh_odds(
    counts: ClassCounts, counted_sizes: Floats, n_features: int, settings: NaiveBayesSettings
) -> LinearWeights:
    """The weight of each feature for each label; `counts` and `counted_sizes` have those of all rows last.

    A label that no row has, or every row, has no weights.
    """
    sizes, of_all = counted_sizes[:-1], float(counted_sizes[-1])
    varies = (sizes > 0) & (sizes < of_all)
    shared = bool(settings.alpha.all()) and settings.events != "bernoulli" and not settings.norm
    if shared:
        return _shared_odds(counts, n_features, settings.alpha, varies)
    table = counts.table(n_features)
    inside, outside = table[:-1], table[-1] - table[:-1]
    if settings.events == "bernoulli":
        twice = 2 * settings.alpha
        within = bernoulli_table(inside + settings.alpha, sizes[:, np.newaxis] + twice)
        beyond = bernoulli_table(outside + settings.alpha, of_all - sizes[:, np.newaxis] + twice)
    elif settings.events == "complement":  # of a label: what its complement has, and the reverse
        within = complement_table(outside + settings.alpha, settings.norm)
        beyond = complement_table(inside + settings.alpha, settings.norm)
    else:
        within, beyond = multinomial_table(inside + settings.alpha), multinomial_table(outside + settings.alpha)
    with np.errstate(invalid="ignore"):  # what is impossible with the label and without
        weights = np.where(varies[:, np.newaxis], within.weights - beyond.weights, 0.0)
        biases = np.where(varies, within.biases - beyond.biases, 0.0)
    return TableOfWeights(np.asfortranarray(weights), biases)


def _shared_odds(counts: ClassCounts, n_features: int, alpha: Floats, varies: NDArray[np.bool_]) -> SharedWeights:
    """Words drawn from the label, or from its complement, by lists: a number where a label has a feature."""
    from scipy.sparse import csc_array, csr_array

    n_labels, end = len(varies), counts.begin[-2]
    listed = (counts.counts[:end], counts.features[:end], counts.begin[:-1])
    by_feature = csc_array(csr_array(listed, shape=(n_labels, n_features)))
    everywhere = np.zeros(n_features)
    everywhere[counts.features[end:]] = counts.counts[end:]
    everywhere += alpha
    features = np.repeat(np.arange(n_features), np.diff(by_feature.indptr))
    pseudo = np.broadcast_to(alpha, n_features)
    log_pseudo, log_everywhere = log(pseudo), log(everywhere)
    within = log(by_feature.data + pseudo[features]) - log_pseudo[features]
    beyond = log(everywhere[features] - by_feature.data) - log_everywhere[features]
    totals = np.asarray(by_feature.sum(axis=1), dtype=np.float64)
    smoothing = float(pseudo.sum())
    return SharedWeights(
        by_feature.indptr.astype(np.int64),
        by_feature.indices.astype(np.int32),
        within - beyond,
        log_pseudo - log_everywhere,
        log(everywhere.sum() - totals) - log(totals + smoothing),
        varies.astype(np.float64),
        np.zeros(n_labels),
    )
