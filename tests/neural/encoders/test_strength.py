"""The strength of a linear model over sentence vectors, chosen on the training texts."""

from __future__ import annotations

import numpy as np
import pytest

from assay.learners import LogisticRegression
from assay.neural.encoders.strength import STRENGTHS, USUAL_STRENGTH, chosen_strength, strength_sample


class _Told:
    """A learner whose share of right answers depends on its strength alone."""

    def __init__(self, strength, right):
        self.strength, self.right = strength, right

    def fit(self, rows, classes):
        return self

    def predict(self, rows):
        return np.where(np.arange(len(rows)) < self.right[self.strength] * len(rows), rows[:, 0], -1)


def choose(shares):
    """What is chosen where C = STRENGTHS[i] gets a share of the texts right, and what was tried."""
    classes = np.tile(np.arange(2, dtype=np.int32), 30)
    right, tried = dict(zip(STRENGTHS, shares, strict=True)), []

    def new_learner(strength):
        tried.append(strength)
        return _Told(strength, right)

    return chosen_strength(classes[:, None], classes, new_learner), sorted(set(tried))


@pytest.mark.parametrize(
    ("shares", "best", "tried"),
    [
        ((0.5, 0.6, 0.7, 0.8), 30.0, 4),
        ((0.5, 0.6, 0.5, 0.9), 3.0, 3),
        ((0.5, 0.4, 0.7, 0.9), 1.0, 2),
        ((0.5, 0.5, 0.6, 0.5), 10.0, 4),
        ((0.5, 0.5, 0.5, 0.5), 1.0, 4),
    ],
)
def test_the_simplest_of_the_best_is_chosen_and_nothing_is_tried_after_a_worse_one(shares, best, tried):
    assert choose(shares) == (best, list(STRENGTHS[:tried]))


def test_the_choice_is_that_of_scikit_learns_cross_validation():
    from sklearn.linear_model import LogisticRegression as Theirs
    from sklearn.model_selection import PredefinedSplit, cross_val_predict

    random = np.random.default_rng(0)
    classes = np.repeat(np.arange(20, dtype=np.int32), 9)[strength_sample(np.repeat(np.arange(20), 9), 0)]
    rows = (random.normal(size=(20, 30))[classes] + 1.5 * random.normal(size=(180, 30))) / 30
    folds = PredefinedSplit(np.arange(180) % 3)
    right = [
        (cross_val_predict(Theirs(C=C, tol=1e-8, max_iter=5000), rows, classes, cv=folds) == classes).sum()
        for C in STRENGTHS
    ]
    assert np.argmax(right) > 0
    found = chosen_strength(rows, classes, lambda C: LogisticRegression(C=C, tol=1e-8))
    assert found == STRENGTHS[int(np.argmax(right))], right


def test_too_few_texts_to_choose_by_give_the_usual_strength():
    classes = np.array([0, 1], dtype=np.int32)
    assert chosen_strength(np.eye(2), classes, lambda C: LogisticRegression(C=C)) == USUAL_STRENGTH


def test_the_sample_holds_each_text_once_and_every_class_in_its_share():
    classes = np.repeat(np.arange(3, dtype=np.int32), [9_000, 2_000, 1_000])
    places = strength_sample(classes, 1)
    assert len(places) == 10_000 == len(set(places.tolist()))
    assert np.abs(np.bincount(classes[places]) - np.array([7_500, 1_667, 833])).max() <= 2
    assert strength_sample(classes[::20], 1).size == 600
