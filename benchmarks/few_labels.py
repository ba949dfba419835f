"""Whether word vectors learned without labels help a classifier that has few of them.

Vectors are learned from the reviews of imdb_unsup. Classifiers are trained on 100 to 3,000 labelled reviews of imdb,
several draws of each size, by n-grams alone and by n-grams beside the mean vector of the review
(`EmbeddingVectorizer`), and tested on all 25,000 test reviews. The same linear SVM learns from both; with ``--search``,
`assay.train` chooses everything, once without and once with the vectors.

A second table asks what the models make of words that they have never seen: those of Hu & Liu's lists of positive and
negative words that no training review has. N-grams can say nothing about them. The third does so for one word: no
training review has *fantastic*, though many have *great*; all test reviews that have it are asked for, as they are and
with the word taken out.
"""

from __future__ import annotations

import argparse
import re
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
HELD_BACK = re.compile(r"\bfantastic\b", re.IGNORECASE)


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
    without = np.array([not HELD_BACK.search(text) for text in texts])
    one_word = {"reviews": [text for text in test_texts if HELD_BACK.search(text)]}
    one_word["labels"] = [label for text, label in zip(test_texts, test_labels, strict=True) if HELD_BACK.search(text)]
    held_back = []
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
        held_back.append({"reviews": size} | never_seen(ways, texts, labels, without, one_word, size, asked.draws))
        say(f"{size} reviews: " + ", ".join(f"{name} {np.mean(values):.1f}" for name, values in found.items()))
        rows.append(
            {"reviews": size} | {name: f"{np.mean(v):.1f} ± {np.std(v, ddof=1):.1f}" for name, v in found.items()}
        )
        n, share = np.mean(unseen, axis=0)
        words.append({"reviews": size, "opinion words never seen": f"{n:.0f}", "on the right side": f"{share:.1%}"})
    print_table(f"Test accuracy (%), mean and standard deviation of {asked.draws} draws", rows)
    print_table("What n-grams + vectors make of opinion words that no training review has", words)
    print_table(f"{len(one_word['reviews'])} test reviews with *fantastic*, which no training review has", held_back)
    results = {
        "rows": rows,
        "unseen words": words,
        "fantastic": held_back,
        "vectors": repr(vectors),
        "machine": describe_machine(),
    }
    write_results("few_labels_searched" if asked.search else "few_labels", results | {"machine": describe_machine()})


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


def never_seen(
    ways: dict[str, Any], texts: Any, labels: Any, without: Any, test: dict[str, Any], size: int, draws: int
) -> dict[str, str]:
    """How many of the reviews are right, and how far the word moves their scores, by models that never saw it."""
    shorter = [HELD_BACK.sub(" ", text) for text in test["reviews"]]
    pool = np.flatnonzero(without)
    found = {}
    for name, fit in ways.items():
        right, moved = [], []
        for draw in range(draws):
            chosen = pool[sample(labels[pool], size, draw)]
            model = fit([texts[i] for i in chosen], labels[chosen])
            right.append(np.mean(model.predict(test["reviews"]) == np.array(test["labels"])))
            scores, before = model.decision_function(test["reviews"]), model.decision_function(shorter)
            moved.append(np.mean(scores - before))
        found[name] = f"{100 * np.mean(right):.1f} %, {np.mean(moved):+.4f}"
    return found


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
