"""What a solver found: weights, biases and what was reached with them, as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.label_tree import UNREACHED, LabelTree, TreeSearch

if TYPE_CHECKING:
    from assay._native import SolverReport
    from assay.learners.solvers.class_counts import ClassCounts
    from assay.learners.solvers.learned_state import LearnedState

__all__ = ["Solution", "one_output", "tree_search"]

Floats = NDArray[np.float64]


@dataclass(slots=True)
class Solution:
    """Weights [feature][output] and what was reached with them.

    There is an output for each class; two classes share one, which speaks for the second and against the first. Classes
    of which a row may have several have one each.
    """

    weights: Any  # an array, or listed by feature (CSR) once it is pruned
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
    state: LearnedState | None = None  # what more rows of single labels can be added to
    of_sets: bool = False  # whether each output speaks for a label of its own, also where there are one or two
    tree: LabelTree | None = None  # whose nodes the outputs are, where they are not labels

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
    def coef(self) -> Any:
        """Weights as (n_outputs, n_features), in Fortran order and without a copy; CSC where they are pruned."""
        return self.weights.T

    def accept(self, tolerance: float) -> None:
        """Count as converged what is as near to its optimum as was asked for, though a solver was to go nearer."""
        self.solved = (self.solved != 0) | (self.gap <= tolerance * self.objective)
        self.converged = bool(self.solved.all())

    def passes_over(self, X: Any) -> float:
        """How often the solver has read the rows of `X`, by the values that it counted: the mean over the problems."""
        if not self.work.size:
            return float(self.iterations.mean()) if self.iterations.size else 0.0
        stored = X.nnz if hasattr(X, "nnz") else X.size
        return float(self.work.mean() / (stored + X.shape[0]))

    @property
    def reached(self) -> float:
        """How far the objective may be above its optimum, as a part of it."""
        return float((self.gap / np.maximum(self.objective, 1e-300)).max())

    def scores(self, X: Any) -> Floats:
        """One column a class; of two classes the first has the opposite of the second."""
        if self.tree is not None:
            return (
                tree_search(self.tree, self.weights, self.intercept)
                .reached((X.indptr, X.indices, X.data), 1)
                .table(UNREACHED)
            )
        product = X @ self.weights
        product = product.toarray() if hasattr(product, "toarray") else product
        found = np.asarray(product, dtype=np.float64) + self.intercept
        two = found.shape[1] == 1 and not self.of_sets
        return np.column_stack([-found[:, 0], found[:, 0]]) if two else found

    def pruned(self, least: float | None) -> Solution:
        """The same without weights nearer to 0 than `least`, listed by feature; as it is where that is None.

        Examples
        --------
        >>> found = Solution(np.array([[0.5, 0.001], [-0.002, 1.0]]), np.zeros(2)).pruned(0.01)
        >>> found.weights.nnz, found.weights.toarray().tolist()
        (2, [[0.5, 0.0], [0.0, 1.0]])
        """
        if least is None:
            return self
        from scipy.sparse import csr_array

        kept = np.abs(self.weights) >= max(least, np.finfo(np.float64).tiny)
        begin = np.concatenate([[0], np.cumsum(kept.sum(axis=1))])
        listed = self.weights[kept], np.nonzero(kept)[1].astype(np.int32), begin
        self.weights = csr_array(listed, shape=self.weights.shape)
        return self


def one_output(weights: NDArray[Any], intercept: Floats) -> tuple[NDArray[Any], Floats]:
    """The weights and biases of two classes as those of one output: what speaks for the second and against the first.

    Examples
    --------
    >>> one_output(np.array([[1.0, 3.0]]), np.array([0.5, 0.0]))
    (array([[2.]]), array([-0.5]))
    """
    with np.errstate(invalid="ignore"):  # what is impossible in both classes
        return weights[:, 1:] - weights[:, :1], intercept[1:] - intercept[:1]


def tree_search(tree: LabelTree, weights: Any, intercept: Floats) -> TreeSearch:
    """The search of a tree whose weights are listed by feature (CSR)."""
    listed = weights.indptr.astype(np.int64, copy=False), weights.indices.astype(np.int32, copy=False), weights.data
    return TreeSearch(tree, listed, intercept)
