"""What is chosen of the finalists is never worse, by the metric, than the best of them alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.training.learner_settings import LearnerSettings
from assay.training.recipes import Recipe
from assay.training.trials import Finalist, Material, Trial
from assay.training.winners import choose_winners
from assay.training.yardstick import Yardstick


def finalist(name: str, truth: np.ndarray, right: np.ndarray, sure: float, mistaken: float) -> Finalist:
    """A recipe that is so sure of its right answers, and so sure of its mistakes."""
    margin = np.where(right, sure, -mistaken)
    scores = np.stack([np.where(truth == k, margin, -margin) for k in (0, 1)], axis=1)
    trial = Trial(Recipe((), LearnerSettings(name)), 1, 300, np.full(4, right.mean()), 0.0, 1 / 3, "m")
    return Finalist(trial, scores, np.arange(truth.size))


def material(truth: np.ndarray) -> Material:
    nothing: Any = None
    labels = ("a", "b")
    fold_of = (np.arange(truth.size) // 2 % 4).astype(np.int64)
    return Material(nothing, truth, labels, np.arange(truth.size), fold_of, Yardstick("accuracy", labels), 0, 1)


def test_a_combination_that_came_down_to_one_member_is_compared_with_the_best() -> None:
    random = np.random.default_rng(0)
    truth = np.arange(400, dtype=np.int32) % 2
    best, likely = random.random(400) < 0.85, random.random(400) < 0.75
    # The best is very sure where it is wrong: by likelihood alone the other one stays, and it is right less often.
    finalists = [finalist("svm", truth, best, 1.0, 5.0), finalist("nb", truth, likely, 3.0, 0.2)]
    winners = choose_winners(material(truth), finalists, 2)
    assert [member.recipe for member in winners.members] == [finalists[0].trial.recipe]
    assert np.mean(winners.tested.predicted == truth) == best.mean()


def test_a_model_in_whose_scores_there_is_no_confidence_is_measured_by_its_answers() -> None:
    truth = np.arange(400, dtype=np.int32) % 2
    right = np.random.default_rng(1).random(400) < 0.6
    winners = choose_winners(material(truth), [finalist("svm", truth, right, 1.0, 20.0)], 1)
    assert np.mean(winners.tested.predicted == truth) == right.mean()
    assert winners.tested.probabilities.max() < 0.6
