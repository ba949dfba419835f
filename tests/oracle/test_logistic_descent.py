"""Stochastic gradient descent against its rules, written out, and against the optimum of the exact solvers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import log_softmax, softmax
from sklearn.exceptions import ConvergenceWarning

from assay.learners import LogisticRegression

RATES = ["constant", "invscaling", "adagrad", "adam"]


def make_problem(seed, n_classes, n=30, d=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.6)
    y = (X @ rng.normal(size=(d, n_classes)) + rng.normal(size=(n, n_classes))).argmax(axis=1)
    y[: 2 * n_classes] = np.tile(np.arange(n_classes), 2)
    return X, y


def slopes_of(W, b, X, y):
    """∂(mean loss)/∂W and ∂/∂b; for two classes W has one row, that of the second."""
    scores = X @ W.T + b
    if len(W) == 1:
        errors = 1 / (1 + np.exp(-scores)) - (y == 1)[:, None]
    else:
        errors = softmax(scores, axis=1)
        errors[np.arange(len(y)), y] -= 1
    return errors.T @ X / len(y), errors.mean(axis=0)


def descend(X, y, n_classes, *, rate, eta0, power_t, batch, epochs, l1=0.0, l2=0.0):
    """The rules written out for dense features: a gradient step on the loss, then the penalty's proximal step."""
    K = 1 if n_classes == 2 else n_classes
    W, b = np.zeros((K, X.shape[1])), np.zeros(K)
    first, second = np.zeros((K, X.shape[1] + 1)), np.zeros((K, X.shape[1] + 1))
    step = 0
    for _ in range(epochs):
        for at in range(0, len(y), batch):
            step += 1
            g = np.column_stack(slopes_of(W, b, X[at : at + batch], y[at : at + batch]))
            if rate == "adagrad":
                second += g * g
                pace = eta0 / np.sqrt(second + 1e-16)
                move = pace * g
            elif rate == "adam":
                first, second = 0.9 * first + 0.1 * g, 0.999 * second + 0.001 * g * g
                pace = eta0 / np.sqrt(second / (1 - 0.999**step) + 1e-16)
                move = pace * first / (1 - 0.9**step)
            else:
                pace = np.full_like(g, eta0 if rate == "constant" else eta0 / step**power_t)
                move = pace * g
            W, b = W - move[:, :-1], b - move[:, -1]
            W = np.sign(W) * np.maximum(0, np.abs(W) - l1 * pace[:, :-1]) / (1 + l2 * pace[:, :-1])
    return W, b


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_classes=st.integers(2, 4),
    rate=st.sampled_from(RATES),
    batch=st.sampled_from([1, 4, 7, None]),
    epochs=st.integers(1, 5),
)
def test_a_run_is_the_rule_written_out(seed, n_classes, rate, batch, epochs):
    X, y = make_problem(seed, n_classes)
    if rate == "adam" and batch != None:  # noqa: E711
        X[X == 0] = 0.1  # a feature that a batch has not rests, where the plain rule would let its means move it
    model = LogisticRegression(
        solver="sgd", penalty=None, learning_rate=rate, eta0=0.3, power_t=0.4, batch_size=batch, shuffle=False,
        tol=None, max_iter=epochs,
    )  # fmt: skip
    model.fit(X, y)
    size = len(y) if batch is None else batch
    W, b = descend(X, y, n_classes, rate=rate, eta0=0.3, power_t=0.4, batch=size, epochs=epochs)
    # Roots are taken to a few last bits, and sums in another order.
    np.testing.assert_allclose(model.coef_, W, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(model.intercept_, b, rtol=1e-8, atol=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 3), st.sampled_from(RATES[:3]), st.sampled_from([0.0, 0.4, 1.0]))
