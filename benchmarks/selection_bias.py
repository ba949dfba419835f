"""Whether the cross-validated accuracy that a search says is what its model has: bias, and coverage of the interval.

    python benchmarks/selection_bias.py                   60 sets of 150 texts from each of five data sets
    python benchmarks/selection_bias.py --quick subj      10 sets of one of them

Each set is searched as `assay.train` does; the model that comes out is measured on thousands of the texts that are
left, which is taken for the truth. "as measured" is the mean over the folds, by which the recipe was chosen.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from _datasets import read_all
from _measuring import report
from assay.training import TrainingSettings, run_training

DATA = ("subj", "mr", "trec6", "r8", "ag_news_sub")
MOST_TESTED = 6000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="*", default=DATA)
    parser.add_argument("--sets", type=int, default=60)
    parser.add_argument("--texts", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1000, help="of the first set")
    parser.add_argument("--quick", action="store_true", help="10 sets")
    settings = parser.parse_args()
    sets = 10 if settings.quick else settings.sets
    found = {data: compare(data, sets, settings.texts, settings.seed) for data in settings.data}
    rows = [row(data, table) for data, table in found.items()]
    rows.append(row("all", np.concatenate(list(found.values()))))
    report(f"Cross-validated accuracy of a search, {sets} sets of {settings.texts} texts each: bias in points", rows)


def compare(data: str, sets: int, n: int, seed: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """For each set: as measured, corrected, ends of the interval, truth."""
    texts, y = read_all(data)
    rows = []
    for number in range(sets):
        order = np.random.default_rng(seed + number).permutation(len(texts))
        train, test = order[:n], order[n : n + MOST_TESTED]
        chosen = TrainingSettings.chosen(metric="accuracy", holdout=0.0, seed=number)
        run = run_training(([texts[i] for i in train], y[train].tolist()), chosen)
        assert run.cross_validation is not None
        said = run.cross_validation["accuracy"]
        truth = float(np.mean(run.model.predict([texts[i] for i in test]) == y[test]))
        rows.append((said.value + run.cross_validation.optimism["accuracy"], said.value, said.low, said.high, truth))
    return np.array(rows)


def row(name: str, table: np.ndarray[Any, np.dtype[np.float64]]) -> dict[str, Any]:
    measured, said, low, high, truth = table.T
    return {
        "data": name,
        "truth": truth.mean(),
        "as measured": 100 * (measured - truth).mean(),
        "corrected": 100 * (said - truth).mean(),
        "±": 196 * (said - truth).std() / len(truth) ** 0.5,
        "covered": float(np.mean((low <= truth) & (truth <= high))),
        "width": (high - low).mean(),
    }


if __name__ == "__main__":
    main()
