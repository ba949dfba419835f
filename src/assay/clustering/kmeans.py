"""`KMeans`: Lloyd's algorithm, on sparse or dense rows, by Euclidean or cosine distance."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from assay import _native
from assay.clustering.base import NearestCentre
from assay.clustering.row_distances import row_squares
from assay.learners.parameters import check_choice, check_number, seed_of, threads_of

if TYPE_CHECKING:
    from assay._native import KMeansReport

__all__ = ["KMeans"]


class KMeans(NearestCentre):
    """k clusters with the least sum of squared distances to their centres, by Lloyd's algorithm.

    Each document goes to the nearest centre, each centre to the mean of its documents, until nothing moves. What
    is found depends on the start: the best of `n_init` is kept. A cluster that loses all its documents gets the one
    that is farthest from its centre, and goes on.

    Parameters
    ----------
    n_clusters
        k.
    metric
        ``"euclidean"``: rows as they are. ``"cosine"`` (spherical k-means): rows and centres are brought to length 1,
        so that only directions count, as texts of different lengths need; rows of zeros are in no cluster.
    init
        ``"k-means++"``: documents that are far from each other. ``"random"``: any documents. Or an array of centres.
    n_init
        Starts of which the one with the lowest inertia is kept; ``"auto"`` is 1, or 10 for random starts.
    max_iter
        Where to stop if documents still move; said as a warning.
    tol
        Stop when the squared distance that the centres moved is below this share of the mean variance of a feature.
    random_state
        Seed; None is 0, so that the same data give the same clusters.
    n_jobs
        Threads; None is every core. The result is the same, to the bit, for any number.

    Attributes
    ----------
    cluster_centers_
        (n_clusters, n_features), of length 1 each for cosine.
    labels_
        The cluster of each row; -1 for a row of zeros, by cosine.
    inertia_
        Sum of the squared distances of rows to their centres; for cosine, sum of the cosine distances.
    n_iter_
        Iterations of the start that was kept.

    References
    ----------
    Lloyd (1982); Elkan (2003) for the bounds that spare most distances; Arthur & Vassilvitskii (2007) for the start;
    Dhillon & Modha (2001) for the sphere. Readable version with its trace: `assay.textbook.kmeans`.

    Examples
    --------
    >>> KMeans(2).fit([[0.0, 0.0], [0.0, 1.0], [5.0, 5.0], [5.0, 6.0]]).labels_.tolist()
    [1, 1, 0, 0]
    """

    n_iter_: int

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        init: Any = "k-means++",
        n_init: int | Literal["auto"] = "auto",
        max_iter: int = 300,
        tol: float = 1e-4,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: object = None) -> Self:
        """Find the clusters of X; y is not used."""
        check_number(self, "max_iter", at_least=1, integer=True)
        check_number(self, "tol", at_least=0)
        every = self._training_rows(X)
        rows = self._clustered(every)
        self._require_clusters(rows)
        seeds = np.random.default_rng(seed_of(self)).integers(2**63, size=self._n_starts())
        best: tuple[KMeansReport, npt.NDArray[Any]] | None = None
        for seed in seeds.tolist():
            centres = self._start(rows, seed)
            found = _native.run_kmeans(
                rows.indptr, rows.indices, rows.data, centres,
                spherical=self.metric == "cosine", tolerance=self.tol * _mean_variance(rows),
                max_iterations=self.max_iter, n_threads=threads_of(self),
            )  # fmt: skip
            if best is None or found["inertia"] < best[0]["inertia"]:
                best = found, centres
        assert best is not None
        report, self.cluster_centers_ = best
        if not report["converged"]:
            warnings.warn(
                f"KMeans stopped after max_iter={self.max_iter} iterations while documents still moved. "
                "Increase max_iter, or tol.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.labels_ = np.full(every.shape[0], -1, np.int32)
        self.labels_[self._directed(every)] = report["labels"]
        self.inertia_ = report["inertia"]
        self.n_iter_ = report["iterations"]
        return self

    def _n_starts(self) -> int:
        if isinstance(self.n_init, str):
            check_choice(self, "n_init", ["auto"])
            return 10 if isinstance(self.init, str) and self.init == "random" else 1
        n_starts: int = check_number(self, "n_init", at_least=1, integer=True)
        return n_starts if isinstance(self.init, str) else 1  # a given start is the same every time


def _mean_variance(rows: Any) -> float:
    """Variance of a column, averaged over the columns."""
    mean: npt.NDArray[np.float64] = np.asarray(rows.sum(axis=0, dtype=np.float64)).ravel() / rows.shape[0]
    variance: float = float(row_squares(rows).sum()) / rows.shape[0] - float((mean**2).sum())
    return max(variance, 0.0) / max(int(rows.shape[1]), 1)
