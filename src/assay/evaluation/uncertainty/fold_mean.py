"""The mean score of folds, with an interval that stays where the metric can be.

Five scores say little of their own spread, and a fold's macro-F1 of two rare documents even less: an interval from them
is twice as wide as need be where all is well, and covers too seldom where a class is rare or mistakes are few. The
answers of all folds together are answers to as many documents as there are, and have the intervals that any answers
have; wider, since folds share their training documents and another training set would have given other models, and
wider again where documents are copies of each other: what happens to one happens to all.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, sqrt

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.metrics.catalogue import metric_range
from assay.evaluation.uncertainty.estimate import Estimate
from assay.evaluation.uncertainty.intervals import Floats, corrected_t_interval, wilson_interval

__all__ = ["from_answers", "mean_of_folds", "of_copies", "without_optimism"]

# Variance that training adds to that of the documents, in n_test/n_train: Nadeau and Bengio's ratio, taken twice, with
# which the intervals cover in `benchmarks/coverage_folds.py`.
OF_TRAINING = 2.0


def of_copies(correct: NDArray[np.bool_], first: NDArray[np.int64]) -> float:
    """How many times as large the variance of a share of right answers is because documents are copies of others.

    That of sums over groups of copies over that of documents on their own, and never below 1.

    Parameters
    ----------
    correct
        Whether each document was answered right.
    first
        For each document the first of its group.

    Examples
    --------
    >>> right = np.array([True, True, False, False, True, True, False, False])
    >>> of_copies(right, np.array([0, 0, 2, 2, 4, 4, 6, 6])), of_copies(right, np.arange(8))
    (2.0, 1.0)
    """
    sizes = np.bincount(first)
    if sizes.max(initial=0) < 2:
        return 1.0
    deviations = correct - correct.mean()
    alone = float((deviations**2).sum())
    if alone == 0:  # nothing tells in how far copies share their fate: as if they did
        return float((sizes**2).sum() / sizes.sum())
    return max(1.0, float((np.bincount(first, deviations) ** 2).sum()) / alone)


def from_answers(
    metric: str, mean: float, pooled: Sequence[Estimate], test_share: float, copies: float = 1.0
) -> Estimate:
    """Mean of the folds with the interval of the answers of all folds together, wider by √(1 + 2 n_test/n_train).

    Parameters
    ----------
    metric
        Its name, which tells the range of its values.
    mean
        Of the folds' scores.
    pooled
        The metric of all answers together, one for each repeat.
    test_share
        Documents tested in a fold over documents trained on.
    copies
        How many times as large the variance is because of copies, see `of_copies`.

    Examples
    --------
    >>> print(from_answers("accuracy", 0.8, [Estimate(0.8, 0.7, 0.88)], 0.25))
    0.800 [0.678, 0.898]
    """
    for estimate in pooled:
        if isnan(estimate.low) or isnan(mean):
            return Estimate(mean, reason=estimate.reason)
    widening = sqrt((1 + OF_TRAINING * test_share) * copies)
    low = float(np.mean([found.value - widening * (found.value - found.low) for found in pooled]))
    high = float(np.mean([found.value + widening * (found.high - found.value) for found in pooled]))
    lowest, highest = metric_range(metric)
    return Estimate(mean, max(min(low, mean), lowest), min(max(high, mean), highest), f"{pooled[0].method}, corrected")


def mean_of_folds(metric: str, scores: Floats, n_tested: float, test_share: float, level: float = 0.95) -> Estimate:
    """Mean of the folds with Nadeau and Bengio's interval, cut off where the metric ends.

    Where every fold scored the same, that interval would be a point. The accuracy then gets Wilson's interval of all
    documents tested, which takes them for tests of one model; another metric gets none.

    Parameters
    ----------
    metric
        Its name, which tells the range of its values.
    scores
        One score a fold, none undefined.
    n_tested
        Documents tested in all folds of one repeat together.
    test_share
        Documents tested in a fold over documents trained on.
    level
        Coverage.

    Examples
    --------
    >>> print(mean_of_folds("accuracy", np.array([0.0, 0.5, 1.0]), 6, 0.5))
    0.500 [0.000, 1.000]
    >>> print(mean_of_folds("accuracy", np.array([1.0, 1.0]), 4, 1.0))
    1.000 [0.510, 1.000]
    """
    mean = float(scores.mean())
    low, high = corrected_t_interval(scores, test_share, level)
    if isnan(low):
        return Estimate(mean)
    if np.ptp(scores) > 0:
        lowest, highest = metric_range(metric)
        return Estimate(mean, max(low, lowest), min(high, highest), "corrected t")
    if metric != "accuracy":
        return Estimate(mean)
    return Estimate(mean, *wilson_interval(mean * n_tested, n_tested, level), "wilson")


def without_optimism(
    metric: str,
    found: Estimate,
    optimism: float,
    n_tested: float,
    test_share: float,
    level: float = 0.95,
    copies: float = 1.0,
) -> Estimate:
    """A mean of folds without what choosing by these folds has added to it.

    The accuracy gets Wilson's interval, as if of n / (1 + 2 n_test/n_train) documents, and fewer where there are
    `copies` (see `of_copies`): folds share their training documents, and the model that is trained in the end is
    another one than theirs. Other metrics keep the width they had.

    Examples
    --------
    >>> print(without_optimism("accuracy", Estimate(0.83, 0.70, 0.96), 0.03, 150, 0.25))
    0.800 [0.711, 0.867]
    """
    lowest, highest = metric_range(metric)
    value = min(max(found.value - optimism, lowest), highest)
    if metric == "accuracy":
        n = n_tested / ((1 + OF_TRAINING * test_share) * copies)
        return Estimate(value, *wilson_interval(value * n, n, level), "wilson, corrected")
    return Estimate(value, max(found.low - optimism, lowest), min(found.high - optimism, highest), found.method)
