"""Learning from one's own confident answers."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.adaptation import SelfTraining
from assay.adaptation.self_training import surest_answers
from assay.errors import DataError, NotFittedError, ParameterError
from assay.learners import LinearSVC

# Labelled texts name three words; texts without labels tie the others to them.
KNOWN = {"pos": ["great", "fun", "fine"], "neg": ["dull", "mess", "poor"]}
UNKNOWN = {"pos": ["moving", "clever"], "neg": ["tedious", "clumsy"]}
LABELS = ["pos", "neg"] * 15
TEXTS = [f"{KNOWN[label][i % 3]} film{i % 7}" for i, label in enumerate(LABELS)]
UNLABELLED = [
    f"{KNOWN[label][i % 3]} {UNKNOWN[label][i % 2]} {UNKNOWN[label][(i + 1) % 2]}" for i in range(30) for label in KNOWN
]


def test_words_are_learned_that_no_labelled_text_has(tmp_path):
    # With the first round as good as the rest, nothing would be added: hold out what only the others can answer.
    texts, labels = [*TEXTS, *["moving", "tedious", "clever", "clumsy"] * 3], [*LABELS, *["pos", "neg"] * 6]
    plain = assay.TextClassifier(learner="logistic").fit(TEXTS, LABELS)
    model = SelfTraining(learner="logistic", step=0.5, validation=0.4, patience=3).fit(texts, labels, UNLABELLED)
    assert [found.added for found in model.rounds_[:2]] == [0, 30]
    assert model.rounds_[model.best_].held_out == max(found.held_out for found in model.rounds_)
    asked = ["moving clever", "tedious clumsy"]
    sure = model.predict_proba(asked)
    assert sure[0, 1] > 0.5 > sure[1, 1]
    np.testing.assert_allclose(plain.predict_proba(asked)[0], plain.predict_proba(asked)[1])
    model.save(tmp_path / "model.assay")
    loaded = assay.load(tmp_path / "model.assay")
    np.testing.assert_array_equal(loaded.predict_proba(asked), sure)
    assert loaded.provenance["self_training"]["round"] == model.best_
    assert model.decision_function(asked).shape == (2,)
    assert model.score(TEXTS, LABELS) == 1


def test_it_stops_when_held_out_texts_get_no_better():
    model = SelfTraining(step=0.1, rounds=9, patience=2).fit(TEXTS, LABELS, UNLABELLED)
    assert model.best_ == 0  # the first round is right about everything already
    assert len(model.rounds_) == 3
    assert model.classifier_.provenance["self_training"]["added"] == 0


def test_answers_may_count_less():
    model = SelfTraining(step=0.5, rounds=1, weight=0.1).fit(TEXTS, LABELS, UNLABELLED)
    assert len(model.rounds_) == 2


def test_the_surest_answers_are_taken_class_by_class():
    X = np.array([[1.0], [-1.0], [3.0], [2.0], [-0.5], [0.1]])
    learner = LinearSVC().fit(X[:2], ["pos", "neg"])
    rows, answers = surest_answers(learner, X, np.array([1, 2]))
    assert rows.tolist() == [1, 2, 3]
    assert answers.tolist() == ["neg", "pos", "pos"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"step": 0}, "'step'"),
        ({"rounds": 0}, "'rounds'"),
        ({"weight": 2}, "'weight'"),
        ({"validation": 0}, "'validation'"),
        ({"patience": 0}, "'patience'"),
        ({"learner": "voted-perceptron"}, "needs a linear learner. Got VotedPerceptron"),
    ],
)
def test_a_setting_that_cannot_be_is_named(settings, message):
    with pytest.raises(ParameterError, match=message):
        SelfTraining(**settings).fit(TEXTS, LABELS, UNLABELLED)


def test_texts_without_labels_are_needed():
    with pytest.raises(DataError, match="There are no texts without labels"):
        SelfTraining().fit(TEXTS, LABELS, [])


def test_too_few_labels_to_hold_some_out_are_said():
    with pytest.raises(DataError, match="too few to hold some out"):
        SelfTraining().fit(["good", "bad"], ["pos", "neg"], UNLABELLED)


def test_before_fit_it_says_so():
    with pytest.raises(NotFittedError, match="not fitted yet"):
        SelfTraining().predict(["text"])
