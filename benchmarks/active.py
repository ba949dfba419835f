"""Whether picked texts teach more than texts drawn by chance, and more than what others pick; and what a round costs.

    python benchmarks/active.py                     seven data sets, ten draws
    python benchmarks/active.py --quick sms_spam    two draws of one
    python benchmarks/active.py --no-peers

A pool of at most 20,000 texts, the same tf-idf for everybody, the same light learner (logistic regression, C = 10) to
choose by and to be measured by, on up to 3,000 other texts. Twenty labels to begin with: by chance for modAL (margin
sampling) and small-text (breaking ties), which need some, typical texts for assay; then rounds of 20, later 50. Every
text that assay shows is counted, also suspects, which teach nothing here, where labels are right.

Printed: the number of labels with which the mean curve reaches what 1,000 labels by chance give; differences of
accuracy with paired 95 % intervals over the draws; whether assay is worse than chance anywhere (one-sided paired t,
Holm over the sets, 5 %); processor seconds a round (train and choose) at the last size.

No constant was chosen on these sets: those of the strategy come from mr, sst2, r8 and 20ng.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from scipy import sparse, stats

from _labelling import CHECKED, START, Desk, asked_by_assay, asked_by_chance
from _measuring import report

SIZES = (20, 40, 60, 80, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600)
GOAL = 1000  # labels by chance whose accuracy is to be reached
FROM = 100  # labels from which curves are averaged


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="*", default=CHECKED)
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--peer-draws", type=int, default=5)
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--quick", action="store_true", help="2 draws")
    settings = parser.parse_args()
    draws = 2 if settings.quick else settings.draws
    peers = {} if settings.no_peers else {"modAL": asked_by_modal, "small-text": asked_by_small_text}
    rows, worse = [], []
    for data in settings.data:
        curves: dict[str, list[list[float]]] = {}
        goals, seconds = [], {}
        for draw in range(draws):
            desk = Desk(data, draw)
            ways: dict[str, Callable[..., Iterator[list[int]]]] = {"chance": asked_by_chance, "assay": asked_by_assay}
            if draw < min(settings.peer_draws, draws):
                ways |= peers
            for name, way in ways.items():
                curve, cost = run(desk, way)
                curves.setdefault(name, []).append(curve)
                seconds.setdefault(name, []).append(cost)
            goals.append(desk.accuracy(next(asked_by_chance(desk, [GOAL]))))
        row, p = told(data, curves, goals, seconds)
        rows.append(row)
        worse.append(p)
        print(row, flush=True)
    for row, p in zip(rows, holm(worse), strict=True):
        row["worse than chance, p (Holm)"] = p
    report("Labels needed for what 1,000 by chance give", rows)


def run(desk: Desk, way: Callable[..., Iterator[list[int]]]) -> tuple[list[float], float]:
    """Accuracy at each size, and processor seconds of the last round."""
    accuracies, cost = [], 0.0
    rounds = way(desk, SIZES)
    for _ in SIZES:
        begin = time.process_time()
        asked = next(rounds)
        cost = time.process_time() - begin
        accuracies.append(desk.accuracy(asked))
    return accuracies, cost


def told(
    data: str, curves: dict[str, list[list[float]]], goals: list[float], seconds: dict[str, list[float]]
) -> tuple[dict[str, Any], float]:
    """A row of the table, and how surely assay is worse than chance."""
    means = {name: np.mean(curve, axis=0) for name, curve in curves.items()}
    averaged = {name: np.array(curve)[:, SIZES.index(FROM) :].mean(axis=1) for name, curve in curves.items()}
    goal = float(np.mean(goals))
    row: dict[str, Any] = {"data": data, "draws": len(goals), "1,000 by chance": goal}
    for name in means:
        reached = np.flatnonzero(means[name] >= goal)
        row[f"{name}: labels"] = SIZES[reached[0]] if len(reached) else f">{SIZES[-1]}"
    row["assay at 600"] = float(means["assay"][-1])
    row["less 1,000 by chance"] = interval(np.array(curves["assay"])[:, -1] - goals)
    for name in ("chance", "modAL", "small-text"):
        if name in averaged:
            n = len(averaged[name])
            row[f"assay less {name}, mean from {FROM}"] = interval(averaged["assay"][:n] - averaged[name])
    for name in seconds:
        if name != "chance":
            row[f"{name}: s a round"] = float(np.median(seconds[name]))
    differences = averaged["assay"] - averaged["chance"]
    return row, float(stats.ttest_1samp(differences, 0, alternative="less").pvalue)


def interval(differences: Any) -> str:
    """Mean and 95 % interval by Student's t, in points."""
    mean, half = differences.mean(), stats.t.ppf(0.975, len(differences) - 1) * stats.sem(differences)
    return f"{100 * mean:+.1f} [{100 * (mean - half):+.1f}, {100 * (mean + half):+.1f}]"


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for there being several."""
    order = np.argsort(p_values)
    found, highest = np.empty(len(p_values)), 0.0
    for rank, k in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[k]))
        found[k] = highest
    return [float(p) for p in found]


# -- others ------------------------------------------------------------------------------------------------------------


def matrix(desk: Desk) -> Any:
    rows = desk.rows
    return sparse.csr_matrix((rows.data, rows.indices, rows.indptr), shape=rows.shape)


def learner() -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=10.0, max_iter=200)


def first_labels(desk: Desk) -> list[int]:
    """Twenty by chance, and more until there are two labels."""
    n = START
    while len(np.unique(desk.y[next(asked_by_chance(desk, [n]))])) < 2:
        n += 1
    return next(asked_by_chance(desk, [n]))


def asked_by_modal(desk: Desk, sizes: Sequence[int]) -> Iterator[list[int]]:
    from modAL.models import ActiveLearner
    from modAL.uncertainty import margin_sampling

    X, asked = matrix(desk), first_labels(desk)
    free = np.setdiff1d(np.arange(len(desk)), asked)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for size in sizes:
            if size > len(asked):
                active = ActiveLearner(learner(), margin_sampling, X[asked], desk.y[asked])
                chosen, *_ = active.query(X[free], n_instances=size - len(asked))
                asked = [*asked, *free[chosen].tolist()]
                free = np.setdiff1d(free, asked)
            yield list(asked)


def asked_by_small_text(desk: Desk, sizes: Sequence[int]) -> Iterator[list[int]]:
    from small_text import BreakingTies, PoolBasedActiveLearner, SklearnClassifierFactory, SklearnDataset

    asked = first_labels(desk)
    n_classes = len(desk.names)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dataset = SklearnDataset(matrix(desk), desk.y, target_labels=np.arange(n_classes))
        active = PoolBasedActiveLearner(SklearnClassifierFactory(learner(), n_classes), BreakingTies(), dataset)
        active.initialize_data(np.array(asked), desk.y[asked])
        for size in sizes:
            if size > len(asked):
                chosen = active.query(num_samples=size - len(asked))
                active.update(desk.y[chosen])
                asked = [*asked, *chosen.tolist()]
            yield list(asked)


if __name__ == "__main__":
    main()
