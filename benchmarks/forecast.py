"""Whether the examples that are said to be needed are those that are needed.

    python benchmarks/forecast.py                      twenty starts of each size
    python benchmarks/forecast.py --quick sms_spam     two of one data set

From a few hundred texts, the share of a class's texts that is found with growing parts of them gives a range of
examples with which half of the class, or 80 % of it, is likely to be found (see `assay.training.growth`). What is truly
needed: models trained the same way on growing samples of all texts, tested on those left, the mean of several samples
of each size; where that curve crosses the goal.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from _datasets import read_all
from _measuring import report
from assay.training import TrainingSettings, growth, run_training

DATA = ("sms_spam", "davidson_hate", "r8")
STARTS = (120, 250, 500, 1000)  # texts that a forecast is made from
STEP = 2.0
MOST = 10_000  # texts of the largest sample
GOALS = {"davidson_hate": 0.5}  # of the others half is found with a handful of examples: 0.8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="*", default=DATA)
    parser.add_argument("--sets", type=int, default=20)
    parser.add_argument("--samples", type=int, default=5, help="of each size, for what is truly needed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="2 sets, 2 samples")
    settings = parser.parse_args()
    sets, samples = (2, 2) if settings.quick else (settings.sets, settings.samples)
    rows = []
    for data in settings.data:
        texts, y = read_all(data)
        growth.GOAL = goal = GOALS.get(data, 0.8)
        needed = truly_needed(texts, y, goal, samples, settings.seed)
        print(data, {label: round(n) if np.isfinite(n) else None for label, n in needed.items()}, flush=True)
        said = [forecast for n in STARTS for forecast in forecasts(texts, y, n, sets, settings.seed + 100)]
        rows.append({"data": data, "goal": goal, **row(said, needed)})
    report("Examples needed to find so much of a class, as said and in truth", rows)


def trained(texts: list[str], y: Any, rows: Any, folds: int) -> Any:
    chosen = TrainingSettings.chosen(learner="svm", ngrams="1-2", holdout=0.0, folds=folds, metric="macro_f1")
    return run_training(([texts[i] for i in rows], y[rows].tolist()), chosen, threads=1)


def truly_needed(texts: list[str], y: Any, goal: float, samples: int, seed: int) -> dict[str, float]:
    """Of each class, the examples with which the mean curve crosses the goal for good; infinite where it does not."""
    labels, share = np.unique(y), {}
    largest = min(0.7 * len(texts), MOST)
    sizes = [int(n) for n in 60 * STEP ** np.arange(30) if n <= largest]
    curve = np.zeros((len(sizes), labels.size))
    for i, n in enumerate(sizes):
        found = []
        for number in range(samples if n < 2000 else 1):
            order = np.random.default_rng(seed + number).permutation(len(texts))
            train, test = order[:n], order[int(0.7 * len(texts)) :]
            if min(np.unique(y[train], return_counts=True)[1]) < 2:
                train = np.array([i for i in train if (y[train] == y[i]).sum() > 1])
            answers = trained(texts, y, train, 5).model.predict([texts[i] for i in test])
            found.append([np.mean(answers[y[test] == label] == label) for label in labels])
        curve[i] = np.mean(found, axis=0)
    for k, label in enumerate(labels):
        examples = np.array(sizes) * np.mean(y == label)
        below = np.flatnonzero(curve[:, k] < goal)
        if not below.size:
            share[str(label)] = 0.0
        elif below[-1] + 1 == len(sizes):
            share[str(label)] = np.inf if curve[-1, k] < goal - 0.05 else float(examples[-1])
        else:
            j = below[-1]
            part = (goal - curve[j, k]) / (curve[j + 1, k] - curve[j, k])
            share[str(label)] = float(np.exp((1 - part) * np.log(examples[j]) + part * np.log(examples[j + 1])))
    return share


def forecasts(texts: list[str], y: Any, n: int, sets: int, seed: int) -> list[tuple[str, Any, int]]:
    """Label, forecast and examples there were, of every class of which less than the goal was found."""
    said = []
    for number in range(sets):
        rows = np.random.default_rng(seed + number).permutation(len(texts))[:n]
        names, counts = np.unique(y[rows], return_counts=True)
        rows = rows[np.isin(y[rows], names[counts > 1])]
        run = trained(texts, y, rows, 5)
        said += [(label, forecast, int((y[rows] == label).sum())) for label, forecast in run.more.items()]
    return said


def row(said: list[tuple[str, Any, int]], needed: dict[str, float]) -> dict[str, Any]:
    ranges = [(label, found, had) for label, found, had in said if found.low is not None]
    # Who has enough by the mean curve, and was out of luck, needs no more than there are.
    truth = [max(needed[label], had) for label, _, had in ranges]
    inside = [found.low <= n <= found.high for n, (_, found, _) in zip(truth, ranges, strict=True)]
    below = [n < found.low for n, (_, found, _) in zip(truth, ranges, strict=True)]
    ends = [found.high / max(found.low, 1.0) for _, found, _ in ranges if np.isfinite(found.high)]
    return {
        "weak classes": len(said),
        "not said": len(said) - len(ranges),
        "ranges": len(ranges),
        "open above": sum(bool(np.isinf(found.high)) for _, found, _ in ranges),
        "truth inside": np.mean(inside) if inside else np.nan,
        "truth below": np.mean(below) if below else np.nan,
        "truth above": np.mean(~(np.array(inside) | np.array(below))) if inside else np.nan,
        "median high/low": float(np.median(ends)) if ends else np.nan,
    }


if __name__ == "__main__":
    main()
