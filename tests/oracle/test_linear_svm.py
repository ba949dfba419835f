"""LinearSVC against LIBLINEAR's optimum."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn import svm

from assay.learners import LinearSVC


def problem(seed, n_classes, n=120, d=40):
    random = np.random.default_rng(seed)
    X = sparse.random_array((n, d), density=0.2, rng=random, format="csr")
    y = (X @ random.normal(size=(d, n_classes)) + random.normal(scale=0.3, size=(n, n_classes))).argmax(axis=1)
    y[:n_classes] = np.arange(n_classes)
    return X, y


def objective(model, X, y, C, loss, k):
    """½‖w‖² + ½b² + C Σ loss, the intercept being the weight of a constant feature, as in LIBLINEAR."""
    w, b = model.coef_[k], model.intercept_[k]
    signs = np.where(y == model.classes_[k if len(model.classes_) > 2 else 1], 1, -1)
    slack = np.maximum(0, 1 - signs * (X @ w + b))
    return 0.5 * (w @ w + b * b) + C * (slack**2 if loss == "squared_hinge" else slack).sum()


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 4),
    st.sampled_from([0.1, 1.0, 10.0]),
    st.sampled_from(["hinge", "squared_hinge"]),
)
def test_the_optimum_is_that_of_liblinear(seed, n_classes, C, loss):
    X, y = problem(seed, n_classes)
    ours = LinearSVC(C=C, loss=loss, tol=1e-6, max_iter=100_000).fit(X, y)
    theirs = svm.LinearSVC(C=C, loss=loss, tol=1e-8, max_iter=1_000_000, random_state=0).fit(X, y)
    for k in range(len(ours.coef_)):
        # A convex problem has one optimum: what matters is how near to it the objective is.
        assert objective(ours, X, y, C, loss, k) <= objective(theirs, X, y, C, loss, k) * (1 + 1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_crammer_and_singers_machine_decides_as_liblinears(seed):
    X, y = problem(seed, 3)
    ours = LinearSVC(multi_class="crammer_singer", tol=1e-6, max_iter=100_000).fit(X, y)
    theirs = svm.LinearSVC(multi_class="crammer_singer", tol=1e-8, max_iter=1_000_000, random_state=0).fit(X, y)
    assert (ours.predict(X) == theirs.predict(X)).mean() >= 0.99


def test_the_margin_and_the_support_vectors_are_those_of_two_points():
    # The widest street between −1 and +1 on a line is 2 wide: w = 1, margin 1; the point at 3 holds nothing.
    model = LinearSVC(C=1e6, loss="hinge", fit_intercept=False, tol=1e-8, max_iter=100_000)
    model.fit(np.array([[-1.0], [1.0], [3.0]]), [0, 1, 1])
    assert model.margin_ == pytest.approx(1.0, rel=1e-4)
    assert set(model.support_) in ({0}, {1}, {0, 1})


@pytest.mark.parametrize(("loss", "copies"), [("squared_hinge", 1), ("hinge", 1), ("squared_hinge", 300)])
def test_two_threads_on_one_large_problem_reach_liblinears_optimum_with_the_bits_of_one(loss, copies):
    random = np.random.default_rng(0)
    n, d, a_row = 9_000, 6_000, 130
    columns = random.integers(d, size=(n // copies, a_row))
    columns = np.sort(np.tile(columns, (copies, 1)), axis=1)  # with copies, both halves do the same work
    X = sparse.csr_array((np.full(n * a_row, 0.1), columns.ravel(), np.arange(n + 1) * a_row), shape=(n, d))
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    X.sum_duplicates()
    y = (X @ random.normal(size=d) + random.normal(scale=0.2, size=n) > 0).astype(int)
    one, two = (LinearSVC(loss=loss, tol=1e-4, n_jobs=threads).fit(X, y) for threads in (1, 2))
    np.testing.assert_array_equal(one.coef_, two.coef_)
    np.testing.assert_array_equal(one.intercept_, two.intercept_)
    theirs = svm.LinearSVC(loss=loss, tol=1e-3, max_iter=10_000, random_state=0).fit(X, y)
    assert objective(two, X, y, 1.0, loss, 0) <= objective(theirs, X, y, 1.0, loss, 0) * (1 + 1e-4)
