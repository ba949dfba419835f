"""Separation: features that predict a class perfectly, so that the likelihood has no maximum.

There is separation where some direction β ≠ 0 has x·(β[y] - β[k]) ≥ 0 for every row x of class y and every other class
k, and > 0 for some: along it the likelihood only grows, and coefficients run to infinity. Linear programs find such a
direction or prove that there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.inference.newton import Classes, Floats

__all__ = ["Separation", "find_separation"]

_NOTHING = 1e-6


@dataclass(frozen=True)
class Separation:
    """How classes are separated.

    Attributes
    ----------
    complete
        Whether every row is predicted perfectly; else only some are (quasi-complete separation).
    signs
        (n_columns, n_classes - 1): the coefficients that run to plus or minus infinity; 0 for the others. Where there
        is a choice, few columns that do it alone.
    undetermined
        Of the same shape: all coefficients that have no finite estimate.
    """

    complete: bool
    signs: NDArray[np.int8]
    undetermined: NDArray[np.bool_]


def find_separation(X: Floats, classes: Classes, n_classes: int) -> Separation | None:
    """How the columns separate the classes, or None where they do not.

    Examples
    --------
    >>> X = np.column_stack([np.ones(4), [0.0, 0, 1, 1], [1.0, 0, 1, 0]])
    >>> find_separation(X, np.array([0, 0, 1, 1]), 2).signs.ravel().tolist()
    [-1, 1, 0]
    >>> find_separation(X, np.array([0, 1, 1, 0]), 2) is None
    True

    References
    ----------
    Konis (2007), Linear programming algorithms for detecting separated data in binary logistic regression models.
    """
    from scipy.sparse import csr_array

    scale = np.abs(X).max(axis=0)
    scale[scale == 0] = 1.0
    rows = np.unique(np.column_stack([classes, X / scale]), axis=0)
    A = _constraints(rows[:, 1:], rows[:, 0].astype(np.intp), n_classes)
    strict = _strictly_separated(A)
    if not strict.any():
        return None
    # The smallest Σ|β| that has these rows strictly on their side; β is the difference of two positive parts.
    half = A.shape[1]
    both = csr_array(np.concatenate([-A, A], axis=1))
    parts = _solve(np.ones(2 * half), both, -strict.astype(np.float64), [(0, None)] * (2 * half))
    direction = parts[:half] - parts[half:]
    signs = np.where(np.abs(direction) > _NOTHING * np.abs(direction).max(), np.sign(direction), 0.0)
    shape = (n_classes - 1, X.shape[1])
    return Separation(
        bool(strict.all()), signs.reshape(shape).T.astype(np.int8), _undetermined(A[~strict]).reshape(shape).T
    )


def _strictly_separated(A: Floats) -> NDArray[np.bool_]:
    """The rows that some direction has strictly on their side, none being on the wrong one.

    Maximise Σ s with 0 ≤ s ≤ 1 and s ≤ Aβ: a row that can be above 0 can be made as large as one likes.
    """
    from scipy.sparse import csr_array, eye_array, hstack

    n, width = A.shape
    constraints = hstack([csr_array(-A), eye_array(n)], format="csr")
    cost = np.concatenate([np.zeros(width), -np.ones(n)])
    found = _solve(cost, constraints, np.zeros(n), [(None, None)] * width + [(0, 1)] * n)
    strict: NDArray[np.bool_] = found[width:] > 0.5
    return strict


def _undetermined(others: Floats) -> NDArray[np.bool_]:
    """The coefficients that can move without moving the rows that are not separated: they have no finite estimate."""
    values, vectors = np.linalg.eigh(others.T @ others)
    free = vectors[:, values < 1e-9 * max(1.0, float(values.max()))]
    moving: NDArray[np.bool_] = (np.abs(free) > _NOTHING).any(axis=1)
    return moving


def _constraints(Z: Floats, of_class: Classes, n_classes: int) -> Floats:
    """A row for each example and each class that it is not of: what must not be negative, over all coefficients."""
    n_columns, n_free = Z.shape[1], n_classes - 1
    blocks = []
    for other in range(n_classes):
        against = of_class != other
        own, rows = of_class[against], Z[against]
        block = np.zeros((len(rows), n_free, n_columns))
        inside = own > 0
        block[np.flatnonzero(inside), own[inside] - 1] += rows[inside]
        if other > 0:
            block[:, other - 1] -= rows
        blocks.append(block.reshape(len(rows), n_free * n_columns))
    return np.concatenate(blocks)


def _solve(cost: Floats, A: Any, limits: Floats, bounds: list[tuple[float | None, float | None]]) -> Floats:
    from scipy.optimize import linprog

    solve: Any = linprog  # its types know no sparse constraints
    return np.asarray(solve(cost, A_ub=A, b_ub=limits, bounds=bounds, method="highs").x, dtype=np.float64)
