"""How long it takes to select features, against scikit-learn's chi2, and what it does to accuracy.

    python benchmarks/selection.py            20ng: words and bigrams, 1.2 million features, 20 classes
    python benchmarks/selection.py r8 imdb    other data

Every measure but L1 comes from one pass over the matrix, in which all of them are made together; a ranking of the best
thousand features is part of what is timed. scikit-learn's chi2 is given the same matrix of counts: it makes a table of
labels and a product of matrices, and has one measure. L1 trains a linear model on tf-idf weights. Accuracy is that of a
linear support vector machine on the tf-idf weights of the test part, with all features and with the best ones.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

import numpy as np
from sklearn.feature_selection import chi2

from _datasets import read_labelled
from _measuring import race, report
from assay.features import CountVectorizer, FeatureSelector, TfidfTransformer, rank_features
from assay.learners import LinearSVC

MEASURES = ("information-gain", "chi2", "pmi", "gini", "df")
TARGET = 2.0  # seconds, on 20ng


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="*", default=["20ng"])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--k", type=int, default=20_000, help="features to keep for the accuracy")
    settings = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for data in settings.data:
        rows += compare(data, settings.repeats, settings.k)
    report("Selecting features, words and bigrams: best of the repeats, all in one run", rows)


def compare(data: str, repeats: int, k: int) -> list[dict[str, Any]]:
    texts, y = read_labelled(data, "train")
    unseen, truth = read_labelled(data, "test")
    vectorizer = CountVectorizer(ngram_range=(1, 2), dtype=np.float32)
    X, X_test = vectorizer.fit_transform(texts), vectorizer.transform(unseen)
    contestants = {measure: partial(rank_features, X, y, measure=measure, top=1000) for measure in MEASURES}
    contestants["scikit-learn's chi2"] = partial(chi2, X, y)
    weights = TfidfTransformer(sublinear_tf=True).fit(X)
    train, test = weights.transform(X), weights.transform(X_test)
    contestants["l1"] = partial(rank_features, train, y, measure="l1", top=1000)
    timings = race(contestants, {name: 1 if name == "l1" else repeats for name in contestants})
    theirs = timings["scikit-learn's chi2"].best
    rows = []
    for name, timing in timings.items():
        kept = np.arange(X.shape[1])
        if not name.startswith("scikit"):
            kept = FeatureSelector(name, k=k).fit(train, y).get_support(indices=True)
        rows.append(
            {
                "data": data,
                "measure": name,
                "features": X.shape[1],
                "seconds": timing.best,
                "processor seconds": timing.best_cpu,
                "chi2 / this": theirs / timing.best,
                f"within {TARGET:g} s": timing.best < TARGET,
                "kept": len(kept),
                "accuracy": 100 * float(LinearSVC().fit(train[:, kept], y).score(test[:, kept], truth)),
            }
        )
    return rows


if __name__ == "__main__":
    main()
