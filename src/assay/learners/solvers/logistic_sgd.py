"""Logistic regression by stochastic gradient descent: the rows held out, and the call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.errors import DataError
from assay.learners.solvers.logistic_settings import Descent, LogisticSettings
from assay.learners.solvers.problem import LinearProblem
from assay.learners.solvers.solution import Solution

__all__ = ["solve_stochastically"]


def solve_stochastically(
    problem: LinearProblem,
    settings: LogisticSettings,
    descent: Descent,
    labels: Sequence[Any],
    start: Solution | None,
) -> Solution:
    """Descend from `start`, or from zero, until the tolerance of the problem is reached."""
    multinomial = settings.is_multinomial(problem.n_classes)
    solution = start or problem.room(problem.n_classes if multinomial else problem.n_problems)
    held_out = np.zeros(0, np.int32)
    learn_from = np.arange(problem.n_rows, dtype=np.int32)
    if descent.validation_fraction > 0:
        learn_from, held_out = _hold_out(problem, descent.validation_fraction, labels)
    # The kernel takes mean losses: λ = 1/(C n) for the weights of the loss that are left when C is taken out.
    report = _native.descend_stochastically(
        *problem.matrix[:5],
        problem.cost / settings.loss_weight,
        learn_from,
        held_out,
        rate=descent.learning_rate,
        first_rate=descent.eta0,
        power=descent.power_t,
        batch_size=descent.batch_size,
        shuffle=descent.shuffle,
        penalty=1 / (settings.C * len(learn_from)),
        l1_ratio=settings.l1_ratio,
        multinomial=multinomial,
        has_intercept=settings.intercept_scale >= 0,
        tolerance=problem.tolerance,
        patience=descent.n_iter_no_change,
        max_epochs=problem.max_iterations,
        seed=problem.seed,
        warm=start is not None,
        n_threads=problem.n_threads,
        in_double=problem.in_double,
        coefficients=solution.weights.reshape(-1),
        intercept=solution.intercept,
        label_offsets=problem.label_offsets,
    )
    solution.objective = np.array([report["objective"] * settings.loss_weight * len(learn_from)])
    solution.gap = np.array([np.nan])
    solution.iterations = np.array([report["epochs"]], np.int32)
    solution.converged = bool(report["converged"])
    solution.course = report["course"]
    return solution


def _hold_out(
    problem: LinearProblem, fraction: float, labels: Sequence[Any]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Take the same fraction of every class, at least one example and not all of them; of sets, of all examples."""
    random = np.random.default_rng(problem.seed)
    held = np.zeros(problem.n_rows, bool)
    if problem.label_offsets is not None:  # sets are many: the same fraction of all rows
        held[random.choice(problem.n_rows, max(1, round(fraction * problem.n_rows)), replace=False)] = True
        labels = ()
    for number, label in enumerate(labels):
        rows = np.flatnonzero(problem.labels == number)
        if len(rows) < 2:
            raise DataError(
                f"The class {label!r} has {len(rows)} example: none of it can be held out. Add examples, leave the "
                "class out, or set early_stopping=False."
            )
        count = min(len(rows) - 1, max(1, round(fraction * len(rows))))
        held[random.choice(rows, count, replace=False)] = True
    everything = np.arange(problem.n_rows, dtype=np.int32)
    return everything[~held], everything[held]
