"""A training says of a weak class how many examples are likely to be needed, from parts of its own texts."""

from __future__ import annotations

import numpy as np

from assay.data.corpus.corpus import Corpus
from assay.training import TrainingSettings, run_training


def messages(n: int, n_rare: int, own: int, seed: int = 0) -> Corpus:
    """Rare texts have one word of `own` that no other class has, so that each example teaches a little."""
    random = np.random.default_rng(seed)
    rows = [[f"w{i}" for i in random.integers(0, 60, 8)] for _ in range(n)]
    for row in rows[n - n_rare :]:
        row[0] = f"r{random.integers(0, own)}"
    return Corpus([" ".join(row) for row in rows], ["keep"] * (n - n_rare) + ["remove"] * n_rare)


def trained(corpus: Corpus, threads: int = 1):
    settings = TrainingSettings.chosen(learner="nb", ngrams="1", folds=5, holdout=0.0)
    return run_training(corpus, settings, threads=threads)


def test_a_class_of_which_little_is_found_gets_a_range_that_holds_the_truth() -> None:
    found = trained(messages(1500, 100, own=250)).more["remove"]
    assert found.reason is None
    enough = next(n for n in (150, 250, 400, 700, 1200) if _recall(n) >= 0.5)
    assert found.low <= enough * 1.7
    assert found.high >= enough / 1.7  # the next smaller one was not enough


def _recall(n_rare: int) -> float:
    model = trained(messages(15 * n_rare, n_rare, own=250, seed=2)).model
    fresh = messages(3000, 1000, own=250, seed=3)
    return float(np.mean(model.predict(fresh.texts)[2000:] == "remove"))


def test_a_class_that_cannot_be_told_gets_no_number() -> None:
    random = np.random.default_rng(0)
    rows = [" ".join(f"w{i}" for i in random.integers(0, 60, 8)) for _ in range(600)]
    run = trained(Corpus(rows, ["keep"] * 570 + ["remove"] * 30))
    assert run.more["remove"].reason in ("few", "flat")
    assert "cannot be said" in run.headline.advice[0]
    assert run.to_dict()["verdict"]["advice"][0] == run.headline.advice[0]


def test_it_depends_on_no_number_of_threads() -> None:
    corpus = messages(800, 60, own=150)
    one, two = trained(corpus), trained(corpus, threads=2)
    assert one.more == two.more
    assert list(one.more) == ["remove"]


def test_nothing_is_asked_where_every_class_is_found(two_topics: Corpus) -> None:
    assert trained(two_topics).more == {}
