"""What both k-means classes share: checked rows, starts, nearest centres, distances."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn import exceptions
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from assay import _native
from assay.clustering.row_distances import row_squares, scores_in_blocks, unit_rows
from assay.errors import DataError, ParameterError
from assay.learners.estimators.base import UnfittedLearnerError, check_rows, without_repeats
from assay.learners.parameters import check_choice, check_number, threads_of

__all__ = ["NearestCentre"]

STARTS = ("k-means++", "random")


class NearestCentre(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):
    """Documents belong to the cluster of the nearest centre; subclasses find the centres."""

    n_clusters: int
    metric: str
    init: Any
    n_jobs: int | None
    cluster_centers_: npt.NDArray[Any]
    labels_: npt.NDArray[np.int32]
    inertia_: float

    def predict(self, X: Any) -> npt.NDArray[np.int32]:
        """Return the cluster of each row: that of the nearest centre, the first of equals; -1 for no direction."""
        rows = self._rows(X)
        found = np.empty(rows.shape[0], dtype=np.int32)
        squares = (self.cluster_centers_.astype(np.float64) ** 2).sum(axis=1)
        for block, products in scores_in_blocks(rows, self.cluster_centers_, n_jobs=self.n_jobs):
            found[block] = (squares - 2 * products).argmin(axis=1)
        found[~self._directed(rows)] = -1
        return found

    def transform(self, X: Any) -> npt.NDArray[Any]:
        """Return the distance of each row to each centre, by `metric`, (n_rows, n_clusters)."""
        rows = self._rows(X)
        found = np.empty((rows.shape[0], len(self.cluster_centers_)), dtype=rows.dtype)
        lengths = row_squares(rows)
        squares = (self.cluster_centers_.astype(np.float64) ** 2).sum(axis=1)
        for block, products in scores_in_blocks(rows, self.cluster_centers_, n_jobs=self.n_jobs):
            apart = np.maximum(lengths[block, None] + squares - 2 * products, 0)
            found[block] = apart / 2 if self.metric == "cosine" else np.sqrt(apart)
        found[~self._directed(rows)] = 1
        return found

    def score(self, X: Any, y: object = None) -> float:
        """Return minus the inertia of X, without rows of no direction: the higher, the nearer to the centres."""
        rows = self._rows(X)
        apart = self.transform(rows).min(axis=1).astype(np.float64)[self._directed(rows)]
        return -float((apart if self.metric == "cosine" else apart**2).sum())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def _rows(self, X: Any) -> Any:
        try:
            check_is_fitted(self, "cluster_centers_")
        except exceptions.NotFittedError:
            raise UnfittedLearnerError(
                f"This {type(self).__name__} is not fitted yet. Call fit(X) with documents first."
            ) from None
        return self._prepared(check_rows(self, X, reset=False))

    def _training_rows(self, X: Any, *, reset: bool = True) -> Any:
        """Rows to cluster: checked, enough of them, and different ones."""
        check_choice(self, "metric", ["euclidean", "cosine"])
        check_number(self, "n_clusters", at_least=1, integer=True)
        return self._prepared(check_rows(self, X, reset=reset))

    def _require_clusters(self, rows: Any) -> None:
        """Refuse more clusters than there are documents, or different ones."""
        if rows.shape[0] < self.n_clusters:
            n = rows.shape[0]
            there = "is 1 document (1 sample)" if n == 1 else f"are {n:,} documents"
            raise DataError(
                f"There {there}, fewer than the {self.n_clusters:,} clusters that were asked for. Ask for at most "
                f"{n:,}."
            )
        for n_rows in (min(10 * self.n_clusters, rows.shape[0]), rows.shape[0]):  # the first are nearly always enough
            part = rows[:n_rows]
            prints = _native.fingerprint_rows(
                part.indptr, part.indices, part.data, rows.shape[1], np.zeros(n_rows, np.int32), threads_of(self)
            )
            n_different = len(np.unique(prints))
            if n_different >= self.n_clusters:
                return
        raise DataError(
            f"Only {n_different:,} of the {rows.shape[0]:,} documents are different, fewer than the "
            f"{self.n_clusters:,} clusters that were asked for. Ask for at most {n_different:,}."
        )

    def _prepared(self, X: Any) -> Any:
        """CSR, no column twice in a row, of length 1 for cosine."""
        rows: Any = without_repeats(X) if sparse.issparse(X) else sparse.csr_array(X)
        rows = sparse.csr_array(rows)
        if rows.indptr.dtype != rows.indices.dtype:
            rows.indptr, rows.indices = rows.indptr.astype(np.int64), rows.indices.astype(np.int64)
        return unit_rows(rows) if self.metric == "cosine" else rows

    def _directed(self, rows: Any) -> npt.NDArray[np.bool_]:
        """Which rows can be in a cluster: by cosine, those with a value other than 0."""
        if self.metric != "cosine":
            return np.ones(rows.shape[0], bool)
        return row_squares(rows) > 0

    def _clustered(self, rows: Any) -> Any:
        """The rows to learn from; those that have no direction are said and left out."""
        directed = self._directed(rows)
        if directed.all():
            return rows
        if not directed.any():
            raise DataError(
                f"X: no value but 0 found in any of {rows.shape[0]} rows; such documents have no direction, and cosine "
                "distance needs one. Use metric='euclidean', or other features."
            )
        n_without = int(np.count_nonzero(~directed))
        warnings.warn(
            f"X[{int(np.argmin(directed))}]: no value but 0 found, and in {n_without - 1} more of {rows.shape[0]} "
            "rows; such a document has no direction, and cosine distance needs one. They are in no cluster (label -1). "
            "Leave such rows out, or use metric='euclidean'.",
            UserWarning,
            stacklevel=3,
        )
        return rows[directed]

    def _start(self, rows: Any, seed: int) -> npt.NDArray[Any]:
        """The first centres, (n_clusters, n_features), a copy that a kernel may write to."""
        if isinstance(self.init, str) or self.init is None:
            check_choice(self, "init", STARTS)
        if isinstance(self.init, str) and self.init == "random":
            chosen = np.random.default_rng(seed).choice(rows.shape[0], self.n_clusters, replace=False)
        elif isinstance(self.init, str):
            chosen = _native.draw_spread_rows(
                rows.shape[1], rows.indptr, rows.indices, rows.data,
                n_clusters=self.n_clusters, seed=seed, n_threads=threads_of(self),
            )  # fmt: skip
        else:
            return self._given_start(rows)
        return np.ascontiguousarray(rows[chosen].toarray())

    def _given_start(self, rows: Any) -> npt.NDArray[Any]:
        given = np.asarray(self.init.toarray() if hasattr(self.init, "toarray") else self.init)
        expected = (self.n_clusters, rows.shape[1])
        if given.shape != expected:
            raise ParameterError(
                f"The 'init' parameter of {type(self).__name__} has shape {given.shape}. It must be 'k-means++', "
                f"'random', or one centre a cluster, of shape {expected}."
            )
        centres = np.array(given, dtype=rows.dtype, order="C")
        if not np.isfinite(centres).all():
            raise ParameterError(f"The 'init' parameter of {type(self).__name__} holds NaN or infinity.")
        if self.metric == "cosine":
            lengths = np.sqrt((centres.astype(np.float64) ** 2).sum(axis=1))
            if not lengths.all():
                raise ParameterError(
                    f"The 'init' parameter of {type(self).__name__}, centre {int(np.argmin(lengths))}: nothing but 0 "
                    "found, which has no direction. Give each centre at least one value."
                )
            centres = (centres / lengths[:, None]).astype(rows.dtype)
        return centres
