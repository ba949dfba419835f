"""Digests of what the kernels compute, as JSON: run in a process for each instruction set and compared.

Each family that is compiled for several instruction sets is in it, with the shapes on which it takes other ways: two
classes and many, few dimensions and many, sparse and dense rows.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import assay
from assay.clustering import KMeans, MiniBatchKMeans
from assay.embeddings import Word2Vec
from assay.features import TfidfVectorizer
from assay.learners import NBSVM, AveragedPerceptron, ComplementNB, LinearSVC, LogisticRegression, MultinomialNB
from assay.samples import SHOP_MESSAGES

Arrays = Callable[[], list[np.ndarray]]

corpus = assay.read(str(SHOP_MESSAGES))
texts, labels = corpus.texts.to_pylist(), np.array(corpus.labels.to_pylist())
two = np.where(labels == labels[0], "this", "other")
X = TfidfVectorizer(sublinear_tf=True, dtype=np.float64).fit_transform(texts)
dense = np.random.default_rng(0).normal(size=(len(texts), 37)) + np.arange(len(texts))[:, None] % 5


def weights(learner: object) -> list[np.ndarray]:
    return [learner.coef_, learner.intercept_]


def learned() -> Iterator[tuple[str, Arrays]]:
    """Learners, each on two classes and on all."""
    made = {
        "svm": lambda: LinearSVC(random_state=0),
        "svm hinge": lambda: LinearSVC(loss="hinge", random_state=0),
        "svm joint": lambda: LinearSVC(multi_class="crammer_singer", random_state=0),
        "logistic": lambda: LogisticRegression(random_state=0),
        "logistic dual": lambda: LogisticRegression(solver="dual", random_state=0),
        "logistic newton": lambda: LogisticRegression(solver="newton", random_state=0),
        "logistic one vs rest": lambda: LogisticRegression(multi_class="ovr", random_state=0),
        "logistic l1": lambda: LogisticRegression(l1_ratio=1.0, solver="coordinate", random_state=0),
        "logistic adagrad": lambda: LogisticRegression(solver="sgd", max_iter=5, random_state=0),
        "logistic adam": lambda: LogisticRegression(solver="sgd", learning_rate="adam", max_iter=5, random_state=0),
        "logistic batches": lambda: LogisticRegression(solver="sgd", batch_size=16, max_iter=5, random_state=0),
        "nbsvm": lambda: NBSVM(random_state=0),
        "nbsvm logistic": lambda: NBSVM(base="logistic", random_state=0),
        "averaged perceptron": lambda: AveragedPerceptron(random_state=0),
    }
    for name, make in made.items():
        yield f"{name}, {len(set(labels))} classes", lambda make=make: weights(make().fit(X, labels))
        yield f"{name}, 2 classes", lambda make=make: weights(make().fit(X, two))
    for make in (MultinomialNB, ComplementNB):
        yield make.__name__, lambda make=make: [make().fit(X, labels).predict_joint_log_proba(X)]
    for name in ("auto", "newton", "sgd"):
        learner = LogisticRegression(solver=name, max_iter=20, random_state=0)
        yield f"logistic {name}, dense", lambda learner=learner: weights(learner.fit(dense, labels))


def others() -> Iterator[tuple[str, Arrays]]:
    """Features, vectors, clusters, resamples, and a whole model file."""
    yield "tf-idf", lambda: [X.data, X.indices]
    for make in (KMeans, MiniBatchKMeans):
        for metric in ("euclidean", "cosine"):
            found = make(5, metric=metric, random_state=0)
            yield (
                f"{make.__name__} {metric}, sparse",
                lambda found=found: [found.fit(X).cluster_centers_, found.labels_],
            )
            yield f"{make.__name__} {metric}, dense", lambda found=found: [found.fit(dense).cluster_centers_]
    for size in (10, 32):
        yield f"word2vec {size}", lambda size=size: [Word2Vec(size, epochs=1, min_count=2).fit(texts).vectors().matrix]
    yield "resamples", resampled
    yield "model file", lambda: [model_file("svm")]
    yield "model file, naive bayes", lambda: [model_file("nb")]


def resampled() -> list[np.ndarray]:
    """Intervals of metrics of labels and of probabilities."""
    rng = np.random.default_rng(1)
    table = rng.dirichlet(np.ones(3), 200)
    truth = rng.integers(3, size=200)
    found = assay.evaluate(truth, table.argmax(axis=1), table, labels=range(3), n_resamples=50, interval="bca")
    metrics = [estimate for estimate in found.metrics.values() if estimate.low is not None]
    return [np.array([(estimate.value, estimate.low, estimate.high) for estimate in metrics])]


def model_file(learner: str) -> np.ndarray:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.assay"
        assay.TextClassifier(learner=learner).fit(corpus).save(path)
        return np.frombuffer(path.read_bytes(), np.uint8)


def digest(arrays: list[np.ndarray]) -> str:
    """Of all bytes of all arrays."""
    return hashlib.sha256(b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)).hexdigest()[:16]


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # few passes: some solvers say that they have not converged
    json.dump({name: digest(make()) for part in (learned(), others()) for name, make in part}, sys.stdout)
