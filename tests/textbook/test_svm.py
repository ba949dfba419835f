"""Zhang, chapters 3.1.4, 3.2.2 and 3.3.4; McDonald, *Classification*: margins and hinge loss."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay import textbook
from assay.textbook import worked


def test_distance_and_margin():
    """Zhang, chapter 3.1.4: r = |w · v + b| / ‖w‖, and 1 / ‖w‖ for a support vector."""
    assert textbook.distance_to_hyperplane([1, 2], w=[3, 4], b=-1) == pytest.approx(10 / 5)
    assert textbook.margin([3, 4]) == pytest.approx(1 / 5)
    assert textbook.distance_to_hyperplane([1 / 3, 0], w=[3, 4], b=0) == pytest.approx(textbook.margin([3, 4]))
    with pytest.raises(textbook.InputError, match="Every weight is 0: there is no hyperplane, so no margin"):
        textbook.margin([0, 0])


@pytest.mark.parametrize(
    ("score", "sign", "loss"), [(1, 1, 0), (2, 1, 0), (0, 1, 1), (-1, 1, 2), (-1, -1, 0), (0.25, -1, 1.25)]
)
def test_hinge_loss(score, sign, loss):
    """Zhang, chapter 3.3.4: max(0, 1 - y (w · x + b))."""
    assert textbook.hinge_loss(score, sign) == loss


def test_widest_street_between_two_points():
    """Zhang, chapter 3.1.4: support vectors at ±1, margin 1 / ‖w‖ = half their distance."""
    model = textbook.linear_svm([[0, 0], [2, 2]], ["-", "+"], C=1, iterations=2000)
    assert model.w == pytest.approx((0.5, 0.5), abs=0.01)
    assert model.b == pytest.approx(-1, abs=0.02)
    assert model.margin == pytest.approx(math.sqrt(2), abs=0.02)
    assert model.support_vectors == (0, 1)


def test_more_points_behind_the_edge_change_nothing():
    near = textbook.linear_svm([[-1], [1]], [-1, 1], C=10, iterations=2000)
    far = textbook.linear_svm([[-1], [1], [5], [-9]], [-1, 1, 1, -1], C=10, iterations=2000)
    assert far.w == pytest.approx(near.w, abs=0.02)
    assert far.support_vectors == (0, 1)


def test_sub_gradient_reaches_the_optimum_of_a_grid_search():
    X, y = [[-2.0], [-0.5], [0.4], [2.0]], [-1, 1, -1, 1]
    model = textbook.linear_svm(X, y, C=0.5, iterations=5000)
    grid = min(
        0.5 * w * w + 0.5 * sum(textbook.hinge_loss(w * x[0] + b, s) for x, s in zip(X, y, strict=True))
        for w in np.linspace(-2, 2, 161)
        for b in np.linspace(-2, 2, 161)
    )
    assert model.cost == pytest.approx(grid, rel=0.01)


@pytest.mark.parametrize(
    ("X", "y", "rate", "edge"),
    [
        (worked.POSITIVE_WORDS, worked.POSITIVE_WORDS_LABELS, 0.2, (1, 2)),
        (worked.LEXICON_COUNTS, worked.LEXICON_LABELS, 1.0, (3, 4, 7, 8, 9)),
    ],
)
def test_sub_gradient_comes_near_the_exact_optimum(X, y, rate, edge):
    from sklearn.svm import SVC

    exact = SVC(C=1.0, kernel="linear", tol=1e-9).fit(X, y)
    model = textbook.linear_svm(X, y, C=1.0, rate=rate, iterations=1000)
    # a sub-gradient method comes near the optimum slowly: a few per cent after a thousand steps
    assert model.margin == pytest.approx(1 / np.linalg.norm(exact.coef_), rel=0.02)
    assert model.support_vectors == edge


def test_without_a_slope_there_is_nothing_to_do():
    """The examples of XOR pull in four directions that add up to nothing: all weights stay zero."""
    (step,) = textbook.linear_svm_steps(worked.SQUARE, worked.XOR)
    assert (step.update, step.why) == ("none", "no slope: done")
    assert "no hyperplane is better than none" in textbook.trace("linear-svm", worked.SQUARE, worked.XOR).conclusion
    assert textbook.multiclass_svm(worked.SQUARE, worked.XOR).cost == 4


def test_slack_lets_a_point_stand_in_the_street():
    """Zhang, chapter 3.3.4: data that no hyperplane separates."""
    model = textbook.linear_svm(worked.SQUARE, worked.XOR, C=1, iterations=500)
    assert len(model.support_vectors) == 4
    assert model.cost > 1


def test_best_weights_are_kept_when_a_step_goes_uphill():
    steps = list(textbook.linear_svm_steps(worked.LEXICON_COUNTS, worked.LEXICON_LABELS, iterations=60))
    model = textbook.linear_svm(worked.LEXICON_COUNTS, worked.LEXICON_LABELS, iterations=60)
    assert model.cost == min(step.score for step in steps)
    assert any(step.why == "not the best" for step in steps)


def test_multiclass_hinge_loss_wants_a_lead_of_one():
    """McDonald, hinge loss: max(0, 1 + max over the others - the right one)."""
    assert textbook.multiclass_hinge_loss([5, 4, 0], right=0) == 0
    assert textbook.multiclass_hinge_loss([5, 4.5, 0], right=0) == 0.5
    assert textbook.multiclass_hinge_loss([5, 4.5, 0], right=2) == 6


def test_multiclass_svm_with_two_classes_is_the_binary_one():
    """McDonald: with w₊ = -w₋ = w / 2 the lead is w · x, and ½ Σ ‖w_c‖² is ¼ ‖w‖²: C counts double."""
    X, y = [[0.0, 0.0], [2.0, 2.0], [3.0, 1.0]], ["-", "+", "+"]
    binary = textbook.linear_svm(X, y, C=10, iterations=3000)
    difference = textbook.multiclass_svm(X, y, C=5, iterations=3000).as_binary("+")
    assert difference.w == pytest.approx(binary.w, abs=0.03)
    assert difference.b == pytest.approx(binary.b, abs=0.06)


def test_multiclass_svm_separates_three_classes():
    model = textbook.multiclass_svm(worked.TOPIC_COUNTS, worked.TOPIC_LABELS, C=10, iterations=2000)
    assert [model.predict(x) for x in worked.TOPIC_COUNTS] == list(worked.TOPIC_LABELS)


def test_bad_price():
    with pytest.raises(textbook.InputError, match=r"C is -1\. It must be greater than 0"):
        textbook.linear_svm([[1], [2]], [0, 1], C=-1)
    with pytest.raises(textbook.InputError, match=r"C is 0\. It must be greater than 0"):
        textbook.multiclass_svm([[1], [2]], [0, 1], C=0)
