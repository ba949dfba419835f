"""How often the intervals that are shown hold the true value, how often none is shown, and how often one is cautious.

    python benchmarks/coverage.py                       2,000 sets of each of 18 settings
    python benchmarks/coverage.py --quick               100 sets of each
    python benchmarks/coverage.py --documents 500 2000 --classes 150 --metrics macro_f1 balanced_accuracy

What a metric is on 300,000 documents of a law (`_worlds.py`) is its true value; an interval from n documents should
hold it in 95 of 100 sets. With `--documents` or `--classes`, every combination of them with all shares and models.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from _worlds import SHARES, Tally, World, true_values
from assay.evaluation.metrics.catalogue import parse_metric
from assay.evaluation.uncertainty.measuring import estimate_metrics
from assay.evaluation.uncertainty.resampling import Resampling

METRICS = (
    "accuracy",
    "balanced_accuracy",
    "matthews",
    "kappa",
    "macro_precision",
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
SETTINGS = (
    (50, World(2, "balanced", 0.6)),
    (50, World(2, "5% rare", 0.96)),
    (50, World(2, "balanced", 0.97)),
    (50, World(5, "balanced", 0.9)),
    (50, World(10, "zipf", 0.75)),
    (50, World(25, "balanced", 0.75)),
    (200, World(2, "5% rare", 0.97, rare_is_easy=True)),
    (200, World(2, "5% rare", 0.99)),
    (200, World(5, "5% rare", 0.9)),
    (200, World(5, "zipf", 0.6)),
    (200, World(10, "zipf", 0.9)),
    (200, World(25, "balanced", 0.9)),
    (200, World(25, "zipf", 0.75)),
    (1000, World(2, "balanced", 0.99)),
    (1000, World(5, "5% rare", 0.97)),
    (1000, World(10, "5% rare", 0.65)),
    (1000, World(25, "balanced", 0.99)),
    (1000, World(25, "zipf", 0.9)),
)


def intervals_of(
    world: World, n: int, metrics: Sequence[str], n_sets: int, resamples: int, seed: int
) -> tuple[dict[str, list[tuple[float, float]]], dict[str, float]]:
    """The intervals that are shown of each metric, one a set, and the share of them that are called cautious."""
    shown: dict[str, list[tuple[float, float]]] = defaultdict(list)
    cautious: dict[str, list[bool]] = defaultdict(list)
    for number in range(n_sets):
        outcomes = world.draw(n, np.random.default_rng([seed, n, world.n_classes, number]))
        parsed = [parse_metric(name, outcomes.labels) for name in metrics]
        for name, estimate in estimate_metrics(outcomes, parsed, Resampling(resamples, number, threads=1)).items():
            if estimate.defined and not np.isnan(estimate.low):
                assert estimate.low <= estimate.value <= estimate.high, (name, number, estimate)
                shown[name].append(estimate.interval)
                cautious[name].append(estimate.cautious)
    return shown, {name: float(np.mean(marks)) for name, marks in cautious.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=2000)
    parser.add_argument("--quick", action="store_true", help="100 sets")
    parser.add_argument("--documents", type=int, nargs="+")
    parser.add_argument("--classes", type=int, nargs="+")
    parser.add_argument("--metrics", nargs="+", default=list(METRICS))
    parser.add_argument("--resamples", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, nargs="+", help="settings by their numbers, from 0")
    settings = parser.parse_args()
    n_sets = 100 if settings.quick else settings.sets
    chosen: Sequence[tuple[int, World]] = SETTINGS
    if settings.documents or settings.classes:
        laws = itertools.product(settings.classes or (2, 5, 25), SHARES, (0.65, 0.9))
        chosen = list(itertools.product(settings.documents or (50, 200, 1000), itertools.starmap(World, laws)))
    tally = Tally(n_sets)
    started = time.process_time()
    for n, world in [chosen[k] for k in settings.only] if settings.only else chosen:
        names = [name for name in settings.metrics if not (name == "top_2_accuracy" and world.n_classes == 2)]
        truth = true_values(world, names)
        shown, cautious = intervals_of(world, n, names, n_sets, settings.resamples, settings.seed)
        tally.show(f"n={n}, {world}  [{time.process_time() - started:.0f} s]", shown, truth, cautious)
    tally.summary()


if __name__ == "__main__":
    main()
