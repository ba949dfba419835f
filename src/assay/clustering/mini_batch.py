"""`MiniBatchKMeans`: k-means from small samples, for more documents than are worth looking at again and again."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from assay import _native
from assay.clustering.base import NearestCentre
from assay.learners.parameters import check_number, seed_of, threads_of

__all__ = ["MiniBatchKMeans"]


class MiniBatchKMeans(NearestCentre):
    """Clusters from batches of documents: each centre is the mean of all documents that it ever got.

    Quicker than `KMeans` where documents are many, and a little worse by its inertia. `partial_fit` takes documents
    that do not fit into memory, a part at a time. A cluster with few documents (`reassignment_ratio`) starts anew at a
    document of the batch, drawn.

    Parameters
    ----------
    n_clusters, metric, init, random_state, n_jobs
        As for `KMeans`.
    batch_size
        Documents that are drawn at a time.
    max_iter
        How often, on average, a document is drawn at most.
    max_no_improvement
        Stop after so many batches without a lower inertia, smoothed over batches.
    reassignment_ratio
        A cluster with less than this share of the documents of the largest starts anew.
    init_size
        Documents that are drawn to choose the start from; None is 3 batches, and at least 3 a cluster.

    Attributes
    ----------
    cluster_centers_, labels_, inertia_
        As for `KMeans`; `labels_` and `inertia_` are of the whole of X, or of the last part given to `partial_fit`.
    counts_
        Documents behind each centre.
    n_steps_
        Batches that were looked at.
    n_iter_
        How often, on average, a document was drawn by `fit`, rounded up.

    References
    ----------
    Sculley (2010), "Web-scale k-means clustering".

    Examples
    --------
    >>> parts = [[0.0, 0.1], [5.0, 5.1]], [[0.1, 0.0], [5.1, 5.0]]
    >>> model = MiniBatchKMeans(2)
    >>> for part in parts:
    ...     _ = model.partial_fit(part)
    >>> model.cluster_centers_[model.predict([[0.2, 0.2]])].round(2).tolist()
    [[0.05, 0.05]]
    """

    counts_: npt.NDArray[np.float64]
    n_steps_: int
    n_iter_: int

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        init: Any = "k-means++",
        batch_size: int = 1024,
        max_iter: int = 100,
        max_no_improvement: int = 10,
        reassignment_ratio: float = 0.01,
        init_size: int | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.init = init
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.max_no_improvement = max_no_improvement
        self.reassignment_ratio = reassignment_ratio
        self.init_size = init_size
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: object = None) -> Self:
        """Find the clusters of X from batches that are drawn from it; y is not used."""
        self._check_settings()
        every = self._training_rows(X)
        rows = self._clustered(every)
        self._require_clusters(rows)
        seed = seed_of(self)
        self.cluster_centers_ = self._start(self._start_rows(rows, seed), seed)
        self.counts_ = np.zeros(self.n_clusters)
        n_batches = -(-self.max_iter * rows.shape[0] // self.batch_size)
        self.n_steps_ = self._learn(rows, min(self.batch_size, rows.shape[0]), n_batches, self.max_no_improvement, seed)
        self.n_iter_ = -(-self.n_steps_ * self.batch_size // rows.shape[0])
        return self._assign(every)

    def partial_fit(self, X: Any, y: object = None) -> Self:
        """Learn from a part of the documents, once, in order; the first part needs at least `n_clusters` of them."""
        self._check_settings()
        first = not hasattr(self, "cluster_centers_")
        every = self._training_rows(X, reset=first)
        rows = self._clustered(every)
        if first:
            self._require_clusters(rows)
            self.cluster_centers_ = self._start(rows, seed_of(self))
            self.counts_ = np.zeros(self.n_clusters)
            self.n_steps_ = 0
        rows = rows.astype(self.cluster_centers_.dtype)
        self.n_steps_ += self._learn(rows, rows.shape[0], 1, 0, 0)
        return self._assign(every)

    def _learn(self, rows: Any, batch_size: int, n_batches: int, patience: int, seed: int) -> int:
        n_steps, _ = _native.run_kmeans_batches(
            rows.indptr, rows.indices, rows.data, self.cluster_centers_, self.counts_,
            spherical=self.metric == "cosine", batch_size=batch_size, max_batches=n_batches, patience=patience,
            reassignment_ratio=float(self.reassignment_ratio), seed=seed, n_threads=threads_of(self),
        )  # fmt: skip
        return int(n_steps)

    def _assign(self, rows: Any) -> Self:
        self.labels_ = self.predict(rows)
        self.inertia_ = -self.score(rows)
        return self

    def _start_rows(self, rows: Any, seed: int) -> Any:
        """A sample to choose the start from."""
        size = 3 * max(self.batch_size, self.n_clusters) if self.init_size is None else self.init_size
        if rows.shape[0] <= max(size, self.n_clusters):
            return rows
        drawn = np.random.default_rng(seed).choice(rows.shape[0], max(size, self.n_clusters), replace=False)
        return rows[np.sort(drawn)]

    def _check_settings(self) -> None:
        check_number(self, "batch_size", at_least=1, integer=True)
        check_number(self, "max_iter", at_least=1, integer=True)
        check_number(self, "max_no_improvement", at_least=1, integer=True)
        check_number(self, "reassignment_ratio", at_least=0, at_most=1)
        if self.init_size is not None:
            check_number(self, "init_size", at_least=1, integer=True)
