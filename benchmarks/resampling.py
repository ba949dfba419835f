"""How much sooner paired resampling by cells is than a numpy loop and scipy.stats.bootstrap over documents.

python benchmarks/resampling.py [--documents N] [--resamples N] [--repeats N] [--threads N]

The document-by-document contestants would take minutes: they draw fewer resamples, and their time is scaled up.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from scipy import stats

from _measuring import race, report
from assay.evaluation.metrics.catalogue import parse_metric
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.uncertainty.resampling import Cells, Resampling

METRICS = ("accuracy", "macro_f1")


def outcomes(n: int, n_classes: int) -> tuple[Outcomes, Outcomes]:
    """Two systems that are right on 85 and 84 of 100 documents, wrong mostly towards neighbouring classes."""
    random = np.random.default_rng(0)
    truth = random.choice(n_classes, n, p=random.dirichlet(np.full(n_classes, 5.0)))

    def predicted(share: float) -> np.ndarray:
        neighbour = (truth + random.geometric(0.4, n)) % n_classes
        return np.where(random.random(n) < share, truth, neighbour).astype(np.int32)

    labels = tuple(f"{k:02d}" for k in range(n_classes))
    return tuple(Outcomes(labels, truth.astype(np.int32), predicted(share)) for share in (0.85, 0.84))


def both_metrics(truth: np.ndarray, said: np.ndarray, n_classes: int) -> tuple[float, float]:
    """Accuracy and macro-F1 from a confusion matrix, as quick as numpy makes them."""
    matrix = np.bincount(truth * n_classes + said, minlength=n_classes**2).reshape(n_classes, n_classes)
    hits = np.diagonal(matrix)
    either = matrix.sum(axis=0) + matrix.sum(axis=1)
    return hits.sum() / truth.size, float(np.mean(2 * hits[either > 0] / either[either > 0]))


def numpy_loop(a: Outcomes, b: Outcomes, n_resamples: int) -> np.ndarray:
    random = np.random.default_rng(0)
    n, k = a.n_documents, len(a.labels)
    truth, first, second = (column.astype(np.int64) for column in (a.truth, a.predicted, b.predicted))
    leads = np.empty((n_resamples, 2))
    for r in range(n_resamples):
        rows = random.integers(0, n, n)
        x, y = both_metrics(truth[rows], first[rows], k), both_metrics(truth[rows], second[rows], k)
        leads[r] = np.subtract(x, y)
    return leads


def scipy_bootstrap(a: Outcomes, b: Outcomes, n_resamples: int) -> np.ndarray:
    k = len(a.labels)
    columns = tuple(column.astype(np.int64) for column in (a.truth, a.predicted, b.predicted))

    def lead(truth: np.ndarray, first: np.ndarray, second: np.ndarray) -> float:
        return both_metrics(truth, first, k)[1] - both_metrics(truth, second, k)[1]

    settings: dict[str, Any] = {"paired": True, "vectorized": False, "method": "percentile"}
    result = stats.bootstrap(columns, lead, n_resamples=n_resamples, rng=np.random.default_rng(0), **settings)
    return result.bootstrap_distribution


def compare(n_documents: int, n_classes: int, plan: Resampling, repeats: int) -> list[dict[str, Any]]:
    a, b = outcomes(n_documents, n_classes)
    sampler = Cells([a, b], [parse_metric(name, a.labels) for name in METRICS], plan)
    fewer = max(20, plan.n_resamples // 500)
    contestants = {
        "numpy loop": lambda: numpy_loop(a, b, fewer),
        "scipy.stats.bootstrap (macro_f1 alone)": lambda: scipy_bootstrap(a, b, fewer),
        "assay, bootstrap": sampler.bootstrap,
        "assay, randomization": sampler.randomize,
    }
    seconds = {
        name: timing.best * (1 if name.startswith("assay") else plan.n_resamples / fewer)
        for name, timing in race(contestants, repeats).items()
    }
    return [
        {
            "classes": n_classes,
            "cells": sampler.counts.size,
            "by": name,
            "seconds": spent,
            "ratio to numpy": seconds["numpy loop"] / spent,
        }
        for name, spent in seconds.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=25_000)
    parser.add_argument("--resamples", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    settings = parser.parse_args()
    plan = Resampling(settings.resamples, threads=settings.threads)
    rows: list[dict[str, Any]] = []
    for n_classes in (2, 8, 20, 77):
        rows += compare(settings.documents, n_classes, plan, settings.repeats)
    question = (
        f"{settings.resamples:,} paired resamples of {settings.documents:,} documents, accuracy and macro_f1, "
        f"{settings.threads} threads; numpy and scipy scaled up from fewer"
    )
    report(question, rows)


if __name__ == "__main__":
    main()
