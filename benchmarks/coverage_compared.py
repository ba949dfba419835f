"""How often the interval of a difference between two models holds the true one, and how often a test calls none.

    python benchmarks/coverage_compared.py              2,000 sets of each of 15 settings
    python benchmarks/coverage_compared.py --quick      100 sets of each

Both models answer the same documents of a law (`_worlds.py`), and the noise of their scores is partly the same. Where
they are equally good, the share of p-values of at most .05 should be no more than that: models of one law, and two of
which each is good at the classes that the other is bad at.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from dataclasses import dataclass, replace

import numpy as np

from _worlds import Tally, World, true_values
from assay.evaluation.protocols.comparison import compare
from assay.evaluation.protocols.comparison_result import Comparison
from assay.evaluation.protocols.evaluation import Evaluation
from assay.evaluation.uncertainty.resampling import Resampling

METRICS = ("accuracy", "balanced_accuracy", "macro_f1", "matthews", "log_loss", "brier", "roc_auc", "average_precision")
RANDOMIZED = ("accuracy", "macro_f1", "log_loss", "roc_auc")


@dataclass(frozen=True)
class Setting:
    """Documents, the two models' laws, and how much of their noise is the same."""

    n: int
    first: World
    second: World
    shared: float

    def __str__(self) -> str:
        other = f"{self.second.accuracy:.2f}" + (", at other classes" if self.second.tilt < 0 else "")
        return f"n={self.n}, {self.first} and {other}, {self.shared:.0%} of the noise the same"

    @property
    def equally_good(self) -> bool:
        """Whether there is no difference to be found."""
        return self.first.accuracy == self.second.accuracy


def alike(n: int, world: World, shared: float) -> Setting:
    """Two models of one law."""
    return Setting(n, world, world, shared)


def apart(n: int, world: World, accuracy: float, shared: float) -> Setting:
    """A model, and one of another accuracy."""
    return Setting(n, world, replace(world, accuracy=accuracy), shared)


TILTED = World(5, "balanced", 0.75, tilt=0.4)
SETTINGS = (
    alike(50, World(2, "balanced", 0.6), 0.5),
    alike(50, World(2, "5% rare", 0.96), 0.5),
    alike(50, World(5, "balanced", 0.9), 0.8),
    alike(50, World(10, "zipf", 0.75), 0.5),
    alike(200, World(2, "5% rare", 0.96), 0.8),
    alike(200, World(5, "5% rare", 0.9), 0.5),
    alike(200, World(25, "balanced", 0.75), 0.8),
    alike(1000, World(5, "5% rare", 0.97), 0.8),
    alike(1000, World(10, "zipf", 0.75), 0.5),
    Setting(50, TILTED, replace(TILTED, tilt=-0.4), 0.5),
    apart(50, World(5, "balanced", 0.9), 0.75, 0.5),
    apart(200, World(2, "5% rare", 0.98), 0.96, 0.5),
    apart(200, World(10, "zipf", 0.9), 0.75, 0.8),
    apart(1000, World(2, "balanced", 0.99), 0.97, 0.5),
    apart(1000, World(25, "zipf", 0.9), 0.88, 0.8),
)


def true_differences(setting: Setting, metrics: list[str]) -> dict[str, float]:
    """By metric, first less second."""
    if setting.equally_good:
        return dict.fromkeys(metrics, 0.0)
    first, second = (true_values(world, metrics) for world in (setting.first, setting.second))
    return {name: first[name] - second[name] for name in metrics}


def comparisons(setting: Setting, metrics: list[str], resamples: int, seed: list[int]) -> list[Comparison]:
    """What is said of one set: every metric by the bootstrap and, where nothing is to be found, by the other tests."""
    pair = setting.first.draw_pair(setting.second, setting.n, setting.shared, np.random.default_rng(seed))
    models = [Evaluation(outcomes, Resampling(resamples, threads=1)) for outcomes in pair]
    asked = [("bootstrap", name) for name in metrics]
    if setting.equally_good:
        asked += [("randomization", name) for name in RANDOMIZED if name in metrics]
        asked += [(test, "accuracy") for test in ("mcnemar", "mcnemar_mid_p")]
    how = {"n_resamples": resamples, "seed": seed[-1], "threads": 1}
    intervals = {"bootstrap": "auto"}  # of the others only p is looked at
    return [
        compare(*models, metric=name, test=test, interval=intervals.get(test, "percentile"), **how)
        for test, name in asked
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=2000)
    parser.add_argument("--quick", action="store_true", help="100 sets")
    parser.add_argument("--metrics", nargs="+", default=list(METRICS))
    parser.add_argument("--resamples", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, nargs="+", help="settings by their numbers, from 0")
    asked = parser.parse_args()
    n_sets = 100 if asked.quick else asked.sets
    tally = Tally(n_sets)
    called: dict[str, list[float]] = defaultdict(list)
    started = time.process_time()
    for setting in [SETTINGS[k] for k in asked.only] if asked.only else SETTINGS:
        shown: dict[str, list[tuple[float, float]]] = defaultdict(list)
        alarms: dict[str, int] = defaultdict(int)
        for number in range(n_sets):
            seed = [asked.seed, setting.n, setting.first.n_classes, number]
            for found in comparisons(setting, asked.metrics, asked.resamples, seed):
                alarms[f"{found.test}, {found.metric}"] += found.p_value <= 0.05
                if found.test == "bootstrap" and not np.isnan(found.difference.low):
                    shown[found.metric].append(found.difference.interval)
        title = f"{setting}  [{time.process_time() - started:.0f} s]"
        tally.show(title, shown, true_differences(setting, asked.metrics))
        if setting.equally_good:
            print("called a difference:")
            for name, count in sorted(alarms.items()):
                called[name].append(count / n_sets)
                print(f"    {name:34}{count / n_sets:8.3f}{' <' if count / n_sets > 0.065 else ''}", flush=True)
    tally.summary()
    print(f"\ndifferences called where there is none\n{'':36}{'lowest':>8}{'highest':>9}")
    for name, rates in sorted(called.items()):
        print(f"{name:36}{min(rates):8.3f}{max(rates):9.3f}")


if __name__ == "__main__":
    main()