def test_penalties_are_proximal_steps_after_the_gradients(seed, n_classes, rate, l1_ratio):
    X, y = make_problem(seed, n_classes)
    model = LogisticRegression(
        solver="sgd", C=2.0, l1_ratio=l1_ratio, learning_rate=rate, eta0=0.2, batch_size=None, shuffle=False,
        tol=None, max_iter=6,
    ).fit(X, y)  # fmt: skip
    share = 1 / (2.0 * len(y))
    penalty = {"l1": share * l1_ratio, "l2": share * (1 - l1_ratio)}
    W, b = descend(X, y, n_classes, rate=rate, eta0=0.2, power_t=0.5, batch=len(y), epochs=6, **penalty)
    np.testing.assert_allclose(model.coef_, W, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(model.intercept_, b, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("multi_class", ["multinomial", "ovr"])
@pytest.mark.parametrize("l1_ratio", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(
    ("rate", "eta0", "batch"),
    [
        ("constant", 0.02, 1), ("constant", 0.3, None), ("invscaling", 0.5, 1), ("invscaling", 1.0, 8),
        ("adagrad", 0.3, 1), ("adagrad", 0.3, 8), ("adagrad", 0.5, None), ("adam", 0.003, 4), ("adam", 0.1, None),
    ],
)  # fmt: skip
def test_every_rate_and_batch_comes_near_the_optimum(n_classes, multi_class, l1_ratio, rate, eta0, batch):
    X, y = make_problem(1, n_classes, n=60)
    shared = {"l1_ratio": l1_ratio, "multi_class": multi_class}
    exact = LogisticRegression(tol=1e-8, max_iter=10_000, **shared).fit(X, y)
    model = LogisticRegression(
        solver="sgd", learning_rate=rate, eta0=eta0, batch_size=batch, tol=None, max_iter=300, **shared
    ).fit(X, y)
    # Steps of one size go to and fro around the optimum: to a hundredth of the objective here.
    assert model.objective_.sum() == pytest.approx(exact.objective_.sum(), rel=1e-2)
    assert (model.predict(X) == exact.predict(X)).mean() > 0.9


def test_it_stops_when_the_gradient_has_become_small():
    X, y = make_problem(2, 3, n=60)
    model = LogisticRegression(
        solver="sgd", penalty=None, learning_rate="constant", eta0=0.5, batch_size=None, tol=0.05, max_iter=2000
    ).fit(X, y)
    norms = [
        np.linalg.norm(np.column_stack(slopes_of(W, b, X, y)))
        for W, b in [(np.zeros((3, 5)), np.zeros(3)), (model.coef_, model.intercept_)]
    ]
    assert model.converged_
    assert 1 < model.n_iter_[0] == len(model.course_) < 2000
    assert model.course_[-1] == pytest.approx(norms[1] / norms[0])
    assert model.course_[-1] <= 0.05 < model.course_[-2]


def test_it_stops_when_the_held_out_loss_no_longer_falls():
    X, y = make_problem(3, 3, n=90)
    model = LogisticRegression(
        solver="sgd", early_stopping=True, validation_fraction=0.2, n_iter_no_change=3, tol=1e-3, max_iter=500
    ).fit(X, y)
    assert model.converged_
    assert model.n_iter_[0] == len(model.course_) < 500
    best = np.minimum.accumulate(model.course_)
    assert (model.course_[-3:] > best[-4] - 1e-3).all()  # three epochs without a gain of 1e-3 over the best before
    # The loss is that of rows which were left out, near that of the rest.
    overall = -log_softmax(model.decision_function(X), axis=1)[np.arange(len(y)), y].mean()
    assert model.course_[-1] == pytest.approx(overall, rel=0.5)


def test_shuffling_depends_on_the_seed_and_on_nothing_else():
    X, y = make_problem(4, 3)

    def weights(**settings_):
        return LogisticRegression(solver="sgd", tol=None, max_iter=3, **settings_).fit(X, y).coef_.tobytes()

    assert weights(random_state=1) == weights(random_state=1)
    assert weights(random_state=1) != weights(random_state=2)
    assert weights(random_state=1, shuffle=False) == weights(random_state=2, shuffle=False)
    assert weights(random_state=1) != weights(random_state=1, shuffle=False)


def test_rows_sorted_by_class_are_no_trap():
    X, y = make_problem(5, 3, n=200)
    order = np.argsort(y, kind="stable")
    model = LogisticRegression(solver="sgd", tol=None, max_iter=20).fit(X[order], y[order])
    exact = LogisticRegression().fit(X, y)
    assert model.score(X, y) >= exact.score(X, y) - 0.03


def test_single_precision_follows_double():
    X, y = make_problem(6, 3, n=400)
    settings_ = {"solver": "sgd", "tol": None, "max_iter": 5}
    double = LogisticRegression(**settings_).fit(X, y)
    single = LogisticRegression(**settings_).fit(X.astype(np.float32), y)
    assert single.coef_.dtype == np.float32
    np.testing.assert_allclose(single.coef_, double.coef_, rtol=1e-3, atol=1e-4)


def test_a_run_that_ends_before_the_gradient_is_small_warns():
    X, y = make_problem(7, 2)
    with pytest.warns(ConvergenceWarning, match=r"stopped after 2 iterations without reaching tol=1e-06\. Raise max_"):
        model = LogisticRegression(solver="sgd", tol=1e-6, max_iter=2).fit(X, y)
    assert not model.converged_


def test_a_warm_start_goes_on_from_the_last_weights():
    X, y = make_problem(8, 2)
    model = LogisticRegression(
        solver="sgd", learning_rate="constant", eta0=0.1, penalty=None, batch_size=None, shuffle=False, tol=None,
        max_iter=4, warm_start=True,
    )  # fmt: skip
    twice = model.fit(X, y).fit(X, y).coef_
    once = LogisticRegression(**(model.get_params() | {"max_iter": 8, "warm_start": False})).fit(X, y).coef_
    np.testing.assert_allclose(twice, once, rtol=1e-12)


@pytest.mark.parametrize(("multi_class", "rate"), [("ovr", "constant"), ("multinomial", "invscaling")])
def test_any_number_of_threads_gives_the_same_bits(multi_class, rate):
    X, y = make_problem(3, 20, n=400, d=60)
    settings = {"solver": "sgd", "learning_rate": rate, "eta0": 0.5, "multi_class": multi_class, "tol": None}
    one, two, five = (LogisticRegression(**settings, max_iter=4, n_jobs=n).fit(X, y) for n in (1, 2, 5))
    np.testing.assert_array_equal(one.coef_, two.coef_)
    np.testing.assert_array_equal(one.coef_, five.coef_)
    np.testing.assert_array_equal(one.intercept_, five.intercept_)


@pytest.mark.parametrize("multi_class", ["ovr", "multinomial"])
def test_features_of_one_example_move_as_all_others_do(multi_class):
    X, y = make_problem(4, 3, n=60, d=8)
    X = np.column_stack([X, np.diag(np.arange(60) / 10.0)])
    settings = {"solver": "sgd", "learning_rate": "constant", "eta0": 0.2, "multi_class": multi_class, "C": 0.3}
    folded = LogisticRegression(**settings, tol=None, max_iter=30, shuffle=False).fit(X, y)
    # A warm start keeps all features apart.
    warm = LogisticRegression(**settings, tol=None, max_iter=1, shuffle=False, warm_start=True)
    for _ in range(30):
        warm.fit(X, y)
    np.testing.assert_allclose(folded.coef_, warm.coef_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(folded.intercept_, warm.intercept_, rtol=1e-8, atol=1e-10)
    with pytest.warns(ConvergenceWarning):
        watched = LogisticRegression(**settings, tol=1e-9, max_iter=2, shuffle=False).fit(X, y)

    def norm_at(W, b):
        scores = X @ W.T + b
        errors = (softmax(scores, axis=1) if multi_class == "multinomial" else 1 / (1 + np.exp(-scores))) - np.eye(3)[y]
        return np.hypot(np.linalg.norm(errors.T @ X / 60 + W / (0.3 * 60)), np.linalg.norm(errors.mean(axis=0)))

    relative = norm_at(watched.coef_, watched.intercept_) / norm_at(np.zeros((3, 68)), np.zeros(3))
    assert watched.course_[1] == pytest.approx(relative, rel=1e-9)
