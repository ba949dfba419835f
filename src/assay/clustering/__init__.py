"""Texts in groups: k-means, how many groups, what they are about, and how well they agree with labels.

Names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.clustering.agreement import Agreement, compare_groupings
    from assay.clustering.choice import Choice, choose_k
    from assay.clustering.common_words import stop_words
    from assay.clustering.description import Cluster, describe_clusters
    from assay.clustering.kmeans import KMeans
    from assay.clustering.mini_batch import MiniBatchKMeans
    from assay.clustering.row_distances import distances, nearest_rows
    from assay.clustering.silhouettes import silhouette
    from assay.clustering.texts import Clustering, cluster_texts

__all__ = [
    "Agreement",
    "Choice",
    "Cluster",
    "Clustering",
    "KMeans",
    "MiniBatchKMeans",
    "choose_k",
    "cluster_texts",
    "compare_groupings",
    "describe_clusters",
    "distances",
    "nearest_rows",
    "silhouette",
    "stop_words",
]

_HOME_OF = {
    "Agreement": "agreement",
    "Choice": "choice",
    "Cluster": "description",
    "Clustering": "texts",
    "KMeans": "kmeans",
    "MiniBatchKMeans": "mini_batch",
    "choose_k": "choice",
    "cluster_texts": "texts",
    "compare_groupings": "agreement",
    "describe_clusters": "description",
    "distances": "row_distances",
    "nearest_rows": "row_distances",
    "silhouette": "silhouettes",
    "stop_words": "common_words",
}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'assay.clustering' has no attribute {name!r}")
    value = getattr(import_module(f"assay.clustering.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
