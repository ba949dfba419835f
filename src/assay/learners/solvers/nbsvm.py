"""NBSVM: features scaled by their log-count ratios, and a linear classifier on them, in one native call."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from assay import _native
from assay.learners.solvers.class_counts import ClassCounts
from assay.learners.solvers.each_label import fit_in_blocks, fit_varying_labels
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.problem import LinearProblem
from assay.learners.solvers.solution import Solution
from assay.memory_room import require_room_for_weights

__all__ = ["NbsvmSettings", "fit_nbsvm"]

# Weights of classes that are solved at a time, where all of them would be too many; and classes at least, which are as
# many as fill the lanes of two threads.
MOST_AT_A_TIME = 1 << 25
FEWEST_AT_A_TIME = 32


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


def fit_nbsvm(rows: LabelledRows, settings: NbsvmSettings, dtype: Any = np.float64) -> Solution:
    """Count the rows that have each feature, and solve for each class against the rest.

    The solver's weights are in double. Where those that are asked for are not, classes that are many are solved some at
    a time, so that no table of all of them in double is ever there; that changes no bit.
    """
    if not rows.have_sets:
        return _fit(rows, settings, dtype)

    def fit(some: LabelledRows, _: Any) -> Solution:
        return fit_in_blocks(some, lambda block: _fit(block, settings, np.float64), dtype)

    solution = fit_varying_labels(rows, fit)
    if solution.counts is None or len(solution.counts.begin) < rows.n_classes + 2:  # of the labels that were learned
        solution.counts = rows.counted(_Presence(rows.X))
    return solution


def _fit(rows: LabelledRows, settings: NbsvmSettings, dtype: Any) -> Solution:
    counts = rows.counted(_Presence(rows.X))
    problem = rows.problem(settings.C, settings.tolerance, settings.max_iterations, against_rest=True)
    beside = 16 if problem.in_double else 8  # of the solver: a weight and the square of a ratio
    most = problem.n_problems
    if np.dtype(dtype) != np.float64:
        most = min(most, max(FEWEST_AT_A_TIME, MOST_AT_A_TIME // max(problem.n_features, 1)))
    require_room_for_weights(problem.n_features, most, 8 + beside)
    if most == problem.n_problems:
        return _solve(rows, problem, settings, counts, 0, most)
    require_room_for_weights(problem.n_features, problem.n_problems, np.dtype(dtype).itemsize)
    weights = np.empty((problem.n_features, problem.n_problems), dtype)
    found = []
    problem.shared = problem.shared or _native.FoldedForms()
    ends = np.linspace(0, problem.n_problems, -(-problem.n_problems // most) + 1).astype(int).tolist()
    for first, last in pairwise(ends):
        some = _solve(rows, problem, settings, counts, first, last)
        weights[:, first:last] = some.weights
        some.weights = weights[:0]
        found.append(some)
    solution = Solution(weights, np.concatenate([some.intercept for some in found]), counts=counts)
    for name in ("objective", "gap", "iterations", "solved"):
        setattr(solution, name, np.concatenate([getattr(some, name) for some in found]))
    solution.converged = all(some.converged for some in found)
    return solution


def _solve(
    rows: LabelledRows, problem: LinearProblem, settings: NbsvmSettings, counts: ClassCounts, first: int, last: int
) -> Solution:
    """The problems of some classes, with weights in double; the solver begins with the first class that it is given."""
    if first:
        problem = replace(problem, labels=(problem.labels - np.int32(first)) % np.int32(rows.n_classes))
        counts = counts.turned(first)
    solution = Solution(np.empty((problem.n_features, last - first)), np.zeros(last - first), counts=counts)
    label_weight = problem.label_weight[first:last]
    report = _native.train_nbsvm(
        *problem.matrix,
        label_weight,
        *counts.arrays,
        np.roll(rows.counted_sizes, -first),
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
