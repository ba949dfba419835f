"""How often the interval of a cross-validated mean holds what such training gives on average.

    python benchmarks/coverage_folds.py              2,000 sets of each of 6 settings
    python benchmarks/coverage_folds.py --quick      100 sets of each

Documents are counts of 80 words, of which each class has its own shares, and naive Bayes learns them. The true value is
the mean, over all sets, of what the model of the first fold has on 4,000 other documents. Three intervals stand side by
side: of all answers together, widened, which is shown; the same as it is; and Nadeau and Bengio's of the folds' scores.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from _worlds import Tally, World
from assay.evaluation.metrics.catalogue import parse_metric
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.uncertainty.fold_mean import from_answers, mean_of_folds
from assay.evaluation.uncertainty.measuring import estimate_metrics
from assay.evaluation.uncertainty.metric_value import measure
from assay.evaluation.uncertainty.resampling import Resampling

METRICS = ("accuracy", "macro_f1", "balanced_accuracy", "log_loss", "roc_auc", "average_precision")
KINDS = ("shown", "as it is", "of scores")
N_WORDS, LENGTH, N_TESTED = 80, 15, 4000


@dataclass(frozen=True)
class Setting:
    """Documents, classes and their shares, how far their words differ, and folds."""

    n: int
    n_classes: int
    shares: str
    signal: float
    folds: int

    def __str__(self) -> str:
        return f"n={self.n}, {self.n_classes} classes, {self.shares}, words differ by {self.signal}, {self.folds} folds"


SETTINGS = (
    Setting(50, 2, "balanced", 0.5, 5),
    Setting(100, 4, "balanced", 0.9, 10),
    Setting(200, 3, "5% rare", 0.6, 5),
    Setting(200, 2, "5% rare", 0.9, 5),
    Setting(500, 5, "zipf", 0.6, 5),
    Setting(1000, 10, "balanced", 0.6, 10),
)


class Law:
    """Words of each class, and documents of them."""

    def __init__(self, setting: Setting) -> None:
        self.shares = World(setting.n_classes, setting.shares, 0.9).class_shares()
        random = np.random.default_rng([1, setting.n_classes])
        words = np.exp(setting.signal * random.normal(size=(setting.n_classes, N_WORDS))) / np.arange(3, N_WORDS + 3)
        self.words = words / words.sum(axis=1, keepdims=True)

    def draw(self, n: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Counts of words, and classes."""
        classes = random.choice(len(self.shares), n, p=self.shares).astype(np.int32)
        return random.poisson(LENGTH * self.words[classes]).astype(float), classes


def probabilities(train: np.ndarray, classes: np.ndarray, test: np.ndarray, n_classes: int) -> np.ndarray:
    """What naive Bayes, trained on the first, says of the others."""
    one_hot = np.eye(n_classes)[classes]
    words = one_hot.T @ train + 0.5
    scores = test @ np.log(words / words.sum(axis=1, keepdims=True)).T + np.log(one_hot.mean(axis=0) + 1e-9)
    table = np.exp(scores - scores.max(axis=1, keepdims=True))
    return table / table.sum(axis=1, keepdims=True)


def outcomes_of(classes: np.ndarray, table: np.ndarray) -> Outcomes:
    labels = tuple(f"{k:02d}" for k in range(table.shape[1]))
    return Outcomes(labels, classes, table.argmax(axis=1).astype(np.int32), table)


def stratified(classes: np.ndarray, n_folds: int, random: np.random.Generator) -> np.ndarray:
    """The fold of each document."""
    order = np.lexsort((random.random(classes.size), classes))
    folds = np.empty(classes.size, int)
    folds[order] = np.arange(classes.size) % n_folds
    return folds


class Simulation:
    """Sets of one setting: intervals of each kind, and what the first fold's models are worth."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.law = setting, Law(setting)
        self.tested = self.law.draw(N_TESTED, np.random.default_rng(77))
        self.worth: dict[str, list[float]] = defaultdict(list)
        self.intervals = {kind: defaultdict(list) for kind in KINDS}

    def cross_validate(self, seed: list[int]) -> bool:
        """One set; not one of which a class has fewer documents than there are folds, as `cross_validate` refuses."""
        n_classes, n_folds = self.setting.n_classes, self.setting.folds
        random = np.random.default_rng(seed)
        counts, classes = self.law.draw(self.setting.n, random)
        if np.bincount(classes, minlength=n_classes).min() < n_folds:
            return False
        folds = stratified(classes, n_folds, random)
        answers = np.empty((classes.size, n_classes))
        scores: dict[str, list[float]] = defaultdict(list)
        for fold in range(n_folds):
            test = folds == fold
            answers[test] = probabilities(counts[~test], classes[~test], counts[test], n_classes)
            for name in METRICS:
                scores[name].append(measure(name, outcomes_of(classes[test], answers[test])))
        train = folds != 0
        of_model = outcomes_of(self.tested[1], probabilities(counts[train], classes[train], self.tested[0], n_classes))
        parsed = [parse_metric(name, of_model.labels) for name in METRICS]
        pooled = estimate_metrics(outcomes_of(classes, answers), parsed, Resampling(400, seed[-1], threads=1))
        for name in METRICS:
            self.worth[name].append(measure(name, of_model))
            known = np.array([score for score in scores[name] if not np.isnan(score)])
            share = 1 / (n_folds - 1)
            found = (
                from_answers(name, float(known.mean()), [pooled[name]], share),
                pooled[name],
                mean_of_folds(name, known, classes.size, share),
            )
            for kind, estimate in zip(KINDS, found, strict=True):
                if not np.isnan(estimate.low):
                    self.intervals[kind][name].append(estimate.interval)
        return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=2000)
    parser.add_argument("--quick", action="store_true", help="100 sets")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, nargs="+", help="settings by their numbers, from 0")
    asked = parser.parse_args()
    n_sets = 100 if asked.quick else asked.sets
    tallies = {kind: Tally(n_sets) for kind in KINDS}
    started = time.process_time()
    for setting in [SETTINGS[k] for k in asked.only] if asked.only else SETTINGS:
        simulation, made, number = Simulation(setting), 0, 0
        while made < n_sets:
            made += simulation.cross_validate([asked.seed, setting.n, number])
            number += 1
        truth = {name: float(np.mean(values)) for name, values in simulation.worth.items()}
        for kind in KINDS:
            title = f"{setting}: {kind}  [{time.process_time() - started:.0f} s]"
            tallies[kind].show(title, simulation.intervals[kind], truth)
    for kind in KINDS:
        print(f"\n{kind}", end="")
        tallies[kind].summary()


if __name__ == "__main__":
    main()
