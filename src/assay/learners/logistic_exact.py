"""Which exact solver suits a logistic regression, and its call."""

from __future__ import annotations

from typing import Any

from assay import _native
from assay.learners.solution import LinearProblem, Solution

__all__ = ["solve_exactly"]

# Passes after which coordinate descent hands over to the Newton method, which a large C does not slow.
PATIENCE = 60


def solve_exactly(
    problem: LinearProblem,
    *,
    solver: str,
    multinomial: bool,
    l1_ratio: float,
    penalised: bool,
    intercept_scale: float,
    start: Solution | None,
) -> Solution:
    """Minimise the regularised loss; `solver` is "dual", "newton", "coordinate", or "auto" for a choice by shape."""
    if l1_ratio > 0 or (solver == "coordinate" and penalised):
        solution = _solve_sparse(problem, multinomial, l1_ratio, intercept_scale, start)
    else:
        solution = _solve_smooth(problem, solver, multinomial, penalised, intercept_scale, start)
    if multinomial and intercept_scale == 0:
        # The same number added to all free intercepts changes no probability: of all optima take the one of mean 0.
        solution.intercept -= solution.intercept.mean()
    return solution


def _solve_sparse(
    problem: LinearProblem, multinomial: bool, l1_ratio: float, intercept_scale: float, start: Solution | None
) -> Solution:
    begin = start or problem.start(_vectors(problem, multinomial))
    return _solve_primal(problem, _native.train_sparse, _loss(multinomial), l1_ratio, intercept_scale, begin)


def _solve_smooth(
    problem: LinearProblem,
    solver: str,
    multinomial: bool,
    penalised: bool,
    intercept_scale: float,
    start: Solution | None,
) -> Solution:
    enough = False
    if penalised and (solver == "dual" or (solver == "auto" and problem.suits_dual and start is None)):
        start = _solve_dual(problem, multinomial, intercept_scale)
        enough = start.converged
        # The last digits, which coordinate descent is slow to find, cost a Newton method nothing in a small problem.
        polish = solver == "dual" and problem.is_small
        if (enough and not polish) or problem.max_iterations <= PATIENCE:
            return start
    begin = start or problem.start(_vectors(problem, multinomial))
    penalty = 1.0 if penalised else 0.0
    solution = _solve_primal(problem, _native.train_newton, _loss(multinomial), penalty, intercept_scale, begin)
    solution.converged |= enough
    return solution


def _vectors(problem: LinearProblem, multinomial: bool) -> int:
    return problem.n_classes if multinomial else problem.n_problems


def _loss(multinomial: bool) -> str:
    return "multinomial" if multinomial else "logistic"


def _solve_dual(problem: LinearProblem, multinomial: bool, intercept_scale: float) -> Solution:
    solution = problem.room(_vectors(problem, multinomial))
    report = _native.train_logistic_dual(
        *problem.matrix,
        problem.label_weight,
        first_label=problem.first_label,
        multinomial=multinomial,
        intercept_scale=intercept_scale,
        in_double=problem.in_double,
        tolerance=problem.tolerance,
        max_iterations=min(problem.max_iterations, PATIENCE),
        seed=problem.seed,
        n_threads=problem.n_threads,
        coefficients=solution.weights.reshape(-1),
        intercept=solution.intercept,
    )
    return solution.record(report)


def _solve_primal(
    problem: LinearProblem, train: Any, loss: Any, penalty: float, intercept_scale: float, start: Solution
) -> Solution:
    earlier = int(start.iterations.max(initial=0))
    report = train(
        *problem.matrix,
        problem.label_weight,
        first_label=problem.first_label,
        loss=loss,
        penalty=penalty,
        intercept_scale=intercept_scale,
        tolerance=problem.newton_tolerance if train is _native.train_newton else problem.tolerance,
        max_iterations=problem.max_iterations - earlier,
        n_threads=problem.n_threads,
        coefficients=start.weights.reshape(-1),
        intercept=start.intercept,
    )
    return start.record(report, earlier)
