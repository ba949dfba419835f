"""Support vector machines: which solver suits one, and its call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.errors import ParameterError
from assay.learners.solvers.each_label import fit_varying_labels, solve_in_blocks
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.problem import LinearProblem
from assay.learners.solvers.solution import Solution, one_output

__all__ = ["SvmSettings", "fit_svm"]

# Work, in passes over all values, after which a class of a smooth problem goes on by the Newton method, which a large C
# does not slow; and what it may still need, as its first passes tell, before it does so at once.
PATIENCE = 30
USUAL_ITERATIONS = 1000


@dataclass(frozen=True, slots=True)
class SvmSettings:
    """Settings of a support vector machine; `LinearSVC` explains them."""

    C: float = 1.0
    penalty: Literal["l1", "l2"] = "l2"
    loss: Literal["hinge", "squared_hinge"] = "squared_hinge"
    dual: bool | Literal["auto"] = "auto"
    joint: bool = False  # all classes in one problem, as Crammer & Singer have it
    intercept_scale: float = 1.0  # of the constant feature, 0 for none
    tolerance: float = 1e-4
    max_iterations: int = USUAL_ITERATIONS
    prune: float | None = None  # weights nearer to 0 than this are dropped, and the others listed


def fit_svm(rows: LabelledRows, settings: SvmSettings) -> Solution:
    """Minimise the penalty and the hinge losses."""
    if rows.have_sets:
        return fit_varying_labels(rows, lambda some, _: _fit_each(some, settings))
    problem = rows.problem(settings.C, settings.tolerance, settings.max_iterations, against_rest=not settings.joint)
    if settings.joint:
        return _solve_jointly(problem, settings.intercept_scale).pruned(settings.prune)
    return _solve(problem, settings).pruned(settings.prune)


def _fit_each(rows: LabelledRows, settings: SvmSettings) -> Solution:
    if settings.joint:
        raise ParameterError(
            "The support vector machine of Crammer and Singer chooses one of all labels, and cannot learn label sets. "
            "Use multi_class='ovr', which learns each label on its own."
        )
    problem = rows.problem(settings.C, settings.tolerance, settings.max_iterations)
    return solve_in_blocks(problem, lambda part, _: _solve(part, settings), settings.prune)


def _solve(problem: LinearProblem, settings: SvmSettings) -> Solution:
    scale = settings.intercept_scale
    if settings.penalty == "l1":
        return _solve_primal(problem, _native.train_sparse, scale)
    if settings.loss == "hinge":
        return _solve_dual(problem, scale, squared=False)
    if settings.dual is False or (settings.dual == "auto" and not problem.suits_dual):
        return _solve_primal(problem, _native.train_newton, scale)
    solution = _solve_dual(problem, scale, squared=True)
    if settings.dual is True and solution.converged and problem.is_tiny:
        # The last digits, which coordinate descent is slow to find, cost a Newton method nothing here.
        solution = _solve_primal(problem, _native.train_newton, scale, solution)
        solution.converged = True
    return solution


def _solve_dual(problem: LinearProblem, scale: float, *, squared: bool) -> Solution:
    solution = problem.room(problem.n_problems)
    support = np.zeros(problem.n_rows, np.uint8)
    report = _native.train_linear_svm(
        *problem.matrix,
        problem.label_weight,
        first_label=problem.first_label,
        squared=squared,
        intercept_scale=scale,
        in_double=problem.in_double,
        tolerance=problem.tolerance,
        max_iterations=problem.max_iterations,
        patience=PATIENCE if squared else np.inf,
        seed=problem.seed,
        n_threads=problem.n_threads,
        coefficients=solution.weights.reshape(-1),
        intercept=solution.intercept,
        support=support,
        folded=problem.shared,
        label_offsets=problem.label_offsets,
    )
    solution.record(report)
    solution.support = problem.rows_where(support)
    tired = squared and not solution.converged and solution.iterations.max() < problem.max_iterations
    return _solve_primal(problem, _native.train_newton, scale, solution) if tired else solution


def _solve_jointly(problem: LinearProblem, scale: float) -> Solution:
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
    solution.support = problem.rows_where(support)
    if problem.n_classes == 2:
        solution.weights, solution.intercept = one_output(solution.weights, solution.intercept)
    return solution.record(report)


def _solve_primal(problem: LinearProblem, train: Any, scale: float, start: Solution | None = None) -> Solution:
    """Squared hinge by a primal solver; an example is a support vector where its margin is below 1."""
    solution = start or problem.start(problem.n_problems)
    earlier = int(solution.iterations.max()) if start else 0
    solved = solution.left_out(tiny=problem.is_tiny)
    report = train(
        *problem.matrix,
        problem.label_weight,
        first_label=problem.first_label,
        loss="squared_hinge",
        penalty=1.0,
        intercept_scale=scale if scale > 0 else -1.0,
        tolerance=problem.newton_tolerance if train is _native.train_newton else problem.tolerance,
        max_iterations=problem.max_iterations - earlier,
        patience=problem.newton_patience(earlier, USUAL_ITERATIONS),
        n_threads=problem.n_threads,
        coefficients=solution.weights.reshape(-1),
        intercept=solution.intercept,
        solved=solved,
        in_double=problem.in_double,
        folded=problem.shared,
        label_offsets=problem.label_offsets,
    )
    solution.support = problem.rows_where(_inside_margin(problem, solution))
    solution.record(report, earlier, solved).accept(problem.tolerance)
    return solution


def _inside_margin(problem: LinearProblem, solution: Solution) -> NDArray[np.bool_]:
    from scipy.sparse import csr_array

    shape = (problem.n_rows, problem.n_features)
    scores = csr_array((problem.data, problem.indices, problem.indptr), shape=shape) @ solution.weights
    margins = np.where(problem.is_positive, 1, -1) * (scores + solution.intercept)
    inside: NDArray[np.bool_] = (margins < 1).any(axis=1)
    return inside
