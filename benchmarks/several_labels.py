"""Plain `assay train` on texts with several labels, beside scikit-learn's one-against-the-rest and LibMultiLabel.

GoEmotions: 28 labels, official parts. Ours goes through the command as a user would call it. Of scikit-learn, tf-idf of
words and pairs of words and `OneVsRestClassifier(LinearSVC)` at margin 0 with C = 1, 3 and 10, the best of which is
taken by the test itself: it is flattered. LibMultiLabel (linear, one against the rest, and its tree) is raced where it
is installed, beside our learners on words alone, with nothing chosen: from texts in memory to a model. ``--only`` names
some of ours, scikit-learn and libmultilabel. Seconds are of the clock and, of all threads together, of the processor.
``--part dev`` measures on the part for trying things; the test part is for the last look. ``--data`` names another set,
made of texts with one label each (`_made_sets.py`): digests, requests or newsgroups.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from _datasets import data_folder, read_labelled
from _made_sets import MADE, made, write_made
from _measuring import report, say

DATA = "goemotions_multilabel"
Indicators = tuple[list[str], Any, list[str], Any]  # texts and table of labels, to train on and to test on
CALIBRATION = "largest calibration error of a label with 100 texts"


def main(data: str, part: str, only: list[str]) -> None:
    folder = data_folder()
    if folder is None:
        sys.exit("There is no data: set ASSAY_DATA to the folder that holds it.")
    if data in MADE and part != "test":
        sys.exit(f"{data} has a part to train on and one to test on: leave --part out.")
    if data in MADE:
        say(f"{data}: {MADE[data]}")
    both = _indicators(data, part)
    rows = ours(folder / DATA, data, part) if "ours" in only else []
    rows += scikit_learn(both) if "scikit-learn" in only else []
    rows += [*ours_on_words(both), *lib_multi_label(both)] if "libmultilabel" in only else []
    report("several_labels", rows)


def ours(folder: Path, data: str, part: str) -> list[dict[str, Any]]:
    rows = []
    for metric in ("micro_f1", "macro_f1"):
        with tempfile.TemporaryDirectory() as place:
            files = [folder / f"{each}.csv.gz" for each in ("train", part)]
            if data in MADE:
                files = [write_made(data, each, Path(place, f"{each}.jsonl")) for each in ("train", part)]
            assay = str(Path(sys.executable).with_name("assay"))
            command = [assay, "train", str(files[0]), "--metric", metric]
            command += ["--test", str(files[1]), "-o", f"{place}/m.assay", "--json", "--quiet"]
            began = Clock.now(of_children=True)
            told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            seconds = Clock.now(of_children=True) - began
        found = told["evaluation"]["metrics"]
        frequent = [each for each in told["evaluation"]["labels"] if each["documents"] >= 100]
        errors = [each["metrics"]["calibration_error"]["value"] for each in frequent]
        row = _row(f"assay train --metric {metric}", found["micro_f1"]["value"], found["macro_f1"]["value"], seconds)
        rows.append(row | {CALIBRATION: round(max(errors), 3) if errors else None})
    return rows


def scikit_learn(both: Indicators) -> list[dict[str, Any]]:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.svm import LinearSVC

    texts, Y, test, truth = both
    rows = []
    for C in (1.0, 3.0, 10.0):
        began = Clock.now()
        vectorizer = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
        model = OneVsRestClassifier(LinearSVC(C=C)).fit(vectorizer.fit_transform(texts), Y)
        seconds = Clock.now() - began
        rows.append(_scored(f"scikit-learn, C={C:g}", truth, model.predict(vectorizer.transform(test)), seconds))
    return rows


def ours_on_words(both: Indicators) -> list[dict[str, Any]]:
    from assay import TextClassifier
    from assay.features import TfidfVectorizer
    from assay.learners import LabelTreeClassifier, LinearSVC

    texts, Y, test, truth = both
    rows = []
    for name, learner in (("one against the rest", LinearSVC()), ("label tree", LabelTreeClassifier())):
        began = Clock.now()
        model = TextClassifier(TfidfVectorizer(), learner).fit(texts, Y)
        seconds = Clock.now() - began
        rows.append(_scored(f"assay, words, {name}", truth, model.predict(test), seconds))
    return rows


def lib_multi_label(both: Indicators) -> list[dict[str, Any]]:
    sys.modules.setdefault("coverage", None)  # type: ignore[arg-type]  # numba would take `coverage.py` for the package
    try:
        from libmultilabel import linear
    except ImportError:
        say("LibMultiLabel is not installed: it is left out.")
        return []
    texts, Y, test, truth = both
    from scipy import sparse
    from sklearn.feature_extraction.text import TfidfVectorizer

    rows = []
    for name, train in (("1vsrest", linear.train_1vsrest), ("tree", linear.train_tree)):
        began = Clock.now()
        vectorizer = TfidfVectorizer()
        model = train(sparse.csr_matrix(Y), vectorizer.fit_transform(texts).astype(np.float64), "")
        seconds = Clock.now() - began
        scores = linear.predict_values(model, vectorizer.transform(test).astype(np.float64))
        rows.append(_scored(f"LibMultiLabel, linear {name}", truth, (np.asarray(scores) > 0).astype(int), seconds))
    return rows


class Clock(NamedTuple):
    """Seconds of the clock, and of the processor in this process or in those that it started."""

    clock: float
    processor: float

    @classmethod
    def now(cls, *, of_children: bool = False) -> Clock:
        """What has passed up to here."""
        used = resource.getrusage(resource.RUSAGE_CHILDREN if of_children else resource.RUSAGE_SELF)
        return cls(time.perf_counter(), used.ru_utime + used.ru_stime)

    def __sub__(self, earlier: Clock) -> Clock:
        return Clock(self.clock - earlier.clock, self.processor - earlier.processor)


def _indicators(data: str, part: str) -> Indicators:
    from sklearn.preprocessing import MultiLabelBinarizer

    (texts, labels), (test, truth) = (_read(data, each) for each in ("train", part))
    binarizer = MultiLabelBinarizer()
    Y = binarizer.fit_transform(labels)
    return texts, Y, test, binarizer.transform(truth)


def _read(data: str, part: str) -> tuple[list[str], list[list[str]]]:
    if data in MADE:
        return made(data, part)
    texts, cells = read_labelled(DATA, part)
    return texts, [cell.split("|") for cell in cells]


def _scored(name: str, truth: Any, said: Any, seconds: Clock) -> dict[str, Any]:
    from sklearn.metrics import f1_score

    micro, macro = (f1_score(truth, said, average=each, zero_division=0) for each in ("micro", "macro"))
    return _row(name, micro, macro, seconds)


def _row(name: str, micro: float, macro: float, seconds: Clock) -> dict[str, Any]:
    scores = {"micro-F1": round(micro, 3), "macro-F1": round(macro, 3)}
    times = {"seconds": round(seconds.clock, 1), "processor seconds": round(seconds.processor, 1)}
    return {"who": name, **scores, **times, CALIBRATION: None}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default="goemotions", choices=("goemotions", *MADE))
    parser.add_argument("--part", default="test", choices=("dev", "test"))
    contestants = ["ours", "scikit-learn", "libmultilabel"]
    parser.add_argument("--only", nargs="+", default=contestants, choices=contestants)
    asked = parser.parse_args()
    main(asked.data, asked.part, asked.only)
