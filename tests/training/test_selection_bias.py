"""What choosing the best of many adds to its figure, and that it is taken off."""

from __future__ import annotations

import numpy as np
import pytest

from assay.training import TrainingRun
from assay.training.selection_bias import CORRECTED, selection_optimism


def guesses(n_recipes: int, n: int, seed: int, *, right: float = 0.7) -> tuple[list[np.ndarray], np.ndarray]:
    """Answers of recipes that are all equally good, each on its own."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 2, n).astype(np.int32)
    wrong = random.random((n_recipes, n)) > right
    return [np.where(row, 1 - truth, truth).astype(np.int32) for row in wrong], truth


@pytest.mark.parametrize("metric", CORRECTED)
def test_the_best_of_equals_is_corrected_to_what_all_of_them_are_worth(metric: str) -> None:
    """Mean of 60 sets: a standard error of 0.4 points; without the correction it is 6 points too high."""
    naive, corrected = [], []
    for seed in range(60):
        answers, truth = guesses(15, 150, seed)
        best = max(float(np.mean(row == truth)) for row in answers)
        naive.append(best)
        corrected.append(best - selection_optimism(answers, truth, 2, metric, seed))
    assert np.mean(naive) > 0.75
    assert np.mean(corrected) == pytest.approx(0.7, abs=0.025)


def test_copies_are_drawn_as_one() -> None:
    """Each text twice is as much luck as each once: the same optimism, but for the draws."""
    answers, truth = guesses(15, 150, 1)
    once = selection_optimism(answers, truth, 2, "accuracy")
    twice = [np.tile(row, 2) for row in answers], np.tile(truth, 2), 2, "accuracy"
    together = selection_optimism(*twice, together=np.tile(np.arange(150), 2))
    assert together == pytest.approx(once, abs=0.005)  # 400 draws each: a standard error of .001
    assert selection_optimism(*twice) < 0.8 * once
    assert selection_optimism(answers, truth, 2, "accuracy", together=np.arange(150)) == once


def test_one_recipe_that_is_far_better_loses_nothing() -> None:
    answers, truth = guesses(10, 400, 0)
    answers[0] = truth
    assert selection_optimism(answers, truth, 2, "accuracy") == 0.0


def test_recipes_that_answer_alike_leave_little_to_luck() -> None:
    answers, truth = guesses(1, 150, 0)
    assert abs(selection_optimism(answers * 20, truth, 2, "accuracy")) < 0.01


def test_a_search_says_its_figure_without_the_optimism(searched: TrainingRun) -> None:
    crossed = searched.cross_validation
    assert crossed is not None
    optimism = crossed.optimism["accuracy"]
    assert 0 < optimism < 0.05
    assert crossed["accuracy"].value == pytest.approx(crossed.scores["accuracy"].mean() - optimism)
    assert crossed["accuracy"].low < crossed["accuracy"].value < crossed["accuracy"].high
    assert crossed.to_dict()["optimism"] == {"accuracy": optimism}
