"""A test far below the cross-validation is said to be of other texts, with the largest difference."""

from __future__ import annotations

import numpy as np
import pytest

from assay.data.corpus.corpus import Corpus
from assay.evaluation.metrics.outcomes import Outcomes
from assay.training import TrainingSettings, run_training
from assay.training.shift import shift_note


def texts(n: int, words: range, length: int, share: float, seed: int) -> Corpus:
    random = np.random.default_rng(seed)
    rows = [" ".join(f"w{i}" for i in random.choice(words, length)) for _ in range(n)]
    return Corpus(rows, ["a" if i < share * n else "b" for i in range(n)])


def answers(n: int, right: float) -> Outcomes:
    truth = np.zeros(n, np.int32)
    return Outcomes(("a", "b"), truth, (np.arange(n) >= right * n).astype(np.int32))


@pytest.mark.parametrize(
    ("test", "said"),
    [
        (texts(300, range(50), 8, 0.9, 1), "'a' is 90% of the test, and 50% of the rest"),
        (texts(300, range(50), 40, 0.5, 1), "half of the test texts have more than 40 words, half of the others more"),
        (texts(300, range(30, 80), 8, 0.5, 1), "of their words occur in no training text, where 0% would be usual"),
        (texts(300, range(50), 8, 0.5, 1), "labels may have been given by another rule there"),
    ],
)
def test_the_largest_difference_is_named_with_numbers(test: Corpus, said: str) -> None:
    note = shift_note(texts(400, range(50), 8, 0.5, 0), test, answers(400, 0.8), answers(300, 0.5))
    assert note is not None
    assert note.startswith("On the test texts 50% are right, in the cross-validation 80% were, which is no chance")
    assert said in note


@pytest.mark.parametrize("right", [0.78, 0.9])
def test_a_test_that_is_as_good_as_chance_allows_gets_no_note(right: float) -> None:
    sides = texts(400, range(50), 8, 0.5, 0), texts(300, range(50), 40, 0.9, 1)
    assert shift_note(*sides, answers(400, 0.8), answers(300, right)) is None


def test_a_training_with_a_foreign_test_notes_it(two_topics: Corpus) -> None:
    turned = Corpus(
        two_topics.texts, ["food" if label == "sport" else "sport" for label in two_topics.labels.to_pylist()]
    )
    settings = TrainingSettings.chosen(learner="nb", ngrams="1", folds=3)
    run = run_training(two_topics, settings, test=turned, threads=1)
    assert any("the test texts differ from the training texts" in note for note in run.notes)
    assert not any("differ from" in note for note in run_training(two_topics, settings, threads=1).notes)
