"""From a CSV file to a saved model as whole processes: time, peak memory and accuracy beside other programs.

    python benchmarks/train_file.py          imdb: 25,000 reviews, 33 MB

`assay train FILE --learner svm --ngrams 1-2` against the script that a user of scikit-learn writes, and against
fastText and Vowpal Wabbit, whose own formats are written beforehand and not timed. Rows are shuffled for everybody. The
contestants take turns; the best of three counts. fastText and Vowpal Wabbit take part where they are installed.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv

from _datasets import read_labelled
from _measuring import describe_machine, print_table, say, write_results
from _peers import fasttext_race, vowpal_wabbit_race

ROUNDS = 3
SCIKIT_LEARN = """
import joblib, pandas
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
data = pandas.read_csv("train.csv")
model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), LinearSVC())
model.fit(data["text"], data["label"])
joblib.dump(model, "model.joblib")
"""
FASTTEXT = """
import fasttext
model = fasttext.train_supervised("fasttext-train.txt", epoch=5, wordNgrams=2, lr=0.5, thread=2, verbose=0)
model.save_model("model.bin")
"""
VOWPAL_WABBIT = """
import vowpalwabbit
settings = "-d vw-train.txt --loss_function logistic --ngram 2 -b 22 --passes 5 -c -k --holdout_off -f vw.model --quiet"
vowpalwabbit.Workspace(settings).finish()
"""
LAUNCHER = """
import os, sys, time
began = time.perf_counter()
nothing = [(os.POSIX_SPAWN_OPEN, n, os.devnull, os.O_WRONLY, 0) for n in (1, 2)]
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=nothing)
_, status, usage = os.wait4(child, 0)
print(time.perf_counter() - began, usage.ru_maxrss, os.waitstatus_to_exitcode(status))
"""


@dataclass(frozen=True)
class Contestant:
    """A command, and how to find the share of the test texts that its model gets right."""

    command: list[str]
    accuracy: Callable[[], float]


def main() -> None:
    train, test = read_labelled("imdb", "train"), read_labelled("imdb", "test")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        contestants = prepare(folder, train, test)
        seconds: dict[str, list[float]] = {contestant: [] for contestant in contestants}
        memory: dict[str, int] = {}
        for round_ in range(ROUNDS):
            for contestant, made in contestants.items():
                say(f"round {round_ + 1} of {ROUNDS}: {contestant}")
                took, peak = run(made.command, folder)
                seconds[contestant].append(took)
                memory[contestant] = peak
        ours = min(seconds["assay"])
        rows: list[dict[str, Any]] = [
            {
                "contestant": contestant,
                "seconds": min(seconds[contestant]),
                "times assay's": min(seconds[contestant]) / ours,
                "peak MB": memory[contestant] / 1e6,
                "accuracy %": 100 * made.accuracy(),
            }
            for contestant, made in contestants.items()
        ]
    print_table("imdb, CSV to saved model, whole processes", rows)
    write_results("train_file", {"rows": rows, "seconds": seconds, "machine": describe_machine()})


def prepare(folder: Path, train: tuple[Any, Any], test: tuple[Any, Any]) -> dict[str, Contestant]:
    """Write what each of them reads."""
    csv.write_csv(pa.table({"text": list(train[0]), "label": list(train[1])}), folder / "train.csv")
    assay = [str(Path(sys.executable).with_name("assay")), "train", "train.csv", "--learner", "svm", "--ngrams", "1-2"]
    contestants = {
        "assay": Contestant([*assay, "--force"], lambda: score_assay(folder, test)),
        "scikit-learn script": Contestant(
            [sys.executable, "-c", SCIKIT_LEARN], lambda: score_scikit_learn(folder, test)
        ),
    }
    indexed = [(texts, np.unique(labels, return_inverse=True)[1]) for texts, labels in (train, test)]
    if find_spec("fasttext"):
        peer = fasttext_race(folder, indexed[0], indexed[1], epochs=5)
        contestants["fastText, 5 epochs"] = Contestant(
            [sys.executable, "-c", FASTTEXT], lambda: peer.accuracy(_fasttext_model(folder))
        )
    if find_spec("vowpalwabbit"):
        other = vowpal_wabbit_race(folder, indexed[0], indexed[1])
        contestants["Vowpal Wabbit, 5 passes"] = Contestant(
            [sys.executable, "-c", VOWPAL_WABBIT], lambda: other.accuracy(folder / "vw.model")
        )
    return contestants


def run(command: list[str], folder: Path) -> tuple[float, int]:
    """Seconds and peak bytes of a process, started by a small one: a child's peak begins with its parent's memory."""
    launcher = [sys.executable, "-S", "-c", LAUNCHER, *command]
    done = subprocess.run(launcher, cwd=folder, capture_output=True, text=True, check=True)
    seconds, peak, code = done.stdout.split()
    if code != "0":
        raise RuntimeError(f"{command} ended with {code}")
    return float(seconds), int(peak) * (1 if sys.platform == "darwin" else 1024)


def score_assay(folder: Path, test: tuple[Any, Any]) -> float:
    import assay

    return float(np.mean(assay.load(folder / "train.assay").predict(list(test[0])) == test[1]))


def score_scikit_learn(folder: Path, test: tuple[Any, Any]) -> float:
    import joblib

    return float(np.mean(joblib.load(folder / "model.joblib").predict(test[0]) == test[1]))


def _fasttext_model(folder: Path) -> Any:
    import fasttext

    return fasttext.load_model(str(folder / "model.bin"))


if __name__ == "__main__":
    main()
