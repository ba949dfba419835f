"""From texts to described clusters: features, how many clusters, k-means, names."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from assay.arguments import in_our_words
from assay.clustering.agreement import Agreement, compare_groupings
from assay.clustering.choice import ClusterNumberChoice, choose_k
from assay.clustering.common_words import function_words
from assay.clustering.common_words import stop_words as words_of
from assay.clustering.description import Cluster, describe_clusters
from assay.clustering.kmeans import KMeans
from assay.clustering.mini_batch import MiniBatchKMeans
from assay.clustering.row_distances import row_squares
from assay.clustering.silhouettes import silhouette
from assay.data.corpus.corpus import Corpus
from assay.data.profile.scripts import has_words
from assay.data.reading.read import read_given
from assay.errors import DataError, ParameterError
from assay.features.columns.measures import as_rows
from assay.threads import count_threads
from assay.wording import parameter, setting

__all__ = ["Clustering", "cluster_texts"]

_TELLS_LANGUAGE = 1000  # texts
_MANY = 200_000  # documents from which mini-batches are taken unless asked otherwise


@dataclass(frozen=True, eq=False)
class Clustering:
    """Texts in clusters.

    Attributes
    ----------
    corpus
        The texts.
    assignment
        Cluster of each text, from 0, the largest cluster first; -1 for texts without a word to go by.
    distances
        Distance of each text to the centre of its cluster; NaN where it has none.
    clusters
        What each is about.
    model
        The fitted `KMeans` or `MiniBatchKMeans`; its numbers are those of `assignment`.
    vectorizer
        What made features of the texts.
    silhouette
        Mean silhouette; None for one cluster.
    choice
        How the number of clusters was chosen; None where it was given.
    agreement
        With the labels, where the texts have any.
    """

    corpus: Corpus
    assignment: npt.NDArray[np.int32]
    distances: npt.NDArray[np.float64]
    clusters: tuple[Cluster, ...]
    model: KMeans | MiniBatchKMeans
    vectorizer: Any
    silhouette: float | None
    choice: ClusterNumberChoice | None
    agreement: Agreement | None

    @property
    def unit(self) -> str:
        """What texts and clusters were described by: "words", or "characters" where no blanks divide words."""
        return "words" if has_words(self.corpus.texts) else "characters"

    @property
    def n_unassigned(self) -> int:
        """Texts that are in no cluster."""
        return int((self.assignment < 0).sum())

    def to_dict(self) -> dict[str, Any]:
        """Everything but the texts, for JSON."""
        choice, agreement = self.choice, self.agreement
        return {
            "kind": "clusters",
            "version": 1,
            "texts": len(self.corpus),
            "unassigned": self.n_unassigned,
            "unit": self.unit,
            "metric": self.model.metric,
            "inertia": self.model.inertia_,
            "silhouette": self.silhouette,
            "choice": None
            if choice is None
            else {"k": choice.k, "texts": choice.n_documents, "measured": [vars(item) for item in choice.measured]},
            "agreement": None if agreement is None else vars(agreement),
            "clusters": [
                {
                    "number": cluster.number,
                    "name": cluster.name,
                    "size": cluster.size,
                    "telling": [vars(item) for item in cluster.telling],
                    "typical": [
                        {"position": position, "distance": distance}
                        for position, distance in zip(cluster.typical, cluster.distances, strict=True)
                    ],
                    "labels": dict(cluster.labels),
                }
                for cluster in self.clusters
            ],
        }


@in_our_words
def cluster_texts(
    source: Any,
    k: int | Sequence[int] = 8,
    *,
    metric: Literal["cosine", "euclidean"] = "cosine",
    vectors: Any = None,
    ngram_range: tuple[int, int] = (1, 1),
    stop_words: str | os.PathLike[str] | Collection[str] | None = None,
    mini_batch: bool | None = None,
    n_init: int = 3,
    random_state: int = 0,
    n_jobs: int | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Clustering:
    """Put texts into k clusters, and describe each.

    Parameters
    ----------
    source
        A `Corpus`, or whatever `assay.read` takes.
    k
        How many clusters, or several numbers to choose from (`choose_k`).
    metric
        ``"cosine"`` or ``"euclidean"``.
    vectors
        `assay.embeddings.WordVectors`, or a file of them: texts are described by the mean of their words' vectors
        (`EmbeddingVectorizer`); None: by tf-idf.
    ngram_range
        Of tf-idf: shortest and longest n-gram, in words. Texts in scripts without blanks between words (Chinese,
        Japanese, Thai …) are described by single characters and pairs of them instead.
    stop_words
        Words to leave out, of tf-idf and of the names of clusters: a language of
        `assay.clustering.common_words.LANGUAGES`, a file of words, or a list. None: tf-idf has all words, and names
        leave out the function words of the language, where it is one of these.
    mini_batch
        Whether to learn from small samples; None: where there are more than 200,000 texts.
    n_init
        Starts of which the best is kept.
    random_state
        Seed.
    n_jobs
        Threads; None is every core. The result is the same for any number.
    progress
        Called with what is being done, how much of it is done, and how much there is.

    Examples
    --------
    >>> texts = ["the cat sat", "a cat ran", "my cat slept", "stocks fell", "stocks rose", "stocks and bonds fell"]
    >>> found = cluster_texts(Corpus(texts), k=2)
    >>> found.assignment.tolist()
    [1, 1, 1, 0, 0, 0]
    >>> [cluster.telling[0].ngram for cluster in found.clusters]
    ['stocks', 'cat']
    """
    corpus = read_given(source)
    count_threads(n_jobs)
    say = progress or (lambda *_: None)
    say("reading words", 0, 1)
    left_out = None if stop_words is None else words_of(stop_words)
    vectorizer, X = _features(corpus, vectors, ngram_range, left_out or frozenset(), n_jobs)
    filled = np.flatnonzero(row_squares(X) > 0)
    if not len(filled):
        raise DataError(
            f"{corpus.source}: none of the {len(corpus):,} texts has a word to go by. Check which column was taken for "
            f"the texts, and name another with {setting('text', of_read=True)}."
        )
    rows = X[filled]
    choice = None
    if not isinstance(k, int):
        choice = choose_k(
            rows, k, metric=metric, random_state=random_state, n_jobs=n_jobs,
            progress=lambda done, total: say("choosing k", done, total),
        )  # fmt: skip
    number = k if isinstance(k, int) else choice.k if choice is not None else 0
    if number < 1:
        raise ParameterError(f"{parameter('k', option='--clusters')} is {number}. Ask for at least 1 cluster.")
    say("clustering", 0, 1)
    many = len(filled) > _MANY if mini_batch is None else mini_batch
    settings: dict[str, Any] = {"metric": metric, "random_state": random_state, "n_jobs": n_jobs}
    model = MiniBatchKMeans(number, **settings) if many else KMeans(number, n_init=n_init, **settings)
    model.fit(rows)
    _largest_first(model)
    if left_out is None:
        left_out = function_words(corpus.texts[:_TELLS_LANGUAGE].to_pylist())
    return _described(corpus, vectorizer, rows, filled, model, choice, left_out, say)


def _features(
    corpus: Corpus, vectors: Any, ngram_range: tuple[int, int], left_out: Collection[str], n_jobs: int | None
) -> tuple[Any, Any]:
    """The vectorizer and its matrix; rows of texts without a word to go by are all zeros."""
    from assay.embeddings import EmbeddingVectorizer
    from assay.features import TfidfVectorizer

    if vectors is not None:
        embedding = EmbeddingVectorizer(vectors, n_jobs=n_jobs)
        return embedding, as_rows(embedding.fit_transform(corpus))
    settings: dict[str, Any] = {"ngram_range": ngram_range, "stop_words": sorted(left_out) or None}
    if not has_words(corpus.texts):
        settings = {"analyzer": "char", "ngram_range": (1, 2)}
    tfidf = TfidfVectorizer(**settings, sublinear_tf=True, dtype=np.float32, n_jobs=n_jobs)
    # Words of one text only say nothing about others, and words of most texts nothing at all; but a handful of texts
    # may have no other words.
    for least, most in ((2, 0.5), (1, 1.0)):
        tfidf.set_params(min_df=least, max_df=most)
        try:
            with warnings.catch_warnings():  # words of a file that are read as two, such as don't
                warnings.filterwarnings("ignore", "Your stop_words may be inconsistent")
                X = as_rows(tfidf.fit_transform(corpus))
        except ValueError:  # no word is left
            X = sparse.csr_array((len(corpus), 1), dtype=np.float32)
        if (row_squares(X) > 0).mean() > 0.9:
            break
    return tfidf, X


def _largest_first(model: KMeans | MiniBatchKMeans) -> None:
    """Number the clusters by falling size."""
    order = np.argsort(-np.bincount(model.labels_, minlength=model.n_clusters), kind="stable")
    model.cluster_centers_ = model.cluster_centers_[order]
    model.labels_ = np.argsort(order).astype(np.int32)[model.labels_]
    if isinstance(model, MiniBatchKMeans):
        model.counts_ = model.counts_[order]


def _described(
    corpus: Corpus,
    vectorizer: Any,
    rows: Any,
    filled: npt.NDArray[np.intp],
    model: KMeans | MiniBatchKMeans,
    choice: ClusterNumberChoice | None,
    left_out: Collection[str],
    say: Callable[[str, int, int], None],
) -> Clustering:
    say("naming clusters", 0, 1)
    assignment = np.full(len(corpus), -1, dtype=np.int32)
    assignment[filled] = model.labels_
    distances = np.full(len(corpus), np.nan)
    distances[filled] = model.transform(rows)[np.arange(len(filled)), model.labels_]
    several = len(np.unique(model.labels_)) > 1
    return Clustering(
        corpus,
        assignment,
        distances,
        describe_clusters(corpus, assignment, distances, leave_out=left_out, characters=not has_words(corpus.texts)),
        model,
        vectorizer,
        silhouette(rows, model.labels_, model.metric, n_jobs=model.n_jobs) if several else None,  # type: ignore[arg-type]
        choice,
        None if corpus.labels is None else compare_groupings(corpus.classes[filled], model.labels_),
    )
