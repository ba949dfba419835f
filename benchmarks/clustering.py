"""How long k-means takes, against scikit-learn's, from the same start and to the same inertia.

    python benchmarks/clustering.py                     20ng, words, k = 20
    python benchmarks/clustering.py --ngrams 2          words and pairs of words: 1.2 million features
    python benchmarks/clustering.py --k 50 --data r8    other data, another k

Both get the same centres to start from, drawn from the documents, the same tolerance and two threads, and stop by the
same rule. "own start" is one run of each with its own k-means++. Dense rows are random projections of the same
documents: 100 numbers each, as mean word vectors have, and 10. Mini-batches are compared from the same centres with the
same batch size; they draw different documents, so that inertia and number of batches differ.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn import cluster
from threadpoolctl import threadpool_limits

from _datasets import read_labelled
from _measuring import race, report, say
from assay.clustering import KMeans, MiniBatchKMeans
from assay.features import TfidfVectorizer

THREADS = 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="20ng")
    parser.add_argument("--k", type=int, default=20)
    parser.add_argument("--ngrams", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--peer-repeats", type=int, default=1)
    settings = parser.parse_args()
    texts, _ = read_labelled(settings.data, "train")
    X = TfidfVectorizer(ngram_range=(1, settings.ngrams), sublinear_tf=True, dtype=np.float64).fit_transform(texts)
    rng = np.random.default_rng(0)
    k = settings.k
    chosen = rng.choice(X.shape[0], k, replace=False)
    rows: list[dict[str, Any]] = []

    def compare(work: str, matrix: Any, ours: Callable[[], Any], theirs: Callable[[], Any]) -> None:
        say(work)
        with threadpool_limits(THREADS):
            found = race(
                {"assay": ours, "scikit-learn": theirs},
                {"assay": settings.repeats, "scikit-learn": settings.peer_repeats},
                lambda model: (model.n_iter_, model.inertia_),
            )
        for name, timing in found.items():
            iterations, inertia = timing.outcome
            rows.append(
                {
                    "work": work,
                    "matrix": f"{matrix.shape[0]} × {matrix.shape[1]}",
                    "by": name,
                    "seconds": timing.best,
                    "processor seconds": timing.best_cpu,
                    "times faster": found["scikit-learn"].best / timing.best,
                    "by processor time": found["scikit-learn"].best_cpu / timing.best_cpu,
                    "iterations": iterations,
                    "inertia": f"{inertia:.6f}",
                }
            )

    for work, matrix in {
        "tf-idf, same start": X,
        "dense, 100 columns": X @ (rng.normal(size=(X.shape[1], 100)) / 10),
        "dense, 10 columns": X @ rng.normal(size=(X.shape[1], 10)),
    }.items():
        start = matrix[chosen].toarray() if matrix is X else matrix[chosen]
        compare(
            work,
            matrix,
            lambda start=start, matrix=matrix: KMeans(k, init=start, n_jobs=THREADS).fit(matrix),
            lambda start=start, matrix=matrix: cluster.KMeans(k, init=start, n_init=1).fit(matrix),
        )
    compare(
        "tf-idf, own start",
        X,
        lambda: KMeans(k, n_jobs=THREADS).fit(X),
        lambda: cluster.KMeans(k, n_init=1, random_state=0).fit(X),
    )
    start = X[chosen].toarray()
    compare(
        "tf-idf, mini-batches",
        X,
        lambda: MiniBatchKMeans(k, init=start, n_jobs=THREADS).fit(X),
        lambda: cluster.MiniBatchKMeans(k, init=start, n_init=1, random_state=0).fit(X),
    )
    report(f"k-means on {settings.data}, k = {k}: {THREADS} threads, best of the repeats, all in one run", rows)


if __name__ == "__main__":
    main()
