"""How accurate plain `assay train` is, beside scikit-learn's best simple setting and published figures.

Each data set goes through the command as a user would call it, with no options: the training file, and the test file
as given (``--test``); `mr`, `subj` and `sms_spam`, which have no split, by ten-fold cross-validation of the whole
search. The settings of scikit-learn are compared by cross-validation of the training part, too. Takes half an hour;
name data sets to run only some, and ``--quick`` for one fold of ten.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import assay
from _datasets import data_folder
from _measuring import describe_machine, print_table, say, write_results
from assay.data.corpus.corpus import Corpus

# Floors, and published figures where there are some: shared/data/README.md has the sources.
DATA: dict[str, dict[str, Any]] = {
    "20ng": {"floor": 87.0, "published": "S²GC 88.6, Text GCN 86.3"},
    "r8": {"floor": 97.5, "published": "S²GC 97.5, Text GCN 97.1"},
    "imdb": {"floor": 91.5, "published": "NBSVM-bi 91.2"},
    "mr": {"floor": 79.0, "published": "NBSVM-bi 79.4, CNN-rand 76.1"},
    "subj": {"floor": 92.8, "published": "NBSVM-bi 93.2, CNN-rand 89.6"},
    "sst2": {"floor": 82.8, "published": "CNN-rand 82.7 (with phrases)"},
    "trec6": {"floor": 90.0, "published": "CNN-rand 91.2"},
    "banking77": {"floor": 91.0, "published": ""},
    "ag_news_sub": {"floor": 92.0, "published": ""},
    "sms_spam": {"floor": 97.0, "metric": "macro_f1", "published": ""},
}
FOLDS = 10


def main(names: list[str], *, quick: bool) -> None:
    folder = data_folder()
    if folder is None:
        sys.exit("There is no data: set ASSAY_DATA to the folder that holds it.")
    rows = []
    for name in names or DATA:
        metric = DATA[name].get("metric", "accuracy")
        ours, seconds, theirs = [], [], []
        for train, test in parts(folder / name, quick=quick):
            began = time.perf_counter()
            ours.append(100 * train_and_test(train, test, metric))
            seconds.append(time.perf_counter() - began)
            theirs.append(100 * scikit_learn(train, test, metric))
            say(f"{name}: {ours[-1]:.2f} in {seconds[-1]:.0f} s; scikit-learn {theirs[-1]:.2f}")
        rows.append(
            {
                "data": name,
                "metric": metric,
                "assay train": float(np.mean(ours)),
                "scikit-learn": float(np.mean(theirs)),
                "floor": DATA[name]["floor"],
                "seconds": float(np.mean(seconds)),
                "folds": len(ours),
                "published": DATA[name]["published"],
            }
        )
        print_table("Test accuracy (%), settings chosen on training data alone", rows)
    write_results("accuracy", {"rows": rows, "machine": describe_machine()})


def parts(folder: Path, *, quick: bool) -> Iterator[tuple[Corpus, Corpus]]:
    """The given split, or ten folds."""
    files = sorted(folder.glob("*.csv.gz"))
    by_name = {file.name.removesuffix(".csv.gz"): file for file in files}
    if "train" in by_name:
        yield assay.read(by_name["train"]), assay.read(by_name["test"])
        return
    corpus = assay.read(files[0])
    from sklearn.model_selection import StratifiedKFold

    splitter = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    for number, (train, test) in enumerate(splitter.split(np.zeros(len(corpus)), corpus.classes)):
        yield corpus.select(train), corpus.select(test)
        if quick and number == 0:
            return


def train_and_test(train: Corpus, test: Corpus, metric: str) -> float:
    """Run the installed command on files, and read what it measured."""
    import pyarrow.parquet as pq

    command = Path(sys.executable).with_name("assay")
    with tempfile.TemporaryDirectory() as folder:
        for name, part in (("train", train), ("test", test)):
            pq.write_table(part.to_arrow(), f"{folder}/{name}.parquet")
        done = subprocess.run(
            [command, "train", "train.parquet", "--test", "test.parquet", "--json"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )
    return float(json.loads(done.stdout)["evaluation"]["metrics"][metric]["value"])


def scikit_learn(train: Corpus, test: Corpus, metric: str) -> float:
    """tf-idf and a linear SVM, words or words and characters, three strengths: the best by cross-validation."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.metrics import accuracy_score, f1_score
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    pipeline = make_pipeline(TfidfVectorizer(sublinear_tf=True), LinearSVC())
    grid = {"tfidfvectorizer__ngram_range": [(1, 1), (1, 2)], "linearsvc__C": [0.3, 1.0, 3.0]}
    scoring = "f1_macro" if metric == "macro_f1" else "accuracy"
    search = GridSearchCV(pipeline, grid, cv=3, scoring=scoring, n_jobs=2)
    names = np.array(train.label_names)
    truth = np.array(test.label_names)[test.classes]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search.fit(train.texts.to_pylist(), names[train.classes])
        predicted = search.predict(test.texts.to_pylist())
    if metric == "macro_f1":
        return float(f1_score(truth, predicted, average="macro"))
    return float(accuracy_score(truth, predicted))


if __name__ == "__main__":
    main([name for name in sys.argv[1:] if not name.startswith("-")], quick="--quick" in sys.argv)
