"""Updating a model with a hundred labels beside training it: whole processes, processor time and wall clock.

    python benchmarks/update.py [--repeats N]                                         imdb: 25,000 reviews, 33 MB

`assay train FILE --learner svm --ngrams 1-2`, once with nothing held out, so that the update trains two more models to
compare before and after, and once with a fifth held out; then `assay update` with 50 labels turned round and 50 texts
of the test file. Both take turns; the least of all rounds counts.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyarrow import csv

from _datasets import read_labelled
from _measuring import describe_machine, print_table
from _processes import ASSAY


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--repeats", type=int, default=3)
    given = arguments.parse_args()
    print(describe_machine())
    train, test = read_labelled("imdb", "train"), read_labelled("imdb", "test")
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder, "train.csv"), *train)
        write(Path(folder, "new.csv"), *new_labels(train, test))
        rows = [measured(Path(folder), holdout, given.repeats) for holdout in ("0", "0.2")]
    print_table("An update with 100 labels beside the training", rows)


def new_labels(
    train: tuple[list[str], npt.NDArray[Any]], test: tuple[list[str], npt.NDArray[Any]]
) -> tuple[list[str], list[str]]:
    """Fifty labels of old texts turned round, and fifty texts more."""
    random = np.random.default_rng(0)
    turned, more = (random.choice(len(part[0]), 50, replace=False) for part in (train, test))
    names = sorted(set(train[1].tolist()))
    labels = [names[1 - names.index(train[1][k])] for k in turned] + [str(test[1][k]) for k in more]
    return [train[0][k] for k in turned] + [test[0][k] for k in more], labels


def write(path: Path, texts: list[str], labels: Any) -> None:
    """A CSV file."""
    csv.write_csv(pa.table({"text": texts, "label": labels}), path)


def measured(folder: Path, holdout: str, repeats: int) -> dict[str, Any]:
    """The least processor time and the least wall clock of both commands."""
    training = (ASSAY, "train", "train.csv", "--learner", "svm", "--ngrams", "1-2", "--holdout", holdout, "-f", "-q")
    updating = (ASSAY, "update", "train.assay", "new.csv", "--even-if-worse", "-f", "-q")
    each = [[seconds_of(command, folder) for command in (training, updating)] for _ in range(repeats)]
    (train, trained), (update, updated) = np.array(each).min(axis=0).tolist()
    row = {"held out": holdout, "train, s": train, "update, s": update, "ratio": update / train}
    return {**row, "train, wall": trained, "update, wall": updated, "ratio, wall": updated / trained}


def seconds_of(command: tuple[str, ...], folder: Path) -> tuple[float, float]:
    """Of a process: processor seconds, in the kernel too, and those of the clock."""
    before, began = os.times(), time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    after, ended = os.times(), time.perf_counter()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return spent, ended - began


if __name__ == "__main__":
    main()
