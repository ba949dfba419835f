"""Singular value decomposition: long vectors of counts become short vectors of topics.

    C = U Σ Vᵀ        U: a row for each word, a column for each topic
                      Σ: how important each topic is, the largest first, zeros elsewhere
                      Vᵀ: a row for each topic, saying which words it is about
    C_k               the same with only the first k topics: of all matrices of rank k the one nearest to C
    ‖C - C_k‖         what is lost: √(σ²_{k+1} + … + σ²_r)

The first k columns of U, row by row, are word vectors of k dimensions. A topic and its opposite are the same
topic, so its sign is chosen: the largest entry of each column of U is positive.

References
----------
Surdeanu & Valenzuela-Escárcega, section 7.2, equation 7.1 and Figure 7.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from assay.textbook.inputs import InputError, Points, as_count, as_points
from assay.textbook.steps import Step, Steps, finish

__all__ = ["SVD", "low_rank", "svd", "svd_steps", "topics"]

Matrix = npt.NDArray[np.float64]


class SVD(NamedTuple):
    """The three parts; `sigma` holds the diagonal of Σ."""

    U: Matrix  # (n_rows, r)
    sigma: Matrix  # (r,)
    Vt: Matrix  # (r, n_columns)


def svd_steps(C: Points | Matrix) -> Steps[SVD]:
    """Add one topic after the other and see what is still missing; see `svd`."""
    matrix = np.array(as_points(C, "C"))
    U, sigma, Vt = np.linalg.svd(matrix, full_matrices=False)
    r = max(1, int(np.sum(sigma > sigma[0] * 1e-12)))  # the rank: what is left is rounding
    U, sigma, Vt = U[:, :r], sigma[:r], Vt[:r]
    signs = np.sign(U[np.argmax(np.abs(U), axis=0), np.arange(r)])
    parts = SVD(U * signs, sigma, Vt * signs[:, None])
    whole = float(np.sum(sigma**2))
    for k in range(1, r + 1):
        missing = float(np.sqrt(np.sum(sigma[k:] ** 2)))
        yield Step(
            k,
            seen=f"topic {k}",
            score=float(sigma[k - 1]),
            decision=f"{np.sum(sigma[:k] ** 2) / (whole or 1):.1%} explained",
            update="add σ u vᵀ",
            parameters={"‖C - C_k‖": missing},
            why="nothing is missing" if k == r else f"next: σ = {sigma[k]:.4g}",
            loss=missing,
        )
    return parts


def svd(C: Points | Matrix) -> SVD:
    """Decompose a matrix into topics.

    Examples
    --------
    >>> parts = svd([[2, 0], [0, 1], [0, 0]])
    >>> parts.sigma.tolist()
    [2.0, 1.0]
    """
    return finish(svd_steps(C))


def low_rank(parts: SVD, k: int) -> Matrix:
    """Give C_k, the matrix rebuilt from the first k topics.

    Examples
    --------
    >>> low_rank(svd([[2, 0], [0, 1]]), k=1).tolist()
    [[2.0, 0.0], [0.0, 0.0]]
    """
    if as_count(k, "k") > len(parts.sigma):
        raise InputError(f"k is {k} and the matrix has rank {len(parts.sigma)}. It cannot have more topics.")
    C_k: Matrix = parts.U[:, :k] * parts.sigma[:k] @ parts.Vt[:k]
    return C_k


def topics(parts: SVD, words: Sequence[str], n: int = 3) -> list[list[str]]:
    """Describe each topic by the n words that weigh most in its row of Vᵀ.

    Examples
    --------
    >>> topics(svd([[2, 0], [0, 1]]), ["bagel", "cat"], n=1)
    [['bagel'], ['cat']]
    """
    return [[words[j] for j in np.argsort(-np.abs(row), kind="stable")[:n]] for row in parts.Vt]
