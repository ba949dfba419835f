"""Labels of sets, each a problem of its own over the same rows: those that can be told apart, some at a time.

A label that no row has, or every row, is not learned: its score is the same for all rows, far below or above 0. The
others are solved in blocks, each of which reads the rows once for all of its labels. What a solver keeps beside the
weights (a dual variable for each row and label) then never exists for all labels at once; and where weights near 0 are
dropped, neither do the weights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.label_sets import LabelSets
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.problem import LinearProblem
from assay.learners.solvers.solution import Solution
from assay.memory_room import require_room_for_weights

__all__ = ["NEVER", "constant_scores", "fit_in_blocks", "fit_varying_labels", "solve_in_blocks"]

NEVER = -1e3  # a score below every one that was learned

# Labels that are solved side by side; a multiple of what a pass takes together.
BLOCK = 512

_OF_EACH = ("objective", "gap", "iterations", "solved", "work")  # of a solution: one number a label

#: Solves some problems, from a start where it is given one.
Solve = Callable[[LinearProblem, Solution | None], Solution]


def fit_varying_labels(rows: LabelledRows, fit: Callable[[LabelledRows, NDArray[np.intp]], Solution]) -> Solution:
    """Solve `fit(rows, labels)` for the labels that some rows have and others do not; the rest get constant scores."""
    constant = rows.is_constant
    learned = np.flatnonzero(~constant)
    if not constant.any():
        solution = fit(rows, learned)
        solution.of_sets = True
        return solution
    if len(learned):
        inner = fit(rows.of_classes(learned), learned)
    else:
        inner = Solution(np.zeros((rows.X.shape[1], 0), rows.X.dtype), np.zeros(0), converged=True)
    return _widened(inner, learned, constant_scores(rows))


def constant_scores(rows: LabelledRows) -> NDArray[np.float64]:
    """The score that a label has where it is the same for all rows: `NEVER`, or its opposite where all have it."""
    assert isinstance(rows.classes, LabelSets)
    return np.where(rows.class_sizes > 0, -NEVER, NEVER)


def solve_in_blocks(
    problem: LinearProblem, solve: Solve, least_weight: float | None = None, start: Solution | None = None
) -> Solution:
    """The problems of all labels, `BLOCK` at a time; weights nearer to 0 than `least_weight` are dropped at once."""
    n_labels = problem.n_problems
    if least_weight is None:
        require_room_for_weights(problem.n_features, n_labels, problem.data.dtype.itemsize)
    parts = []
    for begin in range(0, n_labels, BLOCK):
        end = min(begin + BLOCK, n_labels)
        inside = None if start is None else _columns(start, begin, end)
        parts.append(solve(problem.part(begin, end), inside).pruned(least_weight))
    return parts[0] if len(parts) == 1 else _joined(parts)


def fit_in_blocks(rows: LabelledRows, fit: Callable[[LabelledRows], Solution], dtype: Any) -> Solution:
    """Labels of sets fitted by `fit`, `BLOCK` at a time, with weights of `dtype`.

    What is made on the way, in double and beside the weights, then never exists for all labels at once.
    """
    n_labels, n_features = rows.n_classes, rows.X.shape[1]
    if n_labels <= BLOCK:
        return fit(rows)
    require_room_for_weights(n_features, n_labels, np.dtype(dtype).itemsize)
    weights = np.empty((n_features, n_labels), dtype)
    parts = []
    for begin in range(0, n_labels, BLOCK):
        some = fit(rows.of_classes(np.arange(begin, min(begin + BLOCK, n_labels))))
        weights[:, begin : begin + BLOCK] = some.weights
        some.weights = weights[:0]
        parts.append(some)
    joined = _joined(parts)
    joined.weights, joined.of_sets = weights, True
    return joined


def _columns(solution: Solution, begin: int, end: int) -> Solution:
    weights = np.ascontiguousarray(solution.weights[:, begin:end])
    return Solution(weights, solution.intercept[begin:end].copy())


def _joined(parts: list[Solution]) -> Solution:
    """The labels of all parts, side by side."""
    if hasattr(parts[0].weights, "indptr"):
        from scipy.sparse import hstack

        weights = hstack([part.weights for part in parts], format="csr")
    else:
        weights = np.hstack([part.weights for part in parts])
    supports = [part.support for part in parts if part.support is not None]
    support = np.unique(np.concatenate(supports)) if supports else None
    reached: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in ("intercept", *_OF_EACH)
    }
    return Solution(weights, converged=all(part.converged for part in parts), support=support, **reached)


def _widened(inner: Solution, learned: NDArray[np.intp], intercept: NDArray[np.float64]) -> Solution:
    """A solution for some labels as one for all, of which the others have no weights."""
    n_labels = len(intercept)
    intercept[learned] = inner.intercept
    if hasattr(inner.weights, "indptr"):
        from scipy.sparse import csr_array

        listed = inner.weights.data, learned[inner.weights.indices], inner.weights.indptr
        weights: Any = csr_array(listed, shape=(inner.weights.shape[0], n_labels))
    else:
        weights = np.zeros((inner.weights.shape[0], n_labels), inner.weights.dtype)
        weights[:, learned] = inner.weights
    found = replace(inner, weights=weights, intercept=intercept, of_sets=True)
    for name in _OF_EACH:
        values = getattr(inner, name)
        if len(values) == len(learned):  # one a label, where the solver tells
            of_all = np.full(n_labels, name == "solved", values.dtype)
            of_all[learned] = values
            setattr(found, name, of_all)
    return found
