"""A model that goes onward from its file alone beside the old one and one that is trained again: accuracy on the test.

    python benchmarks/onward.py [--data NAME,…] [--draws N]          imdb, ag_news_sub, banking77

Each model is trained on 80 % of the training texts, saved and loaded; then 100 or 500 of the others come with their
labels. The last rows leave five of the 77 labels of banking77 out, of which then 20 texts each come, with 100 others.
Figures are means over the draws, and processor seconds of the two updates without comparing before and after.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import assay
from _datasets import read_labelled
from _measuring import describe_machine, print_table
from assay import TextClassifier
from assay.data.corpus.corpus import Corpus
from assay.features import TfidfVectorizer
from assay.updating.onward.learning import Step
from assay.updating.onward.told import told_by

LEARNERS = ("svm", "logistic", "nbsvm", "nb", "averaged-perceptron")
NEW_LABELS, OF_EACH = 5, 20


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--data", default="imdb,ag_news_sub,banking77")
    arguments.add_argument("--draws", type=int, default=3)
    arguments.add_argument("--learners", default=",".join(LEARNERS))
    given = arguments.parse_args()
    print(describe_machine())
    rows = []
    for data in given.data.split(","):
        for learner in given.learners.split(","):
            found = [measured(data, learner, seed) for seed in range(given.draws)]
            rows += [averaged(data, learner, name, [one[name] for one in found]) for name in found[0]]
    print_table("Accuracy before, onward from the file, and trained again", rows)


def measured(data: str, learner: str, seed: int) -> dict[str, dict[str, float]]:
    """One draw: for each set of new texts the three accuracies and two times."""
    (texts, labels), (unseen, truth) = read_labelled(data, "train"), read_labelled(data, "test")
    random = np.random.default_rng(seed)
    order = random.permutation(len(texts))
    cut = len(order) * 4 // 5
    old, rest = order[:cut], order[cut:]

    def corpus(rows: npt.NDArray[Any]) -> Corpus:
        return Corpus([texts[k] for k in rows], [str(labels[k]) for k in rows])

    test = Corpus(unseen, list(map(str, truth)))
    model = fitted(corpus(old), learner)
    cases = {f"{n} texts": (model, old, rest[:n]) for n in (100, 500)}
    if data == "banking77":
        left_out = random.choice(sorted(set(map(str, labels))), NEW_LABELS, replace=False)
        is_new = np.isin(np.array(labels, dtype=str), left_out)
        fewer, more = old[~is_new[old]], [rest[~is_new[rest]][:100]]
        for label in left_out:
            own = np.flatnonzero(np.array(labels, dtype=str) == label)
            more.append(random.choice(own, OF_EACH, replace=False))
        cases[f"{NEW_LABELS} new labels"] = fitted(corpus(fewer), learner), fewer, np.concatenate(more)
    return {name: compared(*case, learner, corpus, test) for name, case in cases.items()}


def fitted(corpus: Corpus, learner: str) -> Any:
    """A model as it comes out of its file."""
    model = TextClassifier(vectorizer(), learner, sketch=False).fit(corpus)
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder, "old.assay"))
        return assay.load(Path(folder, "old.assay"))


def vectorizer() -> TfidfVectorizer:
    """Words and pairs of words."""
    return TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, dtype=np.float32)


def compared(
    model: Any,
    old: npt.NDArray[Any],
    new: npt.NDArray[Any],
    learner: str,
    corpus: Callable[[npt.NDArray[Any]], Corpus],
    test: Corpus,
) -> dict[str, float]:
    """Accuracies and processor seconds."""
    came, everything = corpus(new), corpus(np.concatenate([old, new]))
    more = sorted(set(came.label_names) - set(model.labels))
    began = time.process_time()
    step = Step.of(model, told_by(model), more, 1.0, 1)
    onward = TextClassifier.from_parts(step.learned(came).model)
    middle = time.process_time()
    again = TextClassifier(vectorizer(), learner, sketch=False).fit(everything)
    end = time.process_time()
    figures = {name: 100 * one.score(test) for name, one in (("before", model), ("onward", onward), ("again", again))}
    return {**figures, "onward, s": middle - began, "again, s": end - middle}


def averaged(data: str, learner: str, case: str, found: list[dict[str, float]]) -> dict[str, Any]:
    """The means, and how far the two updates are apart: the mean, and the least and the most of a draw."""
    means = {name: float(np.mean([one[name] for one in found])) for name in found[0]}
    apart = [one["onward"] - one["again"] for one in found]
    spread = f"{np.mean(apart):+.2f} ({min(apart):+.2f} to {max(apart):+.2f})"
    return {"data": data, "learner": learner, "new": case, **means, "onward - again": spread}


if __name__ == "__main__":
    main()
