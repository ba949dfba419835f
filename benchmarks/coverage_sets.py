"""How often the intervals of label sets hold the true value, and how often none is shown.

    python benchmarks/coverage_sets.py                  1,000 sets of each of 14 settings
    python benchmarks/coverage_sets.py --quick          100 sets of each
    python benchmarks/coverage_sets.py --tests          how often two equal models are called different

What a metric is on 200,000 texts of a law (`_set_worlds.py`) is its true value; an interval from n texts should hold it
in 95 of 100 sets.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

import assay
from _set_worlds import SetWorld
from _worlds import Tally
from assay.evaluation.metrics.set_catalogue import parse_set_metric
from assay.evaluation.uncertainty.metric_value import measure
from assay.evaluation.uncertainty.resampling import Resampling
from assay.evaluation.uncertainty.set_measuring import estimate_set_metrics

METRICS = (
    "micro_f1",
    "micro_precision",
    "micro_recall",
    "macro_f1",
    "macro_precision",
    "macro_recall",
    "weighted_f1",
    "samples_f1",
    "samples_recall",
    "subset_accuracy",
    "hamming_loss",
    "p@1",
    "p@3",
    "r@3",
    "ndcg@3",
    "log_loss",
    "brier",
    "recall:01",
    "precision:01",
    "f1:01",
)
SETTINGS = (
    (50, SetWorld(5, 1.5)),
    (50, SetWorld(5, 1.5, zipf=False, lift=3.5)),
    (50, SetWorld(10, 2.0, zipf=False)),
    (50, SetWorld(20, 3.0)),
    (200, SetWorld(5, 1.0, lift=1.2)),
    (200, SetWorld(5, 1.5, lift=4.0)),
    (200, SetWorld(10, 1.5)),
    (200, SetWorld(20, 2.0, zipf=False)),
    (200, SetWorld(50, 5.0, zipf=False)),
    (500, SetWorld(28, 1.2)),
    (500, SetWorld(50, 4.0)),
    (2000, SetWorld(5, 1.2, lift=3.0)),
    (2000, SetWorld(28, 1.2, lift=1.5)),
    (2000, SetWorld(50, 3.0)),
)
PAIRS = ("micro_f1", "macro_f1", "samples_f1", "hamming_loss", "p@3")


def true_values(world: SetWorld, metrics: Sequence[str], n: int = 200_000) -> dict[str, float]:
    """The metrics of so many texts; each part holds every label often enough that a mean of parts is their value."""
    found = defaultdict(list)
    for seed in range(5):
        part = world.draw(n // 5, np.random.default_rng([99, seed]))
        for name in metrics:
            found[name].append(measure(name, part))
    return {name: float(np.mean(values)) for name, values in found.items()}


def intervals_of(
    world: SetWorld, n: int, metrics: Sequence[str], n_sets: int, resamples: int, seed: int, interval: str = "auto"
) -> dict[str, list[tuple[float, float]]]:
    """The intervals that are shown of each metric, one a set."""
    shown: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for number in range(n_sets):
        outcomes = world.draw(n, np.random.default_rng([seed, n, world.n_labels, number]))
        parsed = [parse_set_metric(name, outcomes.labels) for name in metrics]
        plan = Resampling(resamples, number, threads=1)
        for name, estimate in estimate_set_metrics(outcomes, parsed, plan, interval).items():
            if estimate.defined and not np.isnan(estimate.low):
                assert estimate.low <= estimate.value <= estimate.high, (name, number, estimate)
                shown[name].append(estimate.interval)
    return shown


def rejections(
    world: SetWorld, n: int, metric: str, test: str, n_sets: int, resamples: int, seed: int = 0
) -> tuple[float, float]:
    """Share of pairs of equally good models that are called different, and of differences whose interval lacks 0."""
    called = missed = 0
    for number in range(n_sets):
        random = np.random.default_rng([seed, n, world.n_labels, number])
        a, b = world.draw_pair(world, n, 0.5, random)
        found = assay.compare(
            assay.evaluation.SetEvaluation(a),
            assay.evaluation.SetEvaluation(b),
            metric=metric,
            test=test,
            n_resamples=resamples,
            seed=number,
            threads=1,
        )
        called += found.p_value <= 0.05
        missed += not np.isnan(found.difference.low) and not found.difference.low <= 0 <= found.difference.high
    return called / n_sets, missed / n_sets


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=1000)
    parser.add_argument("--quick", action="store_true", help="100 sets")
    parser.add_argument("--metrics", nargs="+", default=list(METRICS))
    parser.add_argument("--interval", default="auto", choices=("auto", "bca", "percentile"))
    parser.add_argument("--resamples", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, nargs="+", help="settings by their numbers, from 0")
    parser.add_argument("--tests", action="store_true", help="paired tests of equal models instead of intervals")
    settings = parser.parse_args()
    n_sets = 100 if settings.quick else settings.sets
    chosen = [SETTINGS[k] for k in settings.only] if settings.only else SETTINGS
    started = time.process_time()
    if settings.tests:
        for n, world in chosen:
            for metric in PAIRS:
                for test in ("bootstrap", "randomization"):
                    called, missed = rejections(world, n, metric, test, n_sets, settings.resamples, settings.seed)
                    print(
                        f"n={n}, {world}, {metric}, {test}: called {called:.3f}, interval lacks 0 {missed:.3f}",
                        flush=True,
                    )
        return
    tally = Tally(n_sets)
    for n, world in chosen:
        names = [name for name in settings.metrics if not (name.endswith("@3") and world.n_labels <= 3)]
        truth = true_values(world, names)
        shown = intervals_of(world, n, names, n_sets, settings.resamples, settings.seed, settings.interval)
        tally.show(f"n={n}, {world}  [{time.process_time() - started:.0f} s]", shown, truth)
    tally.summary()


if __name__ == "__main__":
    main()
