"""What the perceptrons cost, what they reach, and the price of voting.

python benchmarks/perceptron.py [data set …] [--repeats N]
"""

from __future__ import annotations

import argparse
import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as ReferencePerceptron

from _datasets import tfidf_matrices
from _measuring import race, report
from assay.learners import AveragedPerceptron, Perceptron, VotedPerceptron

EPOCHS = 10


def compare(data: str, matrices: tuple[Any, ...], repeats: int) -> list[dict[str, Any]]:
    X, y, X_test, y_test = matrices
    peers: dict[str, Any] = {
        "scikit-learn Perceptron": lambda: ReferencePerceptron(max_iter=EPOCHS, tol=None, n_jobs=2),
        "Perceptron": lambda: Perceptron(max_iter=EPOCHS),
        "AveragedPerceptron": lambda: AveragedPerceptron(max_iter=EPOCHS),
        "VotedPerceptron": lambda: VotedPerceptron(max_iter=EPOCHS, n_jobs=2),
    }
    fitted = race({peer: (lambda make=make: make().fit(X, y)) for peer, make in peers.items()}, repeats, lambda m: m)
    models = {peer: timing.outcome for peer, timing in fitted.items()}
    predicted = race({peer: (lambda m=m: m.predict(X_test)) for peer, m in models.items()}, repeats, lambda y: y)
    return [
        {
            "data": data,
            "by": peer,
            "epochs": int(model.n_iter_),
            "fit s": fitted[peer].best,
            "fit ratio": fitted["scikit-learn Perceptron"].best / fitted[peer].best,
            "predicted documents/s": len(y_test) / predicted[peer].best,
            "accuracy": float(np.mean(predicted[peer].outcome == y_test)),
            "vectors": getattr(model, "n_vectors_", 1),
        }
        for peer, model in models.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="*", default=["20ng", "imdb"])
    parser.add_argument("--repeats", type=int, default=3)
    settings = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)  # the number of epochs is the same for all, on purpose
    rows = []
    for data in settings.data:
        rows += compare(data, tfidf_matrices(data), settings.repeats)
    report(f"Perceptrons on tf-idf (1,2), sublinear: {EPOCHS} epochs at most, best of the repeats", rows)


if __name__ == "__main__":
    main()
