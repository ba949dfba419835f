"""How much sooner naive Bayes is fitted than scikit-learn's, and whether it says the same.

python benchmarks/naive_bayes.py [data set …] [--repeats N]
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import sklearn.naive_bayes

import assay.learners
from _datasets import tfidf_matrices
from _measuring import race, report

LEARNERS = ["MultinomialNB", "ComplementNB", "BernoulliNB"]


def compare(name: str, data: str, matrices: tuple[Any, ...], repeats: int) -> list[dict[str, Any]]:
    X, y, X_test, y_test = matrices
    peers = {
        "scikit-learn": lambda: getattr(sklearn.naive_bayes, name)(alpha=0.01),
        "assay, 1 thread": lambda: getattr(assay.learners, name)(alpha=0.01, n_jobs=1),
        "assay, 2 threads": lambda: getattr(assay.learners, name)(alpha=0.01, n_jobs=2),
    }
    fitted = race({peer: (lambda make=make: make().fit(X, y)) for peer, make in peers.items()}, repeats, lambda m: m)
    models = {peer: timing.outcome for peer, timing in fitted.items()}
    predicted = race(
        {peer: (lambda model=model: model.predict(X_test)) for peer, model in models.items()}, repeats, lambda y: y
    )
    reference = models["scikit-learn"].feature_log_prob_
    theirs = fitted["scikit-learn"].best + predicted["scikit-learn"].best
    rows = []
    for peer, model in models.items():
        fit_seconds, labels = fitted[peer].best, predicted[peer].outcome
        both = fit_seconds + predicted[peer].best
        rows.append(
            {
                "data": data,
                "learner": name,
                "by": peer,
                "fit s": fit_seconds,
                "fit ratio": fitted["scikit-learn"].best / fit_seconds,
                "fit+predict s": both,
                "fit+predict ratio": theirs / both,
                "accuracy": float(np.mean(labels == y_test)),
                "largest difference": float(np.abs(model.feature_log_prob_ / reference - 1).max()),
            }
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="*", default=["20ng", "imdb"])
    parser.add_argument("--repeats", type=int, default=5)
    settings = parser.parse_args()
    rows = []
    for data in settings.data:
        matrices = tfidf_matrices(data)
        for name in LEARNERS:
            rows += compare(name, data, matrices, settings.repeats)
    report("Naive Bayes on tf-idf (1,2), sublinear: best of the repeats, all in one run", rows)


if __name__ == "__main__":
    main()
