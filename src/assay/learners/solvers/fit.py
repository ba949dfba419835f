"""Fitting any of the linear learners to rows, also where a class has none."""

from __future__ import annotations

from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from assay.label_sets import LabelSets
from assay.learners.solvers.averaged_perceptron import AveragedPerceptronSettings, fit_averaged_perceptron
from assay.learners.solvers.each_label import NEVER
from assay.learners.solvers.label_tree import LabelTreeSettings, fit_label_tree
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.logistic import fit_logistic
from assay.learners.solvers.logistic_settings import LogisticSettings
from assay.learners.solvers.naive_bayes import NaiveBayesSettings, fit_naive_bayes
from assay.learners.solvers.nbsvm import NbsvmSettings, fit_nbsvm
from assay.learners.solvers.solution import Solution
from assay.learners.solvers.svm import SvmSettings, fit_svm
from assay.memory_room import require_room_for_weights

__all__ = ["SolverSettings", "fit_linear"]

SolverSettings = (
    SvmSettings | LogisticSettings | NbsvmSettings | NaiveBayesSettings | AveragedPerceptronSettings | LabelTreeSettings
)


def fit_linear(rows: LabelledRows, settings: SolverSettings) -> Solution:
    """Weights, of the type of the rows, and biases; a class without rows, as in a fold, gets some that never win.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> X = csr_array(np.array([[1.0, 0], [0.9, 0.1], [0, 1.0], [0.2, 1]], dtype=np.float32))
    >>> rows = LabelledRows(X, np.array([0, 0, 1, 1], dtype=np.int32), ("first", "second"))
    >>> fit_linear(rows, SvmSettings()).scores(X).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """
    if not isinstance(rows.classes, LabelSets):
        present = np.flatnonzero(np.bincount(rows.classes, minlength=rows.n_classes))
        if present.size < rows.n_classes:
            return _fit_present(rows, settings, present)
    solution = _fit(rows, settings)
    solution.weights = solution.weights.astype(rows.X.dtype, copy=False)
    return solution


def _fit(rows: LabelledRows, settings: SolverSettings) -> Solution:
    match settings:
        case SvmSettings():
            return fit_svm(rows, settings)
        case LogisticSettings():
            return fit_logistic(rows, settings)
        case NbsvmSettings():
            return fit_nbsvm(rows, settings, rows.X.dtype)
        case NaiveBayesSettings():
            return fit_naive_bayes(rows, settings)
        case AveragedPerceptronSettings():
            return fit_averaged_perceptron(rows, settings)
        case LabelTreeSettings():
            return fit_label_tree(rows, settings)
    assert_never(settings)


def _fit_present(rows: LabelledRows, settings: SolverSettings, present: NDArray[np.intp]) -> Solution:
    """Fit the classes that there are, and widen."""
    n_features, dtype = rows.X.shape[1], rows.X.dtype
    require_room_for_weights(n_features, rows.n_outputs, dtype.itemsize)
    weights, biases = np.zeros((n_features, rows.n_outputs), dtype), np.full(rows.n_outputs, NEVER)
    if rows.n_classes == 2:
        return Solution(weights, biases if present[0] == 0 else -biases, converged=True)
    if present.size == 1:
        biases[present] = 0.0
        return Solution(weights, biases, converged=True)
    inner = fit_linear(rows.of_classes(present), settings)
    two = present.size == 2
    weights[:, present] = np.column_stack([-inner.weights, inner.weights]) if two else inner.weights
    biases[present] = np.concatenate([-inner.intercept, inner.intercept]) if two else inner.intercept
    return Solution(weights, biases, converged=inner.converged)
