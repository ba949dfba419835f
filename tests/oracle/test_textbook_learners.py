"""Logistic regression and support vector machines against the textbook, where both minimise the same thing.

Naive Bayes and the perceptrons are held against it in test_textbook.py.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import textbook
from assay.learners import LinearSVC, LogisticRegression


@st.composite
def point_problems(draw, n_classes):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    y = rng.permutation([*range(n_classes), *rng.integers(n_classes, size=draw(st.integers(4, 12)))])
    X = rng.normal(size=(len(y), draw(st.integers(1, 4))))
    return X.round(2), y


@settings(max_examples=40, deadline=None)
@given(point_problems(2), st.sampled_from([1, 3, None]), st.integers(1, 4))
def test_descent_for_two_classes_takes_the_textbooks_steps(problem, batch_size, epochs):
    X, y = problem
    theirs = textbook.logistic_regression(X, y.tolist(), rate=0.2, epochs=epochs, batch_size=batch_size)
    model = LogisticRegression(
        solver="sgd", learning_rate="constant", eta0=0.2, batch_size=batch_size, max_iter=epochs, shuffle=False,
        penalty=None, tol=None,
    ).fit(X, y)  # fmt: skip
    # Sums in another order.
    np.testing.assert_allclose(model.coef_[0], theirs.w, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(model.intercept_[0], theirs.b, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], [theirs.probability(x) for x in X], rtol=1e-10)


@settings(max_examples=40, deadline=None)
@given(point_problems(3), st.sampled_from([1, 3, None]), st.integers(1, 4))
def test_descent_for_many_classes_takes_the_textbooks_steps(problem, batch_size, epochs):
    X, y = problem
    theirs = textbook.multinomial_logistic(X, y.tolist(), rate=0.2, epochs=epochs, batch_size=batch_size)
    model = LogisticRegression(
        solver="sgd", learning_rate="constant", eta0=0.2, batch_size=batch_size, max_iter=epochs, shuffle=False,
        penalty=None, tol=None,
    ).fit(X, y)  # fmt: skip
    np.testing.assert_allclose(model.coef_, theirs.W, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(model.intercept_, theirs.b, rtol=1e-10, atol=1e-12)


@settings(max_examples=20, deadline=None)
@given(point_problems(2), st.sampled_from([0.01, 0.1]))
def test_l1_moves_weights_towards_zero_as_the_textbook_does(problem, l1):
    X, y = problem
    theirs = textbook.logistic_regression(X, y.tolist(), rate=0.3, epochs=20, batch_size=None, l1=l1)
    model = LogisticRegression(
        solver="sgd", learning_rate="constant", eta0=0.3, batch_size=None, max_iter=20, shuffle=False,
        l1_ratio=1.0, C=1 / (l1 * len(y)), tol=None,
    ).fit(X, y)  # fmt: skip
    np.testing.assert_allclose(model.coef_[0], theirs.w, rtol=1e-9, atol=1e-12)
    assert ((model.coef_[0] == 0) == (np.array(theirs.w) == 0)).all()


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("solver", ["dual", "newton"])
def test_the_exact_solvers_end_where_the_textbooks_long_walk_ends(n_classes, solver):
    rng = np.random.default_rng(n_classes)
    X, y = rng.normal(size=(15, 2)).round(1), np.arange(15) % n_classes
    l2 = 0.05  # the textbook's cost: mean loss + l2 ‖w‖²
    model = LogisticRegression(C=1 / (2 * l2 * len(y)), solver=solver, tol=1e-10, max_iter=10_000).fit(X, y)
    if n_classes == 2:
        theirs = textbook.logistic_regression(X, y.tolist(), rate=1.0, epochs=500, batch_size=None, l2=l2)
        weights, biases = [theirs.w], [theirs.b]
    else:
        theirs = textbook.multinomial_logistic(X, y.tolist(), rate=1.0, epochs=500, batch_size=None, l2=l2)
        weights, biases = theirs.W, theirs.b
    np.testing.assert_allclose(model.coef_, weights, atol=1e-5)
    np.testing.assert_allclose(
        model.intercept_ - model.intercept_.mean(), np.array(biases) - np.mean(biases), atol=1e-5
    )
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_the_support_vector_machine_costs_no_more_than_the_textbooks():
    # Every point has a mirror image in the other class, so that the best bias is 0 and its penalty no matter.
    half = np.random.default_rng(0).normal(size=(10, 2)).round(1) + 0.7
    X, y = np.vstack([half, -half]), np.repeat([1, 0], 10)
    theirs = textbook.linear_svm(X, y.tolist(), C=1.0, iterations=3000)
    model = LinearSVC(loss="hinge", C=1.0, fit_intercept=False, tol=1e-8, max_iter=1_000_000).fit(X, y)
    (w,) = model.coef_
    slack = np.maximum(0, 1 - np.where(y == 1, 1, -1) * (X @ w))
    cost = w @ w / 2 + slack.sum()
    # The textbook's sub-gradient steps come within a few thousandths of the lowest cost, never below it.
    assert cost <= theirs.cost * (1 + 1e-6)
    assert cost == pytest.approx(theirs.cost, rel=5e-3)
    assert model.margin_[0] == pytest.approx(theirs.margin, rel=0.05)
    inside = np.flatnonzero(slack > 0.05)  # not those next to the edge of the street
    assert set(inside) <= set(model.support_)
    assert set(inside) <= set(theirs.support_vectors)


def test_crammer_and_singers_machine_costs_no_more_than_the_textbooks():
    # Each class is the one before it turned by a third of a circle, so that the best biases are all equal.
    third = np.random.default_rng(1).normal(size=(7, 2)) + np.array([1.0, 0.0])
    c, s = np.cos(2 * np.pi / 3), np.sin(2 * np.pi / 3)
    turn = np.array([[c, s], [-s, c]])
    X, y = np.vstack([third, third @ turn, third @ turn @ turn]), np.repeat([0, 1, 2], 7)
    theirs = textbook.multiclass_svm(X, y.tolist(), C=1.0, iterations=3000)
    model = LinearSVC(multi_class="crammer_singer", fit_intercept=False, tol=1e-8, max_iter=1_000_000).fit(X, y)
    scores = model.decision_function(X)
    losses = [textbook.multiclass_hinge_loss(row.tolist(), right) for row, right in zip(scores, y, strict=True)]
    cost = (model.coef_**2).sum() / 2 + sum(losses)
    assert cost <= theirs.cost * (1 + 1e-6)
    assert cost == pytest.approx(theirs.cost, rel=5e-3)
