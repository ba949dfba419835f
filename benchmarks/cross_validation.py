"""What ten folds cost next to one fit of everything, when texts are tokenised once for all of them.

python benchmarks/cross_validation.py [data set …] [--repeats N] [--threads N]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
import sklearn.feature_extraction.text as theirs
from sklearn.pipeline import Pipeline, make_pipeline

import assay
import assay.features as ours
from _datasets import read_labelled
from _measuring import race, report
from assay.evaluation.protocols.fold_features import CorpusFeatures, settings_of
from assay.evaluation.protocols.folds import FoldPlan, make_folds
from assay.learners import LinearSVC, MultinomialNB

SETTINGS: dict[str, Any] = {"ngram_range": (1, 2), "sublinear_tf": True, "dtype": np.float32}


def contestants(texts: list[str], labels: np.ndarray, threads: int) -> dict[str, dict[str, Callable[[], Any]]]:
    """For each question: one fit of everything, and ten folds."""
    corpus = assay.Corpus(texts, labels.tolist())

    def features(make: Any) -> dict[str, Callable[[], Any]]:
        vectorizer = make.TfidfVectorizer(**SETTINGS)
        folds = make_folds(corpus.classes, corpus.label_names, FoldPlan(10))

        def ten_folds() -> None:
            counted = CorpusFeatures.of(vectorizer, texts)
            for fold in folds:
                counted.fold(fold.train, fold.test, settings_of(vectorizer), threads, reuse_memory=True)

        return {"one fit": lambda: vectorizer.fit_transform(texts), "ten folds": ten_folds}

    def pipeline(make: Any, learner: Any) -> dict[str, Callable[[], Any]]:
        model: Pipeline = make_pipeline(make.TfidfVectorizer(**SETTINGS), learner)
        return {
            "one fit": lambda: model.fit(texts, labels),
            "ten folds": lambda: assay.cross_validate(model, corpus, folds=10, threads=threads, metrics=["accuracy"]),
        }

    return {
        "features, scikit-learn's vectorizer": features(theirs),
        "features, assay's vectorizer": features(ours),
        "naive Bayes, scikit-learn's vectorizer": pipeline(theirs, MultinomialNB()),
        "naive Bayes, assay's vectorizer": pipeline(ours, MultinomialNB()),
        "LinearSVC, assay's vectorizer": pipeline(ours, LinearSVC()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="*", default=["imdb", "20ng"])
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--threads", type=int, default=2)
    settings = parser.parse_args()
    rows = []
    for data in settings.data:
        texts, labels = read_labelled(data, "train")
        for question, pair in contestants(texts, labels, settings.threads).items():
            timed = race(pair, settings.repeats)
            one, ten = timed["one fit"], timed["ten folds"]
            rows.append(
                {
                    "data": data,
                    "what": question,
                    "one fit s": one.best,
                    "ten folds s": ten.best,
                    "ten folds / one fit": ten.best / one.best,
                    "in processor seconds": ten.best_cpu / one.best_cpu,
                }
            )
    report("Ten folds, the vectorizer refitted in each, next to one fit of everything", rows)


if __name__ == "__main__":
    main()
