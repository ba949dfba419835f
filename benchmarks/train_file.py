"""From a CSV file to a saved model as whole processes: time, peak memory and accuracy beside other programs.

    python benchmarks/train_file.py [--repeats N] [--without scikit-learn ...]        imdb: 25,000 reviews, 33 MB

`assay train FILE --learner svm --ngrams 1-2` against the script that a user of scikit-learn writes, and against
fastText and Vowpal Wabbit, where they are installed. These read formats of their own: once they are written beforehand
and not timed ("alone"), once by the script that a user writes, which is ("from the CSV file"). Rows are shuffled for
everybody. The contestants take turns; the best of all rounds counts.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv

from _datasets import read_labelled
from _measuring import describe_machine, print_table, write_results
from _peers import fasttext_race, vowpal_wabbit_race
from _processes import ASSAY, Command, Run, best_runs

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
# In small letters, words only: what has a meaning in the formats (a bar, a colon, a line break) is no word.
LINES = """
import csv, re
words = re.compile(r"\\b\\w+\\b")
with open("train.csv", newline="", encoding="utf-8") as table, open("{to}", "w", encoding="utf-8") as lines:
    for row in csv.DictReader(table):
        text = " ".join(words.findall(row["text"].lower()))
        label = {label}
        lines.write(f"{{label}} {{text}}\\n")
"""
FASTTEXT = """
import fasttext
model = fasttext.train_supervised("{lines}", epoch=5, wordNgrams=2, lr=0.5, thread=2, verbose=0)
model.save_model("{model}")
"""
VOWPAL_WABBIT = """
import vowpalwabbit
vowpalwabbit.Workspace("-d {lines} --loss_function logistic --ngram 2 -b 22 {passes} -f {model} --quiet").finish()
"""
FIVE_PASSES = "--passes 5 -c -k --holdout_off"


@dataclass(frozen=True)
class Contestant:
    """A process, and how to find the share of the test texts that its model gets right."""

    command: Command
    accuracy: Callable[[], float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--without", action="append", default=[], help="leave out contestants whose names begin so")
    arguments = parser.parse_args()
    train, test = read_labelled("imdb", "train"), read_labelled("imdb", "test")
    with tempfile.TemporaryDirectory() as name:
        contestants = {
            what: made
            for what, made in prepare(Path(name), train, test).items()
            if not what.startswith(tuple(arguments.without))
        }
        found = best_runs({what: made.command for what, made in contestants.items()}, arguments.repeats)
        ours = found["assay"]
        rows: list[dict[str, Any]] = [
            {
                "contestant": what,
                "seconds": took.seconds,
                "times assay's": took.seconds / ours.seconds,
                "cpu seconds": took.cpu,
                "times assay's cpu": took.cpu / ours.cpu,
                "peak MB": took.megabytes,
                "accuracy %": 100 * contestants[what].accuracy(),
            }
            for what, took in found.items()
        ]
    print_table(f"imdb, CSV to saved model, whole processes, best of {arguments.repeats}", rows)
    say_ratios(found)
    write_results("train_file", {"rows": rows, "machine": describe_machine()})


def say_ratios(found: Mapping[str, Run]) -> None:
    """How long assay takes beside the quickest of the others, with and without what must be done before it."""
    for peer in ("Vowpal Wabbit, one pass, alone", "Vowpal Wabbit, one pass, from the CSV file"):
        if peer in found:
            ours, theirs = found["assay"], found[peer]
            print(
                f"assay takes {ours.seconds / theirs.seconds:.2f} times as long as {peer}, and "
                f"{ours.cpu / theirs.cpu:.2f} times its processor seconds"
            )


def prepare(folder: Path, train: tuple[Any, Any], test: tuple[Any, Any]) -> dict[str, Contestant]:
    """Write what each of them reads."""
    csv.write_csv(pa.table({"text": list(train[0]), "label": list(train[1])}), folder / "train.csv")
    assay = [ASSAY, "train", "train.csv", "--learner", "svm", "--ngrams", "1-2", "--force"]

    def script(*parts: str) -> Command:
        return Command([sys.executable, "-c", "".join(parts)], folder)

    contestants = {
        "assay": Contestant(Command(assay, folder), lambda: score_assay(folder, test)),
        "scikit-learn script": Contestant(script(SCIKIT_LEARN), lambda: score_scikit_learn(folder, test)),
    }
    names, classes = np.unique(train[1], return_inverse=True)
    indexed = (train[0], classes), (test[0], np.unique(test[1], return_inverse=True)[1])
    positive = str(names[1])
    if find_spec("fasttext"):
        peer = fasttext_race(folder, *indexed, epochs=5)
        either = f'"__label__1" if row["label"] == {positive!r} else "__label__0"'
        made = LINES.format(to="made.txt", label=either)
        for before, lines, said in (("", "fasttext-train.txt", "alone"), (made, "made.txt", "from the CSV file")):
            model = f"fasttext, {said}.bin"
            contestants[f"fastText, 5 epochs, {said}"] = Contestant(
                script(before, FASTTEXT.format(lines=lines, model=model)),
                lambda model=model: peer.accuracy(_fasttext_model(folder / model)),
            )
    if find_spec("vowpalwabbit"):
        other = vowpal_wabbit_race(folder, *indexed)
        made = LINES.format(to="made.vw", label=f'"1 |" if row["label"] == {positive!r} else "-1 |"')
        for number, (before, lines, passes, said) in enumerate(
            (
                ("", "vw-train.txt", "", "one pass, alone"),
                ("", "vw-train.txt", FIVE_PASSES, "5 passes, alone"),
                (made, "made.vw", "", "one pass, from the CSV file"),
            )
        ):
            model = f"{number}.vw"
            contestants[f"Vowpal Wabbit, {said}"] = Contestant(
                script(before, VOWPAL_WABBIT.format(lines=lines, passes=passes, model=model)),
                lambda model=model: other.accuracy(folder / model),
            )
    return contestants


def score_assay(folder: Path, test: tuple[Any, Any]) -> float:
    import assay

    return float(np.mean(assay.load(folder / "train.assay").predict(list(test[0])) == test[1]))


def score_scikit_learn(folder: Path, test: tuple[Any, Any]) -> float:
    import joblib

    return float(np.mean(joblib.load(folder / "model.joblib").predict(test[0]) == test[1]))


def _fasttext_model(path: Path) -> Any:
    import fasttext

    return fasttext.load_model(str(path))


if __name__ == "__main__":
    main()
