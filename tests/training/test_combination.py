from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from assay.training.combination import choose_members, combine, fit_weights, log_loss


def members(n: int = 400, n_classes: int = 3, seed: int = 0) -> tuple[list[np.ndarray], np.ndarray]:
    """Two models that know different halves of the truth, one that knows nothing, and the truth."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, n_classes, n).astype(np.int32)
    signal = np.eye(n_classes)[truth]
    noise = [random.normal(size=(n, n_classes)) for _ in range(3)]
    return [signal + noise[0], 5 * (signal + noise[1]), noise[2]], truth


def test_weights_are_those_of_a_general_optimiser() -> None:
    scores, truth = members()
    weights, loss = fit_weights(scores, truth)
    found = minimize(
        lambda w: log_loss(np.tensordot(w, np.stack(scores), 1), truth), np.full(3, 0.1), bounds=[(0, None)] * 3
    )
    assert loss == pytest.approx(found.fun, rel=1e-6)
    assert weights == pytest.approx(tuple(found.x), abs=2e-3)


def test_weights_of_many_texts_that_begin_at_those_of_a_part_are_the_same() -> None:
    scores, truth = members(n=9000)
    weights, loss = fit_weights(scores, truth)
    parted = [np.concatenate([one[k::8] for k in range(8)]) for one in scores]  # the part that is seen first is another
    again, same = fit_weights(parted, np.concatenate([truth[k::8] for k in range(8)]))
    assert same == pytest.approx(loss, rel=1e-9)  # where a step is no longer taken
    assert again == pytest.approx(weights, rel=1e-3)


def test_the_scale_of_scores_does_not_matter() -> None:
    scores, truth = members()
    (plain,), loss = fit_weights(scores[:1], truth)
    (scaled,), scaled_loss = fit_weights([1000 * scores[0]], truth)
    assert scaled == pytest.approx(plain / 1000, rel=1e-4)
    assert scaled_loss == pytest.approx(loss, rel=1e-9)


def test_members_that_know_something_else_are_added_and_the_useless_one_is_not() -> None:
    scores, truth = members()
    found = choose_members(scores, truth, most=3)
    assert sorted(found.members) == [0, 1]
    assert found.loss < combine(scores, truth, (0,)).loss


def test_no_more_members_than_asked_for() -> None:
    scores, truth = members()
    assert choose_members(scores, truth, most=1).members == (0,)


def test_scores_that_say_the_opposite_of_the_truth_are_not_trusted() -> None:
    scores, truth = members(n_classes=2)
    found = combine([-scores[0]], truth, (0,))
    assert found.members == (0,)
    assert 0 < found.weights[0] < 0.01


def test_perfect_scores_do_not_run_away() -> None:
    truth = np.array([0, 1] * 20, dtype=np.int32)
    (weight,), loss = fit_weights([2 * np.eye(2)[truth] - 1], truth)
    assert np.isfinite(weight)
    assert loss < 1e-3
