"""LogisticRegression against the optimum that scipy finds, and against scikit-learn's own solvers."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.linear_model
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, sparse
from scipy.special import log_softmax, softmax
from sklearn.multiclass import OneVsRestClassifier

from assay.learners import LogisticRegression

FINE = {"tol": 1e-9, "max_iter": 10_000}
SOLVERS = {0.0: ["auto", "dual", "newton", "lbfgs"], 0.5: ["auto", "coordinate", "saga"], 1.0: ["auto", "coordinate"]}


def make_problem(seed, n_classes, n, d, noise=0.3):
    rng = np.random.default_rng(seed)
    X = sparse.random_array((n, d), density=0.3, rng=rng, format="csr")
    y = (X @ rng.normal(size=(d, n_classes)) + rng.normal(scale=noise, size=(n, n_classes))).argmax(axis=1)
    y[: 2 * n_classes] = np.tile(np.arange(n_classes), 2)
    return X, y, rng


def scores_and_targets(coef, intercept, X, y, joint):
    """Return two-class or joint scores with a column for every class, and which column is right."""
    scores = X @ coef.T.astype(float) + intercept
    if joint:
        return [(scores, y)]
    labels = [1] if len(coef) == 1 else range(len(coef))
    return [(np.column_stack([np.zeros(len(y)), scores[:, k]]), (y == c) * 1) for k, c in enumerate(labels)]


def objective(coef, intercept, X, y, *, weight, l1_ratio, joint):
    """l1_ratio ‖w‖₁ + (1 − l1_ratio)/2 ‖w‖² + Σ weight · loss; no penalty for l1_ratio None."""
    total = 0.0
    for scores, right in scores_and_targets(coef, intercept, X, y, joint):
        total -= weight @ log_softmax(scores, axis=1)[np.arange(len(y)), right]
    w = coef.astype(float)
    return total if l1_ratio is None else total + l1_ratio * np.abs(w).sum() + (1 - l1_ratio) / 2 * (w**2).sum()


def best_objective(X, y, n_classes, *, weight, l1_ratio, joint, fit_intercept):
    """Minimise by L-BFGS-B over w = u − v with u, v ≥ 0, where the L1 penalty is a plane: Σu + Σv."""
    K, d = (1 if n_classes == 2 else n_classes), X.shape[1]
    dense, ratio, ridge = X.toarray().astype(float), l1_ratio or 0.0, 0.0 if l1_ratio is None else 1 - l1_ratio

    def value_and_gradient(flat):
        u, v, b = flat[: K * d].reshape(K, d), flat[K * d : 2 * K * d].reshape(K, d), flat[2 * K * d :]
        w, value = u - v, ratio * flat[: 2 * K * d].sum()
        slopes = np.zeros((len(y), K))
        for k, (scores, right) in enumerate(scores_and_targets(w, b, dense, y, joint)):
            value -= weight @ log_softmax(scores, axis=1)[np.arange(len(y)), right]
            errors = softmax(scores, axis=1)
            errors[np.arange(len(y)), right] -= 1
            if joint:
                slopes = weight[:, None] * errors
            else:
                slopes[:, k] = weight * errors[:, 1]
        down = slopes.T @ dense + ridge * w
        bias = slopes.sum(axis=0) * fit_intercept
        return value + ridge / 2 * (w**2).sum(), np.concatenate([(down + ratio).ravel(), (ratio - down).ravel(), bias])

    bounds = [(0, None)] * (2 * K * d) + [(None, None)] * K
    options = {"maxiter": 20_000, "maxfun": 50_000, "ftol": 1e-15, "gtol": 1e-9, "maxcor": 30}
    start = np.zeros(2 * K * d + K)
    found = optimize.minimize(value_and_gradient, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return found.fun


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_classes=st.integers(2, 4),
    wide=st.booleans(),
    l1_ratio=st.sampled_from([0.0, 0.5, 1.0]),
    C=st.sampled_from([0.1, 1.0, 10.0]),
    multi_class=st.sampled_from(["auto", "multinomial", "ovr"]),
    class_weight=st.sampled_from([None, "balanced", {0: 3.0}]),
    weighted=st.booleans(),
    fit_intercept=st.booleans(),
    dtype=st.sampled_from([np.float32, np.float64]),
    dense=st.booleans(),
    data=st.data(),
)
def test_the_optimum_is_that_of_scipy(
    seed, n_classes, wide, l1_ratio, C, multi_class, class_weight, weighted, fit_intercept, dtype, dense, data
):
    X, y, rng = make_problem(seed, n_classes, n=40, d=60 if wide else 8)
    X = X.astype(dtype)
    solver = data.draw(st.sampled_from(SOLVERS[l1_ratio]))
    model = LogisticRegression(
        C=C,
        l1_ratio=l1_ratio,
        solver=solver,
        multi_class=multi_class,
        class_weight=class_weight,
        fit_intercept=fit_intercept,
        **FINE,
    )
    sample_weight = rng.uniform(0, 3, len(y)) if weighted else None
    model.fit(X.toarray() if dense else X, y, sample_weight)
    assert model.coef_.dtype == dtype

    weight = np.ones(len(y)) if sample_weight is None else sample_weight
    if class_weight == "balanced":
        total = np.bincount(y, weights=weight)
        weight = weight * (total.sum() / (n_classes * total))[y]
    elif class_weight:
        weight = weight * np.where(y == 0, 3.0, 1.0)
    joint = n_classes > 2 and multi_class != "ovr"
    problem = {"weight": C * weight, "l1_ratio": l1_ratio, "joint": joint}
    reached = objective(model.coef_, model.intercept_, X, y, **problem)
    best = best_objective(X, y, n_classes, fit_intercept=fit_intercept, **problem)
    # Coefficients in single precision are a ten-millionth off; the objective is flat around its lowest point.
    assert reached <= best * (1 + 1e-6) + 1e-9
    assert model.objective_.sum() == pytest.approx(reached, rel=1e-5)
    assert model.converged_
    if not fit_intercept:
        assert not model.intercept_.any()


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_without_a_penalty_the_optimum_is_that_of_scipy(n_classes, seed):
    X, y, _ = make_problem(seed, n_classes, n=120, d=5, noise=2.0)  # no hyperplane separates these
    for settings_ in ({"penalty": None}, {"C": np.inf}):
        model = LogisticRegression(**settings_, **FINE).fit(X, y)
        problem = {"weight": np.ones(len(y)), "l1_ratio": None, "joint": n_classes > 2}
        reached = objective(model.coef_, model.intercept_, X, y, **problem)
        assert reached <= best_objective(X, y, n_classes, fit_intercept=True, **problem) * (1 + 1e-8)


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("multi_class", ["multinomial", "ovr"])
def test_weights_and_probabilities_are_those_of_scikit_learn(n_classes, multi_class):
    X, y, _ = make_problem(7, n_classes, n=80, d=30)
    theirs = sklearn.linear_model.LogisticRegression(C=2.0, tol=1e-12, max_iter=10_000)
    if multi_class == "ovr" and n_classes > 2:
        theirs = OneVsRestClassifier(theirs)
    theirs.fit(X, y)
    ours = LogisticRegression(C=2.0, multi_class=multi_class, tol=1e-12, max_iter=10_000).fit(X, y)
    # Both stop where the objective is flat to the last digits: weights agree to the root of that.
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-5)
    np.testing.assert_allclose(np.exp(ours.predict_log_proba(X)), theirs.predict_proba(X), atol=1e-5)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    if multi_class == "multinomial":
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
        # Only differences of the multinomial intercepts matter.
        centred = ours.intercept_ - ours.intercept_.mean(), theirs.intercept_ - theirs.intercept_.mean()
        np.testing.assert_allclose(*(centred if n_classes > 2 else (ours.intercept_, theirs.intercept_)), atol=1e-4)


@pytest.mark.parametrize("l1_ratio", [0.0, 1.0])
def test_liblinears_manner_penalises_the_intercept_as_liblinear_does(l1_ratio):
    X, y, _ = make_problem(3, 2, n=80, d=30)
    theirs = sklearn.linear_model.LogisticRegression(
        solver="liblinear", l1_ratio=l1_ratio, tol=1e-10, max_iter=10_000, intercept_scaling=2.0
    ).fit(X, y)
    ours = LogisticRegression(solver="liblinear", l1_ratio=l1_ratio, intercept_scaling=2.0, **FINE).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4)


def test_l1_leaves_the_features_at_zero_that_scikit_learn_leaves_there():
    X, y, _ = make_problem(5, 3, n=100, d=50)
    theirs = sklearn.linear_model.LogisticRegression(l1_ratio=1.0, solver="saga", tol=1e-9, max_iter=100_000, C=0.7)
    theirs.fit(X, y)
    ours = LogisticRegression(l1_ratio=1.0, C=0.7, **FINE).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    assert 0 < (ours.coef_ == 0).sum() == (np.abs(theirs.coef_) < 1e-6).sum()


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 4), st.sampled_from(["dual", "newton"]), st.booleans())
def test_the_gap_that_is_reported_bounds_how_far_the_optimum_is(seed, n_classes, solver, joint):
    X, y, _ = make_problem(seed, n_classes, n=40, d=60)
    model = LogisticRegression(
        solver=solver, tol=1e-2, multi_class="multinomial" if joint else "ovr", max_iter=1000
    ).fit(X, y)
    joint = joint and n_classes > 2
    best = best_objective(X, y, n_classes, weight=np.ones(len(y)), l1_ratio=0.0, joint=joint, fit_intercept=True)
    assert model.objective_.sum() - best <= model.duality_gap_.sum() * (1 + 1e-6) + 1e-9 * best
    assert (model.duality_gap_ <= 1e-2 * model.objective_).all()
