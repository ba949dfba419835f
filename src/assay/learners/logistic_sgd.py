"""Logistic regression by stochastic gradient descent: its settings, the rows held out, and the call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.errors import DataError
from assay.learners.solution import LinearProblem, Solution

__all__ = ["Descent", "solve_stochastically"]


@dataclass(frozen=True, slots=True)
class Descent:
    """What stochastic gradient descent is asked to do."""

    learning_rate: str
    eta0: float
    power_t: float
    batch_size: int  # 0 for all examples
    shuffle: bool
    C: float
    l1_ratio: float
    multinomial: bool
    fit_intercept: bool
    validation_fraction: float  # 0 to watch the gradient
    n_iter_no_change: int


def solve_stochastically(
    problem: LinearProblem, descent: Descent, classes: NDArray[Any], start: Solution | None
) -> Solution:
    """Descend from `start`, or from zero, until the tolerance of the problem is reached."""
    vectors = problem.n_classes if descent.multinomial else problem.n_problems
    solution = start or problem.room(vectors)
    held_out = np.zeros(0, np.int32)
    learn_from = np.arange(problem.n_rows, dtype=np.int32)
    if descent.validation_fraction > 0:
        learn_from, held_out = _hold_out(problem, descent.validation_fraction, classes)
    # The kernel takes mean losses: λ = 1/(C n) for the weights of the loss that are left when C is taken out.
    scale = descent.C if np.isfinite(descent.C) else 1.0
    report = _native.descend_stochastically(
        *problem.matrix[:5],
        problem.cost / scale,
        learn_from,
        held_out,
        rate=descent.learning_rate,
        first_rate=descent.eta0,
        power=descent.power_t,
        batch_size=descent.batch_size,
        shuffle=descent.shuffle,
        penalty=0.0 if np.isinf(descent.C) else 1 / (descent.C * len(learn_from)),
        l1_ratio=descent.l1_ratio,
        multinomial=descent.multinomial,
        has_intercept=descent.fit_intercept,
        tolerance=problem.tolerance,
        patience=descent.n_iter_no_change,
        max_epochs=problem.max_iterations,
        seed=problem.seed,
        warm=start is not None,
        n_threads=problem.n_threads,
        in_double=problem.in_double,
        coefficients=solution.weights.reshape(-1),
        intercept=solution.intercept,
    )
    solution.objective = np.array([report["objective"] * scale * len(learn_from)])
    solution.gap = np.array([np.nan])
    solution.iterations = np.array([report["epochs"]], np.int32)
    solution.converged = bool(report["converged"])
    solution.course = report["course"]
    return solution


def _hold_out(
    problem: LinearProblem, fraction: float, classes: NDArray[Any]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Take the same fraction of every class, at least one example and not all of them."""
    random = np.random.default_rng(problem.seed)
    held = np.zeros(problem.n_rows, bool)
    for label in range(problem.n_classes):
        rows = np.flatnonzero(problem.labels == label)
        if len(rows) < 2:
            raise DataError(
                f"The class {classes.tolist()[label]!r} has {len(rows)} example: none of it can be held out. Add "
                "examples, leave the class out, or set early_stopping=False."
            )
        count = min(len(rows) - 1, max(1, round(fraction * len(rows))))
        held[random.choice(rows, count, replace=False)] = True
    everything = np.arange(problem.n_rows, dtype=np.int32)
    return everything[~held], everything[held]
