"""Features in several copies: one for all domains, and one for each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

__all__ = ["augment", "merged"]


def augment(X: Any, domains: NDArray[np.int64], n_domains: int) -> Any:
    """Each row x of domain d as (x, 0, …, (x, 1), …, 0): the general copy, and copy d with a bias of its own.

    Examples
    --------
    >>> augment(np.array([[5.0, 0.0], [6.0, 7.0]]), np.array([0, 1]), 2).toarray().tolist()
    [[5.0, 0.0, 5.0, 0.0, 1.0, 0.0, 0.0, 0.0], [6.0, 7.0, 0.0, 0.0, 0.0, 6.0, 7.0, 1.0]]
    """
    rows = sparse.csr_array(X)
    n, width = rows.shape
    lengths = np.diff(rows.indptr).astype(np.int64)
    indptr = np.concatenate([[0], np.cumsum(2 * lengths + 1)])
    columns = np.empty(indptr[-1], dtype=np.int64)
    values = np.ones(indptr[-1], dtype=rows.dtype)
    of_row = np.repeat(np.arange(n), lengths)
    general = np.arange(len(rows.data)) - rows.indptr[:-1][of_row] + indptr[:-1][of_row]
    own = general + lengths[of_row]
    first = width + domains * (width + 1)
    columns[general], values[general] = rows.indices, rows.data
    columns[own], values[own] = rows.indices + first[of_row], rows.data
    columns[indptr[1:] - 1] = first + width
    total = width + n_domains * (width + 1)
    kind = np.int32 if max(total, len(columns)) <= np.iinfo(np.int32).max else np.int64
    return sparse.csr_matrix((values, columns.astype(kind), indptr.astype(kind)), shape=(n, total))


def merged(
    coef: NDArray[Any], intercept: NDArray[Any], width: int, domain: int | None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Weights and bias over the features themselves: those of the general copy, plus those of one domain's copy."""
    general = coef[:, :width]
    if domain is None:
        return np.asfortranarray(general), np.array(intercept)
    begin = width + domain * (width + 1)
    own = coef[:, begin : begin + width + 1]
    return np.asfortranarray(general + own[:, :-1]), np.asarray(intercept + own[:, -1])
