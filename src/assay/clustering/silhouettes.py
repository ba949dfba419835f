"""Silhouette: whether documents are nearer to their own cluster than to the next one.

    a  mean distance of a document to the others of its cluster
    b  mean distance to the documents of the nearest other cluster
    s = (b − a) / max(a, b), from −1 (nearer to the other) over 0 (between the two) to 1; 0 for a cluster of one

For cosine and squared Euclidean distance the mean distance to a cluster follows from the sum of its rows, so that all
documents are measured against all others in one pass. For Euclidean distance there is no such way: pairs are measured,
of a sample where there are many documents.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from assay.arguments import in_our_words
from assay.clustering.row_distances import Metric, distances, row_squares, scores_in_blocks, unit_rows
from assay.errors import DataError
from assay.features.columns.measures import as_rows

__all__ = ["silhouette", "silhouette_samples"]

Floats = npt.NDArray[np.float64]


@in_our_words
def silhouette(
    X: Any, clusters: Any, metric: Metric = "cosine", *, sample: int = 2000, seed: int = 0, n_jobs: int | None = None
) -> float:
    """Mean silhouette of all documents, or for Euclidean distance of a sample of them.

    Parameters
    ----------
    X
        One document a row.
    clusters
        The cluster of each, at least two different ones.
    metric
        ``"cosine"`` and ``"sqeuclidean"`` are exact; ``"euclidean"`` is that of a sample.
    sample, seed
        Documents to draw for ``"euclidean"`` where there are more.
    n_jobs
        Threads; None is every core. The result is the same for any number.

    References
    ----------
    Rousseeuw (1987), "Silhouettes: a graphical aid to the interpretation and validation of cluster analysis".

    Examples
    --------
    >>> round(silhouette([[1.0, 0.1], [1.0, 0.0], [0.1, 1.0], [0.0, 1.0]], [0, 0, 1, 1]), 3)
    0.994
    """
    matrix = as_rows(X)
    groups = np.asarray(clusters)
    if metric == "euclidean" and matrix.shape[0] > sample:
        drawn = np.sort(np.random.default_rng(seed).choice(matrix.shape[0], sample, replace=False))
        matrix, groups = matrix[drawn], groups[drawn]
    return float(silhouette_samples(matrix, groups, metric, n_jobs=n_jobs).mean())


def silhouette_samples(X: Any, clusters: Any, metric: Metric = "cosine", *, n_jobs: int | None = None) -> Floats:
    """Silhouette of each document; the parameters are those of `silhouette`."""
    matrix = as_rows(X)
    names, groups = np.unique(np.asarray(clusters), return_inverse=True)
    if groups.shape != (matrix.shape[0],) or not 2 <= len(names) <= matrix.shape[0]:
        raise DataError(
            f"A silhouette needs at least 2 clusters, and a cluster for each of the {matrix.shape[0]} documents. "
            f"Got {len(names)} clusters for {len(groups)}."
        )
    sizes = np.bincount(groups).astype(np.float64)
    if metric == "euclidean":
        members = np.eye(len(names))[groups]
        sums = distances(matrix, matrix, metric, n_jobs=n_jobs) @ members
    else:
        sums = _summed_squares(unit_rows(matrix) if metric == "cosine" else matrix, groups, sizes, n_jobs)
    rows = np.arange(len(groups))
    own = sums[rows, groups] / np.maximum(sizes[groups] - 1, 1)
    others = sums / sizes
    others[rows, groups] = np.inf
    nearest = others.min(axis=1)
    largest = np.maximum(own, nearest)
    apart = np.divide(nearest - own, largest, out=np.zeros_like(own), where=largest > 0)
    return np.where(sizes[groups] > 1, apart, 0.0)


def _summed_squares(X: Any, groups: npt.NDArray[Any], sizes: Floats, n_jobs: int | None) -> Floats:
    """Σ ‖x − y‖² over the rows y of each cluster: n ‖x‖² − 2 x·Σy + Σ‖y‖²."""
    squares = row_squares(X)
    members = sparse.csr_array(
        (np.ones(len(groups)), (groups, np.arange(len(groups)))), shape=(len(sizes), len(groups))
    )
    totals = (members @ X).toarray()
    found = np.empty((len(groups), len(sizes)))
    for rows, products in scores_in_blocks(X, totals, n_jobs=n_jobs):
        found[rows] = squares[rows, None] * sizes - 2 * products + np.bincount(groups, squares)
    return np.maximum(found, 0, out=found)
