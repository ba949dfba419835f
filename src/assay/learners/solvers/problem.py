"""A linear problem in the form of the native solvers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.learners.solvers.solution import Solution
from assay.learners.solvers.targets import Classes, native_targets, take_classes
from assay.memory_room import require_room_for_weights

if TYPE_CHECKING:
    from assay._native import FoldedForms

__all__ = ["LinearProblem", "make_problem"]

# Below this many stored values single precision saves nothing; below this tolerance it cannot follow.
SMALL_MATRIX = 200_000
FINE_TOLERANCE = 1e-6
# A Hessian of fewer features is solved in few steps.
FEW_FEATURES = 128
# With so few values, counted once for each weight vector, even the last digits of the optimum cost nothing.
TINY_PROBLEM = 20_000
EXACT = 1e-20


@dataclass(slots=True)
class LinearProblem:
    """Examples in compressed sparse rows, their class indices and costs, and how hard to try."""

    n_features: int
    indptr: NDArray[Any]
    indices: NDArray[Any]
    data: NDArray[Any]  # float32 or float64, which the coefficients will have too
    labels: NDArray[np.int32]  # of all rows, one after the other
    cost: NDArray[np.float64]  # C · weight of the example, above 0
    n_classes: int
    label_weight: NDArray[np.float64]  # one-vs-rest: factor of the cost for examples of the positive label
    tolerance: float
    max_iterations: int
    seed: int
    n_threads: int
    rows: NDArray[np.intp] | None  # which rows of the user's matrix these are, when some were left out
    shared: FoldedForms | None  # what solvers make of the matrix first, where several learn from it
    label_offsets: NDArray[np.int64] | None = None  # where the set of each row begins in `labels`; None: one a row
    begin: int = 0  # of sets: the label of the first problem; there are as many as there are label weights

    def rows_where(self, marked: NDArray[Any]) -> NDArray[np.intp]:
        """Which rows of the user's matrix the marked examples are."""
        examples = np.flatnonzero(marked)
        return examples if self.rows is None else self.rows[examples]

    @property
    def n_problems(self) -> int:
        """How many weight vectors one-vs-rest learns: one for two classes, unless a row may have both."""
        if self.label_offsets is not None:
            return len(self.label_weight)
        return 1 if self.n_classes == 2 else self.n_classes

    @property
    def first_label(self) -> int:
        """The class that is positive in problem 0."""
        if self.label_offsets is not None:
            return self.begin
        return 1 if self.n_classes == 2 else 0

    def part(self, begin: int, end: int) -> LinearProblem:
        """The problems of some labels of sets only."""
        return replace(self, label_weight=self.label_weight[begin:end], begin=self.begin + begin)

    @property
    def is_positive(self) -> NDArray[np.bool_]:
        """Whether each row is of the class of each problem, (n_rows, n_problems)."""
        if self.label_offsets is None:
            return np.asarray(self.labels[:, None] == np.arange(self.n_problems) + self.first_label)
        table = np.zeros((self.n_rows, self.n_problems), bool)
        rows = np.repeat(np.arange(self.n_rows), np.diff(self.label_offsets))
        here = (self.labels >= self.begin) & (self.labels < self.begin + self.n_problems)
        table[rows[here], self.labels[here] - self.begin] = True
        return table

    @property
    def is_small(self) -> bool:
        """Whether precision costs next to nothing."""
        return len(self.data) < SMALL_MATRIX

    @property
    def in_double(self) -> bool:
        """Whether single precision would save nothing or not reach the tolerance."""
        return self.is_small or 0 < self.tolerance < FINE_TOLERANCE

    @property
    def is_tiny(self) -> bool:
        """Whether even the last digits of the optimum cost nothing."""
        return len(self.data) * self.n_problems < TINY_PROBLEM

    @property
    def suits_dual(self) -> bool:
        """Whether to begin with coordinate descent on one variable a row; what crawls there goes on in the primal."""
        wide = self.n_features > max(500, self.n_rows)
        return wide or (self.n_features >= FEW_FEATURES and not self.is_tiny)

    @property
    def newton_tolerance(self) -> float:
        """Of the Newton method, the last steps of which gain many digits: for little where the problem is tiny."""
        return EXACT if self.is_tiny else self.tolerance

    def newton_patience(self, earlier: int, usual: int) -> float:
        """Passes over all values that a Newton method may take for a class, after `earlier` ones of another solver.

        Where fewer than the `usual` iterations are allowed they are a price, and those of conjugate gradients inside
        the steps of Newton's method count, too.
        """
        has_price = self.max_iterations < usual and not self.is_tiny
        return float(self.max_iterations - earlier) if has_price else np.inf

    @property
    def n_rows(self) -> int:
        """Examples that count."""
        return len(self.cost)

    @property
    def matrix(self) -> tuple[int, NDArray[Any], NDArray[Any], NDArray[Any], NDArray[np.int32], NDArray[np.float64]]:
        """The arguments with which every solver's call begins."""
        return self.n_features, self.indptr, self.indices, self.data, self.labels, self.cost

    def start(self, n_vectors: int) -> Solution:
        """Return a solution of zeros, for a solver to write into."""
        require_room_for_weights(self.n_features, n_vectors, self.data.dtype.itemsize)
        return Solution(np.zeros((self.n_features, n_vectors), self.data.dtype), np.zeros(n_vectors))

    def room(self, n_vectors: int) -> Solution:
        """Return room for a solution that the solver fills whatever is in it."""
        require_room_for_weights(self.n_features, n_vectors, self.data.dtype.itemsize)
        return Solution(np.empty((self.n_features, n_vectors), self.data.dtype), np.zeros(n_vectors))


