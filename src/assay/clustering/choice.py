"""How many clusters: what is measured for each k, and what it can and cannot tell.

    silhouette  whether documents are nearer to their own cluster than to the next: shape, not meaning
    stability   whether another sample of the documents gives the same clusters: ARI of clusterings of two samples

Neither knows what the clusters are for. Texts lie in thousands of dimensions and fill them thinly: silhouettes are
small, a few hundredths, and often still rise where clusters have become too fine to use. A stable k can be stable
because it is coarse. A k that both are against is a poor one; among the others, read the clusters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from assay.arguments import in_our_words
from assay.clustering.agreement import compare_groupings
from assay.clustering.kmeans import KMeans
from assay.clustering.silhouettes import silhouette
from assay.errors import DataError, ParameterError
from assay.features.columns.measures import as_rows
from assay.suggest import shortened

__all__ = ["ClusterNumberChoice", "MeasuredK", "choose_k"]

_CLOSE = 0.95  # silhouettes above this share of the best are as good: the more stable one is taken


@dataclass(frozen=True)
class MeasuredK:
    """What was measured for one number of clusters.

    Attributes
    ----------
    k
        Clusters.
    inertia
        Of the documents that were used; always falls with k.
    silhouette
        Mean over the documents, −1 to 1.
    stability
        Mean adjusted Rand index of clusterings of two samples: 1 is the same, 0 is chance.
    """

    k: int
    inertia: float
    silhouette: float
    stability: float


@dataclass(frozen=True)
class ClusterNumberChoice:
    """The number of clusters that was chosen, and what it was chosen from.

    Attributes
    ----------
    k
        Of those whose silhouette is within a twentieth of the best, the one with the highest stability.
    measured
        One for each candidate.
    n_documents
        How many were measured; a sample where there are more than `sample`.
    """

    k: int
    measured: tuple[MeasuredK, ...]
    n_documents: int

    @property
    def sentence(self) -> str:
        """What was found, and how far it can be trusted."""
        (best,) = (item for item in self.measured if item.k == self.k)
        lowest, highest = self.measured[0].k, self.measured[-1].k
        parts = [
            f"k = {self.k}, of {len(self.measured)} tried from {lowest} to {highest}: silhouette "
            f"{best.silhouette:.3f}, stability {best.stability:.2f}"
        ]
        if best.silhouette < 0.1:
            parts.append("the silhouette is low, as it is for most texts: clusters shade into each other")
        if best.stability < 0.6:
            parts.append("another sample of the documents would give other clusters")
        if self.k == highest and len(self.measured) > 1:
            parts.append("it is the largest k that was tried, and a larger one may do as well")
        return "; ".join(parts)


@in_our_words
def choose_k(
    X: Any,
    candidates: Sequence[int] = tuple(range(2, 13)),
    *,
    metric: Literal["cosine", "euclidean"] = "cosine",
    repeats: int = 3,
    sample: int = 5000,
    random_state: int = 0,
    n_jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ClusterNumberChoice:
    """Measure numbers of clusters, and choose one.

    Parameters
    ----------
    X
        One document a row, sparse or dense; no rows of zeros for cosine.
    candidates
        Numbers of clusters, each at least 2.
    metric
        That of `KMeans`.
    repeats
        Pairs of samples, of half of the documents each, for the stability.
    sample
        Documents to draw where there are more.
    random_state
        Seed of samples and starts.
    n_jobs
        Threads; None is every core. The result is the same for any number.
    progress
        Called with the candidates done and all there are.

    References
    ----------
    Rousseeuw (1987) for the silhouette; Ben-Hur, Elisseeff & Guyon (2002) for stability.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = np.eye(3)[rng.integers(3, size=60)] + rng.uniform(0, 0.2, size=(60, 3))
    >>> choose_k(X, [2, 3, 4]).k
    3
    """
    matrix = as_rows(X)
    numbers = candidates if isinstance(candidates, range) else sorted(set(candidates))
    if not numbers or numbers[0] < 2:
        raise ParameterError(f"Numbers of clusters to choose from must be at least 2. Got {shortened(candidates)}.")
    rng = np.random.default_rng(random_state)
    if matrix.shape[0] > sample:
        matrix = matrix[np.sort(rng.choice(matrix.shape[0], sample, replace=False))]
    if numbers[-1] > matrix.shape[0] // 2:
        raise DataError(
            f"There are {matrix.shape[0]} documents: too few to choose among up to {numbers[-1]} clusters by samples "
            f"of half of them. Try at most {matrix.shape[0] // 2}."
        )
    measured = []
    for done, k in enumerate(numbers):
        if progress is not None:
            progress(done, len(numbers))
        model = KMeans(k, metric=metric, n_init=2, random_state=random_state, n_jobs=n_jobs).fit(matrix)
        apart = silhouette(matrix, model.labels_, metric, seed=random_state, n_jobs=n_jobs)
        measured.append(MeasuredK(k, model.inertia_, apart, _stability(matrix, model, repeats, random_state)))
    top = max(item.silhouette for item in measured)
    close = [item for item in measured if item.silhouette >= top - (1 - _CLOSE) * abs(top)]
    best = max(close, key=lambda item: (item.stability, -item.k))
    return ClusterNumberChoice(best.k, tuple(measured), matrix.shape[0])


def _stability(X: Any, model: KMeans, repeats: int, seed: int) -> float:
    """Mean ARI, on all documents, of models of two halves that have nothing in common."""
    rng = np.random.default_rng([seed, model.n_clusters])
    found = []
    for _ in range(repeats):
        order = rng.permutation(X.shape[0])
        halves = np.sort(order[: len(order) // 2]), np.sort(order[len(order) // 2 :])
        first, second = (KMeans(**model.get_params()).fit(X[half]).predict(X) for half in halves)
        found.append(compare_groupings(first, second).ari)
    return float(np.mean(found))
