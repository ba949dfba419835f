"""Whether word vectors learned without labels help a classifier that has few of them.

Vectors are learned from the reviews of imdb_unsup. Classifiers are trained on 100 to 3,000 labelled reviews of imdb,
several draws of each size, by n-grams alone and by n-grams beside the mean vector of the review
(`EmbeddingVectorizer`), and tested on all 25,000 test reviews. The same linear SVM learns from both; with ``--search``,
`assay.train` chooses everything, once without and once with the vectors.

A second table asks what the models make of words that they have never seen: those of Hu & Liu's lists of positive and
negative words that no training review has. N-grams can say nothing about them.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import assay
from _datasets import data_folder, read_labelled
from _measuring import describe_machine, print_table, say, write_results
from assay.embeddings import EmbeddingVectorizer, Word2Vec, WordVectors, read_vectors
from assay.features import JoinedVectorizer, TfidfVectorizer, read_lexicon
from assay.learners import LinearSVC

SIZES = (100, 300, 1000, 3000)


def main() -> None:
    folder = data_folder()
    if folder is None:
        sys.exit("There is no data: set ASSAY_DATA to the folder that holds it.")
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--draws", type=int, default=5, help="Training samples of each size.")
    options.add_argument("--vectors", help="A file of word vectors, instead of learning them.")
    options.add_argument("--search", action="store_true", help="Let assay.train choose everything.")
    asked = options.parse_args()
    vectors = read_vectors(asked.vectors) if asked.vectors else learn(folder / "imdb_unsup" / "corpus.txt.gz")
    texts, labels = read_labelled("imdb", "train")
    test_texts, test_labels = read_labelled("imdb", "test")
    ways = searched(vectors) if asked.search else fixed(vectors)
    rows, words = [], []
    for size in SIZES:
        found: dict[str, list[float]] = {name: [] for name in ways}
        unseen = []
        for draw in range(asked.draws):
            chosen = sample(labels, size, draw)
            train = [texts[i] for i in chosen], labels[chosen]
            for name, fit in ways.items():
                model = fit(*train)
                found[name].append(100 * float(np.mean(model.predict(test_texts) == test_labels)))
            unseen.append(right_side(model, vectors, folder / "lexicons", train[0]))  # the last way has vectors
        say(f"{size} reviews: " + ", ".join(f"{name} {np.mean(values):.1f}" for name, values in found.items()))
        rows.append(
            {"reviews": size} | {name: f"{np.mean(v):.1f} ± {np.std(v, ddof=1):.1f}" for name, v in found.items()}
        )
        n, share = np.mean(unseen, axis=0)
        words.append({"reviews": size, "opinion words never seen": f"{n:.0f}", "on the right side": f"{share:.1%}"})
    print_table(f"Test accuracy (%), mean and standard deviation of {asked.draws} draws", rows)
    print_table("What n-grams + vectors make of opinion words that no training review has", words)
    results = {"rows": rows, "unseen words": words, "vectors": repr(vectors), "machine": describe_machine()}
    write_results("few_labels_searched" if asked.search else "few_labels", results)


def learn(path: Path) -> WordVectors:
    began = time.perf_counter()
    vectors = Word2Vec(n_jobs=2).fit(path).vectors()
    say(f"{vectors!r} learned in {time.perf_counter() - began:.0f} s")
    return vectors


def fixed(vectors: WordVectors) -> dict[str, Any]:
    """The same learner on three kinds of features."""

    def words() -> TfidfVectorizer:
        return TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)

    def joined() -> JoinedVectorizer:
        return JoinedVectorizer([("words", words()), ("vectors", EmbeddingVectorizer(vectors, length=2.0))])

    kinds = {"n-grams": words, "vectors": lambda: EmbeddingVectorizer(vectors), "n-grams + vectors": joined}
    return {
        name: lambda texts, labels, make=make: assay.TextClassifier(make(), LinearSVC(), threads=2).fit(texts, labels)
        for name, make in kinds.items()
    }


def searched(vectors: WordVectors) -> dict[str, Any]:
    """Everything chosen by cross-validation of the training reviews."""
    return {
        "assay train": lambda texts, labels: assay.train(texts, labels, threads=2),
        "assay train --vectors": lambda texts, labels: assay.train(texts, labels, vectors=vectors, threads=2),
    }


def sample(labels: Any, size: int, draw: int) -> Any:
    """As many reviews of each class."""
    random = np.random.default_rng(draw)
    each = [random.permutation(np.flatnonzero(labels == label))[: size // 2] for label in np.unique(labels)]
    return np.concatenate(each)


def right_side(model: Any, vectors: WordVectors, folder: Path, texts: list[str]) -> tuple[int, float]:
    """How many words of the lists have a vector and are in none of the texts, and the share that has the right sign."""
    seen = set(TfidfVectorizer(token_pattern=r"(?u)\b\w+\b").fit(texts).get_feature_names_out())
    lists = {
        sign: read_lexicon(folder / f"{name}-words.txt").entries for name, sign in (("positive", 1), ("negative", -1))
    }
    words = [(word, sign) for sign, listed in lists.items() for word in listed if word in vectors and word not in seen]
    scores = model.decision_function([word for word, _ in words]) - model.decision_function(["☃"])
    return len(words), float(np.mean(np.sign(scores) == [sign for _, sign in words]))


if __name__ == "__main__":
    main()
