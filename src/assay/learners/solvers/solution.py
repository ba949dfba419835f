"""What a solver found: weights, biases and what was reached with them, as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from assay._native import SolverReport
    from assay.learners.solvers.class_counts import ClassCounts

__all__ = ["Solution", "one_output"]

Floats = NDArray[np.float64]


@dataclass(slots=True)
class Solution:
    """Weights [feature][output] and what was reached with them.

    There is an output for each class; two classes share one, which speaks for the second and against the first.
    """

    weights: NDArray[Any]
    intercept: Floats
    objective: Floats = field(default_factory=lambda: np.zeros(0))
    gap: Floats = field(default_factory=lambda: np.zeros(0))
    iterations: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    work: Floats = field(default_factory=lambda: np.zeros(0))  # stored values read for each problem, and rows
    solved: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))  # 1 for problems that converged
    converged: bool = False  # whether all of them did
    support: NDArray[np.intp] | None = None  # support vector machines: which rows count
    course: Floats | None = None  # stochastic descent: what was watched, after each epoch
    counts: ClassCounts | None = None  # NBSVM: what the ratios were made of

    def record(self, report: SolverReport, earlier: int = 0, solved: NDArray[np.uint8] | None = None) -> Solution:
        """Take over what a solver reports, after `earlier` iterations of another one, which had `solved` some."""
        self.work = self.work + report["work"] if self.work.size else report["work"]
        if solved is None:
            self.objective, self.gap = report["objective"], report["gap"]
            self.iterations = report["iterations"] + np.int32(earlier)
            self.solved = report["converged"]
        else:
            self.objective = np.where(solved, self.objective, report["objective"])
            self.gap = np.where(solved, self.gap, report["gap"])
            self.iterations = np.where(solved, self.iterations, report["iterations"] + np.int32(earlier))
            self.solved = solved | report["converged"]
        self.converged = bool(self.solved.all())
        return self

    def left_out(self, *, tiny: bool) -> NDArray[np.uint8] | None:
        """The problems that the next solver need not go on with: those that are solved, unless all are, or are tiny."""
        return None if tiny or self.converged or not self.solved.any() else self.solved

    @property
    def coef(self) -> NDArray[Any]:
        """Weights as (n_outputs, n_features), in Fortran order and without a copy."""
        return self.weights.T

    @property
    def reached(self) -> float:
        """How far the objective may be above its optimum, as a part of it."""
        return float((self.gap / np.maximum(self.objective, 1e-300)).max())

    def scores(self, X: Any) -> Floats:
        """One column a class; of two classes the first has the opposite of the second."""
        found = np.asarray(X @ self.weights, dtype=np.float64) + self.intercept
        return np.column_stack([-found[:, 0], found[:, 0]]) if found.shape[1] == 1 else found


def one_output(weights: NDArray[Any], intercept: Floats) -> tuple[NDArray[Any], Floats]:
    """The weights and biases of two classes as those of one output: what speaks for the second and against the first.

    Examples
    --------
    >>> one_output(np.array([[1.0, 3.0]]), np.array([0.5, 0.0]))
    (array([[2.]]), array([-0.5]))
    """
    with np.errstate(invalid="ignore"):  # what is impossible in both classes
        return weights[:, 1:] - weights[:, :1], intercept[1:] - intercept[:1]