def make_problem(
    X: Any,
    classes: Classes,
    cost: NDArray[np.float64],
    n_classes: int,
    *,
    label_weight: NDArray[np.float64] | None = None,
    tolerance: float,
    max_iterations: int,
    seed: int,
    n_threads: int,
    shared: FoldedForms | None = None,
) -> LinearProblem:
    """Bring X, dense or sparse, and what belongs to its rows into the form of the solvers.

    Rows of cost zero are left out; `label_weight` is one for each class, and ones when it is not given.
    """
    rows = None
    if not cost.all():
        rows = np.flatnonzero(cost)
        X, classes, cost, shared = X[rows], take_classes(classes, rows), cost[rows], None
    shared = shared if hasattr(X, "indptr") else None  # rows that are made here are others in every problem
    indptr, indices, data = _sparse_rows(X)
    if indptr.dtype != indices.dtype:
        indptr, indices = indptr.astype(np.int64), indices.astype(np.int64)
    labels, label_offsets = native_targets(classes)
    if label_weight is None:
        label_weight = np.ones(1 if n_classes == 2 else n_classes)
    return LinearProblem(
        int(X.shape[1]),
        np.ascontiguousarray(indptr),
        np.ascontiguousarray(indices),
        np.ascontiguousarray(data),
        labels,
        np.ascontiguousarray(cost, dtype=np.float64),
        n_classes,
        label_weight,
        float(tolerance),
        int(max_iterations),
        seed,
        n_threads,
        rows,
        shared,
        label_offsets,
    )


def _sparse_rows(X: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return offsets, columns and values of the rows of X; an array with few zeros keeps them and is not copied."""
    if hasattr(X, "indptr"):
        return X.indptr, X.indices, X.data
    n_rows, n_columns = X.shape
    if 2 * np.count_nonzero(X) < X.size:
        from scipy import sparse

        X = sparse.csr_array(X)
        return X.indptr, X.indices, X.data
    index = np.int32 if X.size <= np.iinfo(np.int32).max else np.int64
    indptr = np.arange(n_rows + 1, dtype=index) * index(n_columns)
    return indptr, np.tile(np.arange(n_columns, dtype=index), n_rows), X.reshape(-1)
