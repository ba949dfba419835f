"""How long it takes to explain texts, against predicting them: the target is three times as long.

    python benchmarks/explanation.py           imdb, davidson_hate and 20ng, 10,000 texts each

A linear model is trained first; neither that nor reading is timed. Three degrees of explaining are timed, each from the
texts on: the contribution of every feature of every text to the class that it was given, which is all that `top` and
the like are made of; the same shared among the characters; and the same as one object a text. Prediction is timed with
the same model, texts and threads, in turn with them.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

import numpy as np

import assay
from _datasets import read_all
from _measuring import race, report
from assay.explanation import explain_texts

LEARNERS = {"imdb": "logistic", "davidson_hate": "logistic", "20ng": "svm"}
TARGET = 3.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="*", default=list(LEARNERS))
    parser.add_argument("--texts", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--threads", type=int, default=None)
    settings = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for data in settings.data:
        rows += compare(data, settings.texts, settings.repeats, settings.threads)
    report("Explaining against predicting, words and bigrams: best of the repeats, all in one run", rows)


def compare(data: str, n_texts: int, repeats: int, threads: int | None) -> list[dict[str, Any]]:
    texts, labels = read_all(data)
    model = assay.TextClassifier(learner=LEARNERS.get(data, "logistic")).fit(texts, labels).model
    texts = texts[:n_texts]
    contestants = {
        "predict": partial(model.predict, texts, threads=threads),
        "contributions": lambda: explain_texts(model, texts, threads=threads).contributions,
        "and characters": lambda: explain_texts(model, texts, threads=threads).characters,
        "and objects": lambda: list(_characters_and_items(model, texts, threads)),
    }
    timings = race(contestants, repeats)
    base = timings["predict"]
    return [
        {
            "data": data,
            "texts": len(texts),
            "megabytes": sum(map(len, texts)) / 1e6,
            "classes": len(np.unique(labels)),
            "what": name,
            "seconds": timing.best,
            "processor seconds": timing.best_cpu,
            "times predict": timing.best / base.best,
            f"within {TARGET:g}": timing.best <= TARGET * base.best,
        }
        for name, timing in timings.items()
    ]


def _characters_and_items(model: Any, texts: list[str], threads: int | None) -> Any:
    found = explain_texts(model, texts, threads=threads)
    _ = found.characters
    return found


if __name__ == "__main__":
    main()
