"""NBSVM: features scaled by their log-count ratios, and a linear classifier on them, in one native call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay import _native
from assay.learners.solvers.each_label import fit_varying_labels
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.solution import Solution
from assay.memory_room import require_room_for_weights

__all__ = ["NbsvmSettings", "fit_nbsvm"]


@dataclass(frozen=True, slots=True)
class NbsvmSettings:
    """Settings of NBSVM; `NBSVM` explains them."""

    C: float = 1.0
    alpha: float = 1.0
    beta: float = 0.25
    logistic: bool = False
    fit_intercept: bool = True
    tolerance: float = 1e-4
    max_iterations: int = 1000


def fit_nbsvm(rows: LabelledRows, settings: NbsvmSettings) -> Solution:
    """Count the rows that have each feature, and solve for each class against the rest; the weights are in double."""
    if not rows.have_sets:
        return _fit(rows, settings)
    solution = fit_varying_labels(rows, lambda some, _: _fit(some, settings))
    if solution.counts is None or len(solution.counts.begin) < rows.n_classes + 2:  # of the labels that were learned
        solution.counts = rows.counted(_Presence(rows.X))
    return solution


def _fit(rows: LabelledRows, settings: NbsvmSettings) -> Solution:
    counts = rows.counted(_Presence(rows.X))
    problem = rows.problem(settings.C, settings.tolerance, settings.max_iterations, against_rest=True)
    beside = 16 if problem.in_double else 8  # of the solver: a weight and the square of a ratio
    require_room_for_weights(problem.n_features, problem.n_problems, 8 + beside)
    solution = Solution(np.empty((problem.n_features, problem.n_problems)), np.zeros(problem.n_problems), counts=counts)
    report = _native.train_nbsvm(
        *problem.matrix,
        problem.label_weight,
        *counts.arrays,
        rows.counted_sizes,
        first_label=problem.first_label,
        logistic=settings.logistic,
        alpha=settings.alpha,
        beta=settings.beta,
        fit_intercept=settings.fit_intercept,
        in_double=problem.in_double,
        tolerance=problem.tolerance,
        newton_tolerance=problem.newton_tolerance,
        max_iterations=problem.max_iterations,
        seed=problem.seed,
        n_threads=problem.n_threads,
        coefficients=solution.weights,
        intercept=solution.intercept,
        folded=problem.shared,
        label_offsets=problem.label_offsets,
    )
    return solution.record(report)


class _Presence:
    """A matrix in compressed rows with a 1 wherever another is above 0."""

    def __init__(self, X: Any) -> None:
        self.shape, self.indptr, self.indices = X.shape, X.indptr, X.indices
        self.data = (X.data > 0).astype(np.float32)
