"""All folds of a support vector machine at once, where its problems are few.

One by one, every fold reads the counts anew for one or a few problems, and waits for memory. Here the machines of all
folds are descended side by side over one reading of the rows: what a fold makes of its features (document frequencies
of its training rows, norms) is a factor of each column and row, which stands beside the weights. Nothing is shared but
the rows: each machine begins with zeros, and never reads the label of a row that it will be asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.evaluation.protocols.fold_features import CorpusFeatures, FoldSettings
from assay.evaluation.protocols.folds import Fold
from assay.features.ngrams.ngram_settings import NgramSettings
from assay.learners.estimators.linear_svm import LinearSVC
from assay.learners.parameters import seed_of
from assay.learners.solvers.problem import FEW_FEATURES, FINE_TOLERANCE, SMALL_MATRIX
from assay.learners.solvers.svm import PATIENCE

__all__ = ["can_score_together", "score_together"]

Floats = NDArray[np.float64]

# Machines of a fold up to which lanes of the folds are a gain: those of more classes fill the lanes by themselves.
MOST_PROBLEMS = 4
MOST_FOLDS = 16
LARGEST_SQUARE = 1e10  # of a row, that single precision holds with room for the small numbers beside it


def can_score_together(learner: Any, settings: FoldSettings, folds: Sequence[Fold], n_classes: int) -> bool:
    """Whether the machines of these folds, all of one repeat, have a form in which they can share their passes."""
    ngrams = settings.ngrams
    known_weights = (
        ngrams.norm in ("l2", None)
        and ngrams.max_features is None
        and isinstance(ngrams.min_df, Integral)
        and isinstance(ngrams.max_df, float)
        and ngrams.max_df == 1
        and not settings.fixed_vocabulary
    )
    if not known_weights or type(learner) is not LinearSVC:
        return False
    machine, n = learner.solver_settings(), sum(fold.test.size for fold in folds)
    return (
        (machine.penalty, machine.loss, machine.joint) == ("l2", "squared_hinge", False)
        and machine.dual is not False
        and learner.class_weight is None
        and machine.prune is None
        and machine.tolerance >= FINE_TOLERANCE
        and _n_problems(n_classes) <= MOST_PROBLEMS
        and 2 <= len(folds) <= MOST_FOLDS
        and all(fold.train.size + fold.test.size == n for fold in folds)
    )


def score_together(
    features: CorpusFeatures,
    settings: FoldSettings,
    learner: LinearSVC,
    folds: Sequence[Fold],
    classes: NDArray[np.int32],
    threads: int,
) -> Floats | None:
    """Scores (n, n_classes, or 1 of two classes) of all rows by the machines of their folds, which have not seen them.

    None where the folds are better trained one by one: few values, a training part without one of the classes, or a
    machine that did not come near enough to its optimum.
    """
    n_classes = int(classes.max(initial=0)) + 1
    fold_of = np.empty(classes.size, np.int32)
    for k, fold in enumerate(folds):
        fold_of[fold.test] = k
    if any(np.unique(classes[fold.train]).size < n_classes for fold in folds):
        return None
    everything, nothing = np.arange(classes.size), np.arange(0)
    plain = replace(settings.ngrams, idf=False, norm=None)
    X, _ = features.fold(everything, nothing, FoldSettings(plain, np.float32), threads)
    if X.nnz * (len(folds) - 1) < SMALL_MATRIX * len(folds) or X.shape[1] < FEW_FEATURES or X.indices.dtype != np.int32:
        return None
    machine = learner.solver_settings()
    factors = _factors(X, fold_of, len(folds), settings.ngrams)
    if float(X.data.max() * factors.max()) ** 2 * int(np.diff(X.indptr).max()) >= LARGEST_SQUARE:
        return None
    scores = np.empty((classes.size, _n_problems(n_classes)))
    report = _native.score_svm_folds(
        X.shape[1],
        X.indptr,
        X.indices,
        X.data,
        np.ascontiguousarray(classes, np.int32),
        fold_of,
        n_folds=len(folds),
        factors=factors.reshape(-1),
        unit_rows=settings.ngrams.norm == "l2",
        cost=machine.C,
        intercept_scale=machine.intercept_scale,
        tolerance=machine.tolerance,
        max_iterations=machine.max_iterations,
        patience=PATIENCE,
        seed=seed_of(learner.random_state),
        n_threads=threads,
        n_problems=scores.shape[1],
        scores=scores.reshape(-1),
    )
    return scores if np.all(report["converged"]) else None


def _n_problems(n_classes: int) -> int:
    return 1 if n_classes == 2 else n_classes


def _factors(X: Any, fold_of: NDArray[np.int32], n_folds: int, ngrams: NgramSettings) -> NDArray[np.float32]:
    """What each fold multiplies each column by, (columns, folds): 0 for a column that it does not have."""
    of_values = np.repeat(fold_of, np.diff(X.indptr))
    outside = np.bincount(X.indices.astype(np.int64) * n_folds + of_values, minlength=X.shape[1] * n_folds)
    outside = outside.reshape(-1, n_folds)
    inside = outside.sum(axis=1, keepdims=True) - outside
    factors = np.empty(inside.shape, np.float32)
    lowest = max(int(ngrams.min_df), 1)
    for k, n_outside in enumerate(np.bincount(fold_of, minlength=n_folds)):
        n_train = fold_of.size - int(n_outside)
        idf = ngrams.weighting(np.arange(n_train + 1), n_train).idf
        of_documents = idf.astype(np.float32) if idf.size else np.ones(n_train + 1, np.float32)
        of_documents[:lowest] = 0
        factors[:, k] = of_documents[inside[:, k]]
    return factors
