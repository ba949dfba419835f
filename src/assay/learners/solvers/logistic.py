"""Logistic regression from rows, solved exactly or by stochastic descent."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.learners.solvers.each_label import fit_varying_labels, solve_in_blocks
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.logistic_exact import solve_exactly
from assay.learners.solvers.logistic_settings import LogisticSettings
from assay.learners.solvers.logistic_sgd import solve_stochastically
from assay.learners.solvers.problem import LinearProblem
from assay.learners.solvers.solution import Solution

__all__ = ["fit_logistic"]


def fit_logistic(rows: LabelledRows, settings: LogisticSettings, start: Solution | None = None) -> Solution:
    """Minimise the penalty and the logistic losses, from the weights of `start` where the solver can."""
    if rows.have_sets:
        return fit_varying_labels(rows, lambda some, learned: _fit_each(some, settings, _columns(start, learned)))
    problem = rows.problem(settings.loss_weight, settings.tolerance, settings.max_iterations)
    return _solve(problem, settings, rows.names, start).pruned(settings.prune)


def _fit_each(rows: LabelledRows, settings: LogisticSettings, start: Solution | None) -> Solution:
    """Independent probabilities, each label on its own."""
    settings = replace(settings, joint=False)
    problem = rows.problem(settings.loss_weight, settings.tolerance, settings.max_iterations)
    if settings.descent is None:
        return solve_in_blocks(problem, partial(_exactly, settings), settings.prune, start)
    if rows.class_weight is not None:
        raise ParameterError(
            "Stochastic descent takes all labels of a row in one step, and cannot weigh label sets by class_weight. "
            "Use another solver, such as solver='auto', or class_weight=None."
        )
    return _solve(problem, settings, rows.names, start).pruned(settings.prune)


def _exactly(settings: LogisticSettings, problem: LinearProblem, start: Solution | None) -> Solution:
    return solve_exactly(problem, settings, start)


def _solve(problem: LinearProblem, settings: LogisticSettings, labels: list[Any], start: Solution | None) -> Solution:
    if settings.descent is not None:
        return solve_stochastically(problem, settings, settings.descent, labels, start)
    return solve_exactly(problem, settings, start)


def _columns(start: Solution | None, learned: NDArray[np.intp]) -> Solution | None:
    if start is None:
        return None
    return Solution(np.ascontiguousarray(start.weights[:, learned]), start.intercept[learned])
