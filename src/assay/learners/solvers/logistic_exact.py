"""Which exact solver suits a logistic regression, and its call."""

from __future__ import annotations

from typing import Any

from assay import _native
from assay.learners.solvers.logistic_settings import USUAL_ITERATIONS, LogisticSettings
from assay.learners.solvers.problem import LinearProblem
from assay.learners.solvers.solution import Solution

__all__ = ["solve_exactly"]

# Passes after which coordinate descent hands over to the Newton method, which a large C does not slow; and those that
# it may still need, as its first ones tell, before it does so at once (each class against the rest).
PATIENCE = 60


def solve_exactly(problem: LinearProblem, settings: LogisticSettings, start: Solution | None) -> Solution:
    """Minimise the regularised loss."""
    if settings.l1_ratio > 0 or (settings.solver == "coordinate" and settings.penalised):
        begin = start or problem.start(_vectors(problem, settings))
        solution = _solve_primal(problem, settings, _native.train_sparse, settings.l1_ratio, begin)
    else:
        solution = _solve_smooth(problem, settings, start)
    if settings.is_multinomial(problem.n_classes) and settings.intercept_scale == 0:
        # The same number added to all free intercepts changes no probability: of all optima take the one of mean 0.
        solution.intercept -= solution.intercept.mean()
    return solution


def _solve_smooth(problem: LinearProblem, settings: LogisticSettings, start: Solution | None) -> Solution:
    enough = False
    dual = settings.solver == "dual" or (settings.solver == "auto" and problem.suits_dual and start is None)
    if settings.penalised and dual:
        start = _solve_dual(problem, settings)
        enough = start.converged
        # The last digits, which coordinate descent is slow to find, cost a Newton method nothing in a tiny problem.
        polish = settings.solver == "dual" and problem.is_tiny
        if (enough and not polish) or start.iterations.max() >= problem.max_iterations:
            return start
    begin = start or problem.start(_vectors(problem, settings))
    solution = _solve_primal(problem, settings, _native.train_newton, float(settings.penalised), begin)
    solution.converged |= enough
    return solution


def _vectors(problem: LinearProblem, settings: LogisticSettings) -> int:
    return problem.n_classes if settings.is_multinomial(problem.n_classes) else problem.n_problems


def _solve_dual(problem: LinearProblem, settings: LogisticSettings) -> Solution:
    solution = problem.room(_vectors(problem, settings))
    report = _native.train_logistic_dual(
        *problem.matrix,
        problem.label_weight,
        first_label=problem.first_label,
        multinomial=settings.is_multinomial(problem.n_classes),
        intercept_scale=settings.intercept_scale,
        in_double=problem.in_double,
        tolerance=problem.tolerance,
        max_iterations=min(problem.max_iterations, PATIENCE),
        patience=PATIENCE,
        seed=problem.seed,
        n_threads=problem.n_threads,
        coefficients=solution.weights.reshape(-1),
        intercept=solution.intercept,
        folded=problem.shared,
        label_offsets=problem.label_offsets,
    )
    return solution.record(report)


def _solve_primal(
    problem: LinearProblem, settings: LogisticSettings, train: Any, penalty: float, start: Solution
) -> Solution:
    earlier = int(start.iterations.max(initial=0))
    solved = start.left_out(tiny=problem.is_tiny)
    report = train(
        *problem.matrix,
        problem.label_weight,
        first_label=problem.first_label,
        loss="multinomial" if settings.is_multinomial(problem.n_classes) else "logistic",
        penalty=penalty,
        intercept_scale=settings.intercept_scale,
        tolerance=problem.newton_tolerance if train is _native.train_newton else problem.tolerance,
        max_iterations=problem.max_iterations - earlier,
        patience=problem.newton_patience(earlier, USUAL_ITERATIONS),
        n_threads=problem.n_threads,
        coefficients=start.weights.reshape(-1),
        intercept=start.intercept,
        solved=solved,
        in_double=problem.in_double,
        folded=problem.shared,
        label_offsets=problem.label_offsets,
    )
    start.record(report, earlier, solved).accept(problem.tolerance)
    return start
