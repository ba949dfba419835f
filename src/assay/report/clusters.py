"""Clusters as a page: what each is about, and the texts that are most typical of it."""

from __future__ import annotations

import os
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from assay.atomic_file import write_atomically
from assay.explanation.presentation import shortened
from assay.report.build import environment

if TYPE_CHECKING:
    from assay.clustering.description import Cluster
    from assay.clustering.texts import Clustering

__all__ = ["render_clusters", "write_clusters"]

_CHARACTERS = 600  # of a text that are shown
_LONGEST_NAME = 100


def write_clusters(clustering: Clustering, path: str | os.PathLike[str]) -> None:
    """Write a clustering to one file that needs no other and no network.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from assay import Corpus
    >>> from assay.clustering import cluster_texts
    >>> found = cluster_texts(Corpus(["a cat", "the cat", "stocks fell", "stocks rose"]), k=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_clusters(found, f"{folder}/clusters.html")
    ...     "stocks" in Path(f"{folder}/clusters.html").read_text(encoding="utf-8")
    True
    """
    write_atomically(path, render_clusters(clustering).encode("utf-8", "replace"))


def render_clusters(clustering: Clustering) -> str:
    """The same as a string."""
    corpus = clustering.corpus
    measured = [] if clustering.choice is None else list(clustering.choice.measured)
    largest = max(cluster.size for cluster in clustering.clusters)
    page: dict[str, Any] = {
        "source": PurePath(corpus.source).name,
        "n_texts": len(corpus),
        "n_clusters": len(clustering.clusters),
        "unit": clustering.unit,
        "n_unassigned": clustering.n_unassigned,
        "metric": clustering.model.metric,
        "silhouette": clustering.silhouette,
        "agreement": clustering.agreement,
        "choice": clustering.choice,
        "highest": max([item.silhouette for item in measured], default=0),
        "clusters": [_shown(clustering, cluster, largest) for cluster in clustering.clusters],
    }
    return environment().get_template("clusters.html").render(page)


def _beginning(text: str) -> str:
    """As much of a text as is shown, up to the end of a word."""
    if len(text) <= _CHARACTERS:
        return text
    words = text[: _CHARACTERS + 1].rsplit(maxsplit=1)
    return words[0] if len(words) > 1 else text[:_CHARACTERS]


def _shown(clustering: Clustering, cluster: Cluster, largest: int) -> dict[str, Any]:
    strongest = max([item.score for item in cluster.telling], default=1.0)
    texts = []
    for position, distance in zip(cluster.typical, cluster.distances, strict=True):
        text = clustering.corpus[position].text
        shown = _beginning(text)
        texts.append(
            {
                "text": shown,
                "left_out": len(text) - len(shown),
                "label": clustering.corpus[position].label,
                "number": position + 1,
                "distance": distance,
            }
        )
    return {
        "number": cluster.number,
        "name": shortened(cluster.name, _LONGEST_NAME),
        "size": cluster.size,
        "share": cluster.size / max(len(clustering.corpus), 1),
        "width": cluster.size / max(largest, 1),
        "telling": [
            {
                "ngram": shortened(item.ngram, _LONGEST_NAME),
                "inside": item.inside,
                "outside": item.outside,
                "width": item.score / strongest,
            }
            for item in cluster.telling
        ],
        "labels": [{"label": label, "share": n / cluster.size} for label, n in cluster.labels[:4]],
        "texts": texts,
    }
