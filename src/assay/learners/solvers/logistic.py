"""Logistic regression from rows, solved exactly or by stochastic descent."""

from __future__ import annotations

from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.logistic_exact import solve_exactly
from assay.learners.solvers.logistic_settings import LogisticSettings
from assay.learners.solvers.logistic_sgd import solve_stochastically
from assay.learners.solvers.solution import Solution

__all__ = ["fit_logistic"]


def fit_logistic(rows: LabelledRows, settings: LogisticSettings, start: Solution | None = None) -> Solution:
    """Minimise the penalty and the logistic losses, from the weights of `start` where the solver can."""
    problem = rows.problem(settings.loss_weight, settings.tolerance, settings.max_iterations)
    if settings.descent is not None:
        return solve_stochastically(problem, settings, settings.descent, rows.names, start)
    return solve_exactly(problem, settings, start)
