"""When texts of another domain help, and when texts without labels do.

    python benchmarks/adaptation.py domains            # EasyAdapt beside its alternatives
    python benchmarks/adaptation.py self-training      # few labels, 10,000 reviews without any
    python benchmarks/adaptation.py mean-teacher       # few labels, 3,662 sentences without any, a network

Means over three draws of the labelled texts. Everything has its usual settings: nothing is chosen on test texts.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

import assay
from _datasets import data_folder, read_labelled
from _measuring import describe_machine, print_table, say, write_results

SEEDS = (0, 1, 2)
#: Source and target; of the source, 5,000 texts. sst2 consists of texts of mr: these two are never put together.
PAIRS = (("imdb", "mr"), ("imdb", "sst2"), ("mr", "imdb"))
SOURCE_TEXTS, TEST_TEXTS = 5_000, 2_000
TARGET_TEXTS = (50, 200, 1_000, 4_000)
LABELLED = (50, 200, 1_000, 5_000)
UNLABELLED = 10_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("question", choices=("domains", "self-training", "mean-teacher"), nargs="?")
    parser.add_argument("--threads", type=int, default=2)
    chosen = parser.parse_args()
    folder = data_folder()
    if folder is None:
        sys.exit("There is no data: set ASSAY_DATA to the folder that holds it.")
    answers = {"domains": domains, "self-training": self_training, "mean-teacher": mean_teacher}
    for question, answer in answers.items():
        if chosen.question in (None, question):
            rows = list(answer(chosen.threads))
            print_table(f"Accuracy (%) on the target's test texts: {question}", rows)
            write_results(f"adaptation-{question}", {"rows": rows, "machine": describe_machine()})


def parts_of(name: str, seed: int) -> tuple[list[str], Any, list[str], Any]:
    """Texts and labels to learn from, in an order that depends on the seed, and to test on."""
    if name == "mr":
        texts, y = read_labelled(name, "all")
        train, y_train, test, y_test = texts[TEST_TEXTS:], y[TEST_TEXTS:], texts[:TEST_TEXTS], y[:TEST_TEXTS]
    else:
        (train, y_train), (test, y_test) = read_labelled(name, "train"), read_labelled(name, "test")
        test, y_test = test[:TEST_TEXTS], y_test[:TEST_TEXTS]
    order = np.random.default_rng(seed).permutation(len(train))
    return [train[i] for i in order], plain(y_train[order]), test, plain(y_test)


def plain(labels: Any) -> Any:
    """The same two names in every data set."""
    return np.where(np.isin(labels, ("positive", "pos", "1")), "positive", "negative")


def domains(threads: int) -> Iterator[dict[str, Any]]:
    from assay.adaptation import EasyAdapt

    for source, target in PAIRS:
        for n in TARGET_TEXTS:
            found: dict[str, list[float]] = {"target only": [], "source only": [], "together": [], "EasyAdapt": []}
            for seed in SEEDS:
                texts, y, *_ = parts_of(source, seed)
                texts, y = texts[:SOURCE_TEXTS], y[:SOURCE_TEXTS]
                own, y_own, test, y_test = parts_of(target, seed)
                own, y_own = own[:n], y_own[:n]
                both, y_both = texts + own, np.concatenate([y, y_own])
                adapted = EasyAdapt(domains=["source"] * len(texts) + ["target"] * n, target="target")
                for kind, learner, words, labels in (
                    ("target only", None, own, y_own),
                    ("source only", None, texts, y),
                    ("together", None, both, y_both),
                    ("EasyAdapt", adapted, both, y_both),
                ):
                    model = assay.TextClassifier(learner=learner, threads=threads).fit(words, labels)
                    found[kind].append(100 * model.score(test, y_test))
            say(f"{source} → {target}, {n}")
            means = {kind: float(np.mean(values)) for kind, values in found.items()}
            yield {"source": source, "target": target, "target texts": n, **means}


def self_training(threads: int) -> Iterator[dict[str, Any]]:
    from assay.adaptation import SelfTraining

    unlabelled = reviews_without_labels()
    for n in LABELLED:
        found: dict[str, list[float]] = {"labels only": [], "self-training": [], "round kept": [], "added": []}
        for seed in SEEDS:
            texts, y, test, y_test = parts_of("imdb", seed)
            texts, y = texts[:n], y[:n]
            found["labels only"].append(100 * assay.TextClassifier(threads=threads).fit(texts, y).score(test, y_test))
            model = SelfTraining(seed=seed, threads=threads).fit(texts, y, unlabelled)
            found["self-training"].append(100 * model.score(test, y_test))
            found["round kept"].append(model.best_)
            found["added"].append(model.rounds_[model.best_].added)
        say(f"self-training, {n} labels")
        yield {"labelled texts": n, **{kind: float(np.mean(values)) for kind, values in found.items()}}


def mean_teacher(threads: int) -> Iterator[dict[str, Any]]:
    from assay.neural import AveragingNetwork, MeanTeacher

    for n in LABELLED[1:]:
        found: dict[str, list[float]] = {"labels only": [], "mean teacher": []}
        for seed in SEEDS:
            texts, y, test, y_test = parts_of("mr", seed)
            unlabelled = texts[LABELLED[-1] :]
            texts, y = texts[:n], y[:n]
            network = AveragingNetwork(seed=seed, threads=threads)
            taught = MeanTeacher(network=network).fit(texts, y, unlabelled).classifier_
            found["labels only"].append(100 * network.fit(texts, y).score(test, y_test))
            found["mean teacher"].append(100 * taught.score(test, y_test))
        say(f"mean teacher, {n} labels")
        yield {"labelled texts": n, **{kind: float(np.mean(values)) for kind, values in found.items()}}


def reviews_without_labels() -> list[str]:
    folder = data_folder()
    assert folder is not None
    with gzip.open(folder / "imdb_unsup" / "corpus.txt.gz", "rt", encoding="utf-8") as lines:
        return [line.strip() for line, _ in zip(lines, range(UNLABELLED), strict=False)]


if __name__ == "__main__":
    main()
