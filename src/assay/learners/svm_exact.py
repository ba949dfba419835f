"""Which solver suits a support vector machine, and its call; nothing here needs scikit-learn."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.learners.solution import LinearProblem, Solution

__all__ = ["solve_svm"]

# Passes after which coordinate descent hands a smooth problem to the Newton method, which large C does not slow.
PATIENCE = 100


def solve_svm(
    problem: LinearProblem,
    *,
    penalty: Literal["l1", "l2"] = "l2",
    loss: Literal["hinge", "squared_hinge"] = "squared_hinge",
    dual: bool | Literal["auto"] = "auto",
    multi_class: Literal["ovr", "crammer_singer"] = "ovr",
    intercept_scale: float = 1.0,
) -> Solution:
    """Minimise the penalty and the hinge losses; `intercept_scale` is the constant feature, 0 for none."""
    if multi_class == "crammer_singer":
        return _solve_crammer_singer(problem, intercept_scale)
    if penalty == "l1":
        return _solve_primal(problem, _native.train_sparse, 1.0, intercept_scale)
    if loss == "hinge":
        return _solve_dual(problem, intercept_scale, squared=False)
    if dual is False or (dual == "auto" and not problem.suits_dual):
        return _solve_primal(problem, _native.train_newton, 1.0, intercept_scale)
    solution = _solve_dual(problem, intercept_scale, squared=True)
    if dual is True and solution.converged and problem.is_small:
        # The last digits, which coordinate descent is slow to find, cost a Newton method nothing here.
        solution = _solve_primal(problem, _native.train_newton, 1.0, intercept_scale, solution)
        solution.converged = True
    return solution


def _solve_dual(problem: LinearProblem, scale: float, *, squared: bool) -> Solution:
    solution = problem.room(problem.n_problems)
    support = np.zeros(problem.n_rows, np.uint8)
    patience = min(problem.max_iterations, PATIENCE) if squared else problem.max_iterations
    report = _native.train_linear_svm(
        *problem.matrix,
        problem.label_weight,
        first_label=problem.first_label,
        squared=squared,
        intercept_scale=scale,
        in_double=problem.in_double,
        tolerance=problem.tolerance,
        max_iterations=patience,
        seed=problem.seed,
        n_threads=problem.n_threads,
        coefficients=solution.weights.reshape(-1),
        intercept=solution.intercept,
        support=support,
    )
    solution.record(report)
    solution.support = support.view(np.bool_)
    if solution.converged or patience == problem.max_iterations:
        return solution
    return _solve_primal(problem, _native.train_newton, 1.0, scale, solution)


def _solve_crammer_singer(problem: LinearProblem, scale: float) -> Solution:
    solution = problem.room(problem.n_classes)
    support = np.zeros(problem.n_rows, np.uint8)
    report = _native.train_crammer_singer(
        *problem.matrix,
        intercept_scale=scale,
        in_double=problem.in_double,
        tolerance=problem.tolerance,
        max_iterations=problem.max_iterations,
        seed=problem.seed,
        n_threads=problem.n_threads,
        coefficients=solution.weights.reshape(-1),
        intercept=solution.intercept,
        support=support,
    )
    solution.support = support.view(np.bool_)
    return solution.record(report)


def _solve_primal(
    problem: LinearProblem, train: Any, penalty: float, scale: float, start: Solution | None = None
) -> Solution:
    """Squared hinge by a primal solver; an example is a support vector where its margin is below 1."""
    solution = start or problem.start(problem.n_problems)
    earlier = int(solution.iterations.max()) if start else 0
    report = train(
        *problem.matrix,
        problem.label_weight,
        first_label=problem.first_label,
        loss="squared_hinge",
        penalty=penalty,
        intercept_scale=scale if scale > 0 else -1.0,
        tolerance=problem.newton_tolerance if train is _native.train_newton else problem.tolerance,
        max_iterations=problem.max_iterations - earlier,
        n_threads=problem.n_threads,
        coefficients=solution.weights.reshape(-1),
        intercept=solution.intercept,
    )
    solution.support = _inside_margin(problem, solution)
    return solution.record(report, earlier)


def _inside_margin(problem: LinearProblem, solution: Solution) -> NDArray[np.bool_]:
    from scipy.sparse import csr_array

    shape = (problem.n_rows, problem.n_features)
    scores = csr_array((problem.data, problem.indices, problem.indptr), shape=shape) @ solution.weights
    positive = problem.labels[:, None] == np.arange(problem.n_problems) + problem.first_label
    margins = np.where(positive, 1, -1) * (scores + solution.intercept)
    inside: NDArray[np.bool_] = (margins < 1).any(axis=1)
    return inside
