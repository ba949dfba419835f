"""How often the intervals that are shown hold the true value, and how often none is shown.

python benchmarks/coverage.py [--sets N] [--quick] [--documents N ...] [--classes K ...] [--metrics NAME ...]

Documents of K classes have scores s_j = N(0, 1), that of their own class raised by the class's own lift; probabilities
are the exact posteriors of this law, sharpened where a model is to be too sure. What a metric is on a million
such documents is its true value; an interval from n documents should hold it in 95 of 100 sets.

Shares: equal; one class with 5 %; Zipf's 1/rank. Models: good, poor, and one whose rare class is made no mistake of in
about a fifth of the sets.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from assay.evaluation.metrics.catalogue import parse_metric
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.uncertainty.measuring import estimate_metrics
from assay.evaluation.uncertainty.metric_value import measure
from assay.evaluation.uncertainty.resampling import Resampling

METRICS = (
    "accuracy",
    "balanced_accuracy",
    "matthews",
    "kappa",
    "macro_precision",
    "macro_recall",
    "macro_f1",
    "macro_f2",
    "weighted_precision",
    "weighted_f1",
    "log_loss",
    "brier",
    "calibration_error",
    "roc_auc",
    "average_precision",
    "top_2_accuracy",
    "recall:00",
    "precision:00",
    "f1:00",
    "f2:00",
    "roc_auc:00",
    "average_precision:00",
)
# How far its own class's score is raised for two classes, and by how much more for e times as many: about nine in ten
# documents are then right, or two in three.
LIFTS = {"good": (1.8, 0.6), "poor": (0.8, 0.45), "rare perfect": (1.8, 0.6)}


@dataclass(frozen=True)
class World:
    """A law that documents, their classes and a model's scores follow."""

    n_classes: int
    shares: str
    model: str

    def class_shares(self) -> np.ndarray:
        """How often each class occurs, the rare one first."""
        if self.shares == "balanced":
            shares = np.ones(self.n_classes)
        elif self.shares == "5% rare":
            shares = np.full(self.n_classes, 0.95 / (self.n_classes - 1))
            shares[0] = min(0.05, shares[0])
        else:
            shares = 1.0 / np.arange(self.n_classes, 0, -1)
        return shares / shares.sum()

    def draw(self, n: int, random: np.random.Generator) -> Outcomes:
        """So many documents and what the model says of them."""
        shares = self.class_shares()
        truth = random.choice(self.n_classes, n, p=shares).astype(np.int32)
        base, slope = LIFTS[self.model]
        lift = (base + slope * np.log(self.n_classes / 2)) * np.linspace(0.9, 1.1, self.n_classes)
        if self.model == "rare perfect":
            lift[0] *= 1.6
        scores = random.normal(size=(n, self.n_classes))
        scores[np.arange(n), truth] += lift[truth]
        logits = lift * scores - lift**2 / 2 + np.log(shares)
        if self.model == "poor":
            logits *= 1.3
        logits -= logits.max(axis=1, keepdims=True)
        probabilities = np.exp(logits)
        probabilities /= probabilities.sum(axis=1, keepdims=True)
        labels = tuple(f"{k:02d}" for k in range(self.n_classes))
        return Outcomes(labels, truth, probabilities.argmax(axis=1).astype(np.int32), probabilities)


def worlds(classes: list[int]) -> Iterator[World]:
    for k, shares, model in itertools.product(classes, ("balanced", "5% rare", "zipf"), LIFTS):
        if not (k == 2 and shares == "zipf"):
            yield World(k, shares, model)


def true_values(world: World, metrics: tuple[str, ...], n: int) -> dict[str, float]:
    """The metrics of so many documents, in ten parts so that they fit: a mean of parts is true to 1/n of a part."""
    parts = [world.draw(n // 10, np.random.default_rng([99, seed])) for seed in range(10)]
    return {name: float(np.mean([measure(name, part) for part in parts])) for name in metrics}


def coverage(
    world: World, n: int, metrics: tuple[str, ...], n_sets: int, truth: dict[str, float], resamples: int
) -> dict[str, tuple[int, int, int, float]]:
    """By metric: intervals shown, those that hold the truth, those wholly above it, and their mean width."""
    shown: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for seed in range(n_sets):
        outcomes = world.draw(n, np.random.default_rng([n, world.n_classes, seed]))
        parsed = [parse_metric(name, outcomes.labels) for name in metrics]
        for name, estimate in estimate_metrics(outcomes, parsed, Resampling(resamples, seed, threads=1)).items():
            if estimate.defined and not np.isnan(estimate.low):
                assert estimate.low <= estimate.value <= estimate.high, (name, seed, estimate)
                shown[name].append(estimate.interval)
    table = {}
    for name in metrics:
        ends = np.array(shown[name]).reshape(-1, 2)
        slack = 1e-9
        above = int((ends[:, 0] > truth[name] + slack).sum())
        below = int((ends[:, 1] < truth[name] - slack).sum())
        width = float(np.ptp(ends, axis=1).mean()) if len(ends) else np.nan
        table[name] = (len(ends), len(ends) - above - below, above, width)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=2000)
    parser.add_argument("--quick", action="store_true", help="100 sets, two sizes")
    parser.add_argument("--documents", type=int, nargs="+", default=[50, 200, 1000])
    parser.add_argument("--classes", type=int, nargs="+", default=[2, 5, 23])
    parser.add_argument("--metrics", nargs="+", default=list(METRICS))
    parser.add_argument("--resamples", type=int, default=1000)
    settings = parser.parse_args()
    if settings.quick:
        settings.sets, settings.documents, settings.classes = 100, [50, 200], [2, 5]
    n_sets, metrics = settings.sets, tuple(settings.metrics)
    worst: dict[str, list[float]] = defaultdict(list)
    started = time.perf_counter()
    for world in worlds(settings.classes):
        names = tuple(m for m in metrics if not (m == "top_2_accuracy" and world.n_classes == 2))
        truth = true_values(world, names, 100_000 if settings.quick else 1_000_000)
        for n in settings.documents:
            table = coverage(world, n, names, n_sets, truth, settings.resamples)
            seconds = time.perf_counter() - started
            print(f"\nn={n}, {world.n_classes} classes, {world.shares}, {world.model}  [{seconds:.0f} s]")
            print(f"{'':22}{'true':>8}{'covers':>9}{'too high':>10}{'too low':>9}{'width':>8}{'withheld':>10}")
            for name, (shown, held, above, width) in table.items():
                rate = held / shown if shown else np.nan
                # few sets shown say nothing of the rate
                if shown >= n_sets / 20:
                    worst[name].append(rate)
                mark = "" if not shown or 0.93 <= rate <= 0.97 else " <" if rate < 0.93 else " >"
                print(
                    f"{name:22}{truth[name]:8.3f}{rate:9.3f}{above / max(shown, 1):10.3f}"
                    f"{(shown - held - above) / max(shown, 1):9.3f}{width:8.3f}{1 - shown / n_sets:10.3f}{mark}",
                    flush=True,
                )
    print("\nlowest and highest coverage over all settings in which an interval is shown in at least 5 % of sets")
    for name, rates in worst.items():
        print(f"{name:22}{min(rates):9.3f}{max(rates):9.3f}")


if __name__ == "__main__":
    main()
