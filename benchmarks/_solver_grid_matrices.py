"""Matrices of the solver grid: tf-idf of real texts, made-up ones, and dense columns alone or beside them.

A matrix is made once and kept in the system's temporary folder, under a name that changes with this file.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.decomposition import TruncatedSVD

from _datasets import read_all
from _zipfian import zipfian_texts
from assay.features import TfidfVectorizer
from dense_rows import make_vectors

__all__ = ["MATRICES", "load_matrix", "make_matrix"]

Matrix = tuple[Any, Any]  # rows, class indices
WORDS_A_TEXT = 12


def make_matrix(name: str) -> Path:
    """Return the file with a matrix, made if it is not there."""
    version = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]
    path = Path(tempfile.gettempdir()) / f"assay-solver-grid-{version}" / f"{name}.npz"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        X, y = MATRICES[name]()
        unfinished = path.with_suffix(".part.npz")
        if sparse.issparse(X):
            np.savez(unfinished, data=X.data, indices=X.indices, indptr=X.indptr, shape=X.shape, y=y)
        else:
            np.savez(unfinished, dense=X, y=y)
        unfinished.rename(path)
    return path


def load_matrix(path: Path) -> Matrix:
    """Read what `make_matrix` wrote."""
    with np.load(path) as parts:
        if "dense" in parts:
            return parts["dense"], parts["y"]
        return sparse.csr_matrix((parts["data"], parts["indices"], parts["indptr"]), shape=parts["shape"]), parts["y"]


@dataclass(frozen=True)
class Texts:
    """Some texts of a data set as tf-idf of their n-grams.

    `n_labels` keeps that many labels only, the most frequent ones; `n_classes` splits the labels: a text belongs to the
    pair of its label and its first word where the pair is among the most frequent, else to its label as before. So the
    classes are as many as wanted, skewed, and learnable.
    """

    data: str
    ngrams: tuple[int, int] = (1, 2)
    min_df: int = 1
    analyzer: str = "word"
    n_rows: int | None = None
    n_labels: int | None = None
    n_classes: int | None = None

    def __call__(self) -> Matrix:
        """Read the texts and count."""
        texts, labels = read_all(self.data)
        labels = np.array([str(label).split("|")[0] for label in labels])  # of several labels the first
        if self.n_labels is not None:
            kept = {label for label, _ in Counter(labels.tolist()).most_common(self.n_labels)}
            texts = [text for text, label in zip(texts, labels, strict=True) if label in kept]
            labels = labels[np.isin(labels, list(kept))]
        texts, labels = texts[: self.n_rows], labels[: self.n_rows]
        if self.n_classes is not None:
            labels = _split_by_first_word(texts, labels, self.n_classes)
        vectorizer = TfidfVectorizer(
            analyzer=self.analyzer, ngram_range=self.ngrams, min_df=self.min_df, sublinear_tf=True
        )
        return vectorizer.fit_transform(texts), np.unique(labels, return_inverse=True)[1]


@dataclass(frozen=True)
class Reduced:
    """The principal directions of another matrix, each row brought to length 1: dense; or both side by side."""

    texts: Texts
    n_columns: int
    beside: bool = False

    def __call__(self) -> Matrix:
        """Decompose."""
        X, y = self.texts()
        dense = TruncatedSVD(self.n_columns, random_state=0).fit_transform(X)
        dense /= np.maximum(np.linalg.norm(dense, axis=1, keepdims=True), 1e-12)
        return (sparse.csr_matrix(sparse.hstack([X, dense], format="csr")), y) if self.beside else (dense, y)


@dataclass(frozen=True)
class Vectors:
    """Made-up sentence vectors (see dense_rows.py), of length about 1 or with columns of spread 1."""

    n_rows: int
    n_columns: int
    n_classes: int
    length_of_one: bool = True

    def __call__(self) -> Matrix:
        """Draw."""
        X, y = make_vectors(self.n_rows, self.n_columns, self.n_classes, length_of_one=self.length_of_one)
        return X.astype(np.float64), y


@dataclass(frozen=True)
class MadeUp:
    """Made-up text of Zipfian words cut to a dozen each; the class is what a random linear rule says, with noise."""

    n_rows: int
    n_classes: int
    min_df: int = 1
    max_features: int | None = None
    ngrams: tuple[int, int] = (1, 1)
    noise: float = 0.3

    def __call__(self) -> Matrix:
        """Write and label."""
        documents = zipfian_texts(self.n_rows * WORDS_A_TEXT * 9)
        words = " ".join(documents.to_pylist()).split()
        texts = [" ".join(words[i * WORDS_A_TEXT : (i + 1) * WORDS_A_TEXT]) for i in range(self.n_rows)]
        X = TfidfVectorizer(
            ngram_range=self.ngrams, min_df=self.min_df, max_features=self.max_features, sublinear_tf=True
        ).fit_transform(texts)
        random = np.random.default_rng(0)
        scores = np.empty((self.n_rows, self.n_classes))
        for c in range(self.n_classes):
            scores[:, c] = X @ random.normal(size=X.shape[1])
        scores += self.noise * random.normal(size=scores.shape)
        return X, np.unique(scores.argmax(axis=1), return_inverse=True)[1]


def _split_by_first_word(texts: list[str], labels: Any, n_classes: int) -> Any:
    pairs = [(label, (text.lower().split() or [""])[0]) for text, label in zip(texts, labels.tolist(), strict=True)]
    # A label that is split up whole has no rest, so that there may be some classes less than asked for.
    frequent = {pair for pair, _ in Counter(pairs).most_common(n_classes - len(set(labels.tolist())))}
    return np.array([" ".join(pair) if pair in frequent else pair[0] for pair in pairs])


CHARACTERS = "char"
MATRICES: dict[str, Callable[[], Matrix]] = {
    # two classes
    "mr-500": Texts("mr", n_rows=500),
    "names": Texts("names_gender", (1, 2), analyzer=CHARACTERS),
    "names-wide": Texts("names_gender", (1, 4), analyzer=CHARACTERS),
    "sms": Texts("sms_spam", (1, 1), min_df=2),
    "subj": Texts("subj"),
    "imdb-5000": Texts("imdb", min_df=2, n_rows=5_000),
    "imdb": Texts("imdb", min_df=2),
    "imdb-narrow": Texts("imdb", (1, 1), min_df=50),
    # a few
    "davidson": Texts("davidson_hate", min_df=2),
    "ag": Texts("ag_news_sub", min_df=2),
    "ag-narrow": Texts("ag_news_sub", (1, 1), min_df=100),
    "trec6-1000": Texts("trec6", (1, 1), n_rows=1_000),
    "r8": Texts("r8"),
    "r8-characters": Texts("r8", (2, 4), min_df=2, analyzer=CHARACTERS),
    # dozens
    "20ng": Texts("20ng", min_df=2),
    "20ng-words": Texts("20ng", (1, 1), min_df=2),
    "20ng-narrow": Texts("20ng", (1, 1), min_df=30),
    "langid17": Texts("langid_lingua_sentences", (1, 3), min_df=2, analyzer=CHARACTERS, n_labels=17, n_rows=8_269),
    "goemotions": Texts("goemotions_multilabel", min_df=2),
    "trec50": Texts("trec6", (1, 1), n_classes=50),
    "r52": Texts("r8", (1, 1), n_classes=52),
    "langid75": Texts("langid_lingua_sentences", (1, 2), min_df=5, analyzer=CHARACTERS),
    "langid75-20000": Texts("langid_lingua_sentences", (1, 3), min_df=2, analyzer=CHARACTERS, n_rows=20_000),
    "banking77": Texts("banking77", min_df=2),
    "banking77-characters": Texts("banking77", (1, 4), min_df=2, analyzer=CHARACTERS),
    # hundreds
    "banking150": Texts("banking77", min_df=3, n_classes=150),  # fewer features than rows
    "banking150-wide": Texts("banking77", n_classes=150),
    "banking500": Texts("banking77", n_classes=500),
    "langid150": Texts("langid_lingua_sentences", (1, 1), min_df=2, n_rows=15_000, n_classes=150),
    # made up
    "zipf-2": MadeUp(100_000, 2, max_features=5_000),
    "zipf-2-wide": MadeUp(20_000, 2, ngrams=(1, 3)),
    "zipf-20": MadeUp(100_000, 20, min_df=2),
    "zipf-500": MadeUp(20_000, 500, min_df=2),
    # dense
    "svd-imdb": Reduced(Texts("imdb", (1, 1), min_df=10), 200),
    "svd-20ng": Reduced(Texts("20ng", (1, 1), min_df=5), 300),
    "vectors-2": Vectors(2_000, 100, 2),
    "vectors-2-scaled": Vectors(4_000, 384, 2, length_of_one=False),
    "vectors-2-wide": Vectors(500, 10_000, 2),
    "vectors-40": Vectors(4_000, 384, 40),
    "vectors-100": Vectors(10_000, 500, 100),
    # both
    "both-mr": Reduced(Texts("mr", (1, 1), min_df=2), 100, beside=True),
    "both-20ng": Reduced(Texts("20ng", (1, 1), min_df=5), 100, beside=True),
    "both-banking77": Reduced(Texts("banking77", min_df=2), 200, beside=True),
}
