"""Random labels cannot be learned, however often each text stands in the data with a small change."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay import Corpus
from assay.classifier.text_classifier import TextClassifier
from assay.training import run_training
from assay.training.settings import TrainingSettings

CHANGES = {
    "blank": lambda text: text + " ",
    "case": str.upper,
    "signature": lambda text: text + "\n-- \nAnna Smith, Acme Inc., Sales",
}


def random_labels(change, n=300):
    rng = np.random.default_rng(5)
    texts = [" ".join(f"w{k}" for k in rng.integers(0, 2000, rng.integers(12, 40))) for _ in range(n)]
    labels = list(rng.choice(["yes", "no"], n))
    return Corpus([*texts, *map(CHANGES[change], texts)], labels * 2)


@pytest.mark.parametrize("change", CHANGES)
def test_near_copies_do_not_make_random_labels_predictable(change):
    corpus = random_labels(change)
    settings = TrainingSettings.chosen(learner="svm", ngrams="1-1", C=1.0, holdout=0.2, folds=3)
    run = run_training(corpus, settings)
    accuracy = run.evaluation["accuracy"]
    assert accuracy.low < 0.5 < accuracy.high
    assert run.cross_validation["accuracy"].value < 0.65
    assert any("600 rows are nearly the same as another (300 groups)" in note for note in run.notes)
    torn = run_training(
        corpus, TrainingSettings.chosen(learner="svm", ngrams="1-1", C=1.0, holdout=0.2, near_copies="ignore")
    )
    assert torn.evaluation["accuracy"].value > 0.75
    assert not any("nearly the same" in note for note in torn.notes)


def test_folds_without_a_test_part_keep_near_copies_too():
    settings = TrainingSettings.chosen(learner="svm", ngrams="1-1", C=1.0, holdout=0.0, folds=3)
    run = run_training(random_labels("case"), settings)
    assert "600 rows are nearly the same as another (300 groups); each group was kept in one fold" in run.notes


def test_cross_validation_keeps_near_copies_in_one_fold():
    corpus = random_labels("signature", 100)
    model = TextClassifier(learner="svm")
    kept = assay.cross_validate(model, corpus, folds=4)
    for fold in kept.folds:
        assert not set(fold.train % 100) & set(fold.test % 100)
    assert kept.notes == ("200 rows are nearly the same as another (100 groups); each group was kept in one fold.",)
    assert kept["accuracy"].value < 0.65
    torn = assay.cross_validate(model, corpus, folds=4, near_copies="ignore")
    assert torn["accuracy"].value > 0.75


def test_dedupe_trains_on_one_of_each():
    model = assay.train(random_labels("blank", 50), learner="svm", ngrams="1-1", dedupe=True)
    assert model.provenance["data"]["rows"] == 50


def test_texts_that_are_all_nearly_the_same_are_refused():
    text = "nothing tells these texts apart from one another"
    corpus = Corpus([text, text.upper(), text + "!", text + " "], ["a", "b", "a", "b"])
    with pytest.raises(assay.errors.DataError, match=r"all 4 texts are nearly the same, so nothing tells their 2 cl"):
        run_training(corpus, TrainingSettings.chosen(learner="svm", ngrams="1-1", folds=2))
