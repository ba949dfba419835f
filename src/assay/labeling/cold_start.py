"""The first texts, while there is nothing to learn from: the most typical ones of as many clusters."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.clustering.common_words import function_words
from assay.features.columns.text_matrix import CompressedRows
from assay.labeling.features import PoolFeatures
from assay.labeling.narrow_rows import NarrowColumns
from assay.suggest import counted, quoted

__all__ = ["Typical", "typical_texts"]

_SAMPLE = 5_000  # texts that are clustered
_CLUSTERS = 50  # at most
_WORDS, _MOST_WORDS = 3, 100  # that a cluster is told by, and that are looked at
_TELLS_LANGUAGE = 1_000  # texts
_ENOUGH = 0.99  # of the rows, that are to share a column with another


@dataclass(frozen=True)
class Typical:
    """A text that stands for others."""

    row: int
    score: float  # cosine to the centre of its cluster
    size: int
    words: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """What it is typical of."""
        about = f" about {quoted(self.words)}" if self.words else ""
        return f"typical of a cluster of {counted(self.size, 'text', 'texts')}{about}"


def typical_texts(
    features: PoolFeatures, texts: Any, candidates: NDArray[np.int64], n: int, *, seed: int, threads: int | None
) -> list[Typical]:
    """Texts that are nearest to the centres of clusters, one of each in turn, the largest cluster first.

    Of very many candidates a sample is clustered. Words are named for a person: without function words.
    """
    if not len(candidates):
        return []
    if len(candidates) > max(_SAMPLE, n):
        candidates = np.sort(np.random.default_rng([seed, 5]).choice(candidates, max(_SAMPLE, n), replace=False))
    rows = features.rows[candidates]
    narrow = _shared_columns(rows)
    found = _clusters(narrow.of_rows(rows), min(n, _CLUSTERS), seed, threads)
    if found is None:
        return []
    cluster, nearness, centres = found
    inside = np.flatnonzero(cluster >= 0)
    candidates, cluster, nearness = candidates[inside], cluster[inside], nearness[inside]
    sizes = np.bincount(cluster, minlength=len(centres))
    overall = (sizes @ centres) / max(sizes.sum(), 1)
    place = np.empty(len(candidates), np.int64)  # of each text within its cluster
    for k in range(len(centres)):
        own = np.flatnonzero(cluster == k)
        place[own[np.argsort(-nearness[own], kind="stable")]] = np.arange(len(own))
    order = np.lexsort((cluster, -sizes[cluster], place))[:n]
    left_out = function_words([texts[int(row)].as_py() for row in candidates[:_TELLS_LANGUAGE]])
    words = {k: _telling(features, narrow, centres[k] - overall, left_out) for k in set(cluster[order].tolist())}
    return [
        Typical(int(candidates[i]), float(np.clip(nearness[i], 0, 1)), int(sizes[cluster[i]]), words[int(cluster[i])])
        for i in order.tolist()
    ]


def _shared_columns(rows: CompressedRows) -> NarrowColumns:
    """Columns that two rows have; those of one row too, where more than a few rows have no others."""
    counts = np.bincount(rows.indices, minlength=rows.shape[1])
    filled = np.maximum.reduceat(np.append(counts[rows.indices], 0), rows.indptr[:-1]) > 1
    return NarrowColumns(np.flatnonzero(counts > (1 if filled.mean() >= _ENOUGH else 0)), rows.shape[1])


def _clusters(
    rows: CompressedRows, k: int, seed: int, threads: int | None
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]] | None:
    """Cluster of each row, -1 for empty ones, its cosine to the centre, and the centres; None where all are empty."""
    from scipy.sparse import csr_array
    from sklearn.exceptions import ConvergenceWarning

    from assay.clustering import KMeans

    X = csr_array((rows.data, rows.indices, rows.indptr), shape=rows.shape)
    filled = np.flatnonzero(np.diff(rows.indptr) > 0)
    ends = rows.indptr.tolist()
    different = {(rows.indices[a:b].tobytes(), rows.data[a:b].tobytes()) for a, b in pairwise(ends)}
    k = min(k, len(different - {(b"", b"")}))
    if not k:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # near enough to choose texts by
        model = KMeans(k, metric="cosine", max_iter=20, random_state=seed, n_jobs=threads).fit(X[filled])
    cluster, nearness = np.full(X.shape[0], -1, np.int32), np.zeros(X.shape[0])
    cluster[filled] = model.labels_
    nearness[filled] = 1 - model.transform(X[filled])[np.arange(len(filled)), model.labels_]
    return cluster, nearness, np.asarray(model.cluster_centers_, np.float64)


def _telling(
    features: PoolFeatures, narrow: NarrowColumns, above: NDArray[np.float64], left_out: Collection[str]
) -> tuple[str, ...]:
    """The words by which a cluster differs most from the rest; those that only build sentences are left out."""
    first = np.argsort(-above, kind="stable")[:_MOST_WORDS]
    names = features.names(narrow.columns[first[above[first] > 0]])
    single = [name for name in names if " " not in name.strip() and name not in left_out]
    return tuple((single or names)[:_WORDS])
