"""The exact solvers on dense rows, as sentence vectors are, and on dense columns beside sparse ones."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.linear_model
import sklearn.svm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import log_softmax

from assay.learners import LinearSVC, LogisticRegression


def make_vectors(seed, n, d, n_classes, n_sparse=0, dtype=np.float32):
    """Vectors of length about 1 around the centres of classes; with sparse columns beside them, a CSR matrix."""
    random = np.random.default_rng(seed)
    y = random.integers(0, n_classes, n)
    y[:n_classes] = np.arange(n_classes)
    X = random.normal(size=(n_classes, d))[y] + random.normal(size=(n, d))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    if n_sparse:
        # Some of these columns only one row has, which the solvers fold away.
        words = sparse.random_array((n, n_sparse), density=3 / n_sparse, rng=random)
        order = random.permutation(d + n_sparse)
        return sparse.csr_array(sparse.hstack([X, words], format="csc")[:, order], dtype=dtype), y
    return X.astype(dtype), y


def logistic_objective(model, X, y, C):
    coef = np.asarray(model.coef_, float)
    scores = X.astype(float) @ coef.T + model.intercept_
    if len(coef) == 1:
        scores = np.column_stack([np.zeros(len(y)), scores])
    return 0.5 * (coef**2).sum() - C * log_softmax(scores, axis=1)[np.arange(len(y)), y].sum()


def svm_objective(model, X, y, C):
    coef = np.asarray(model.coef_, float)
    scores = X.astype(float) @ coef.T + model.intercept_
    right = y[:, None] == (np.arange(len(coef)) if len(coef) > 1 else 1)
    slack = np.maximum(0, 1 - np.where(right, 1, -1) * scores)
    return 0.5 * (coef**2).sum() + 0.5 * (model.intercept_**2).sum() + C * (slack**2).sum()


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(60, 90),  # blocks of the descent end in the middle
    d=st.integers(16, 45),
    n_classes=st.sampled_from([2, 3, 16, 17, 20]),
    n_sparse=st.sampled_from([0, 0, 60]),
    C=st.sampled_from([0.1, 1.0, 10.0]),
    solver=st.sampled_from(["auto", "dual", "newton"]),
    dtype=st.sampled_from([np.float32, np.float64]),
)
def test_logistic_regression_reaches_the_optimum_of_scikit_learn(seed, n, d, n_classes, n_sparse, C, solver, dtype):
    X, y = make_vectors(seed, n, d, n_classes, n_sparse, dtype)
    ours = LogisticRegression(C=C, solver=solver, tol=1e-9, max_iter=10_000).fit(X, y)
    theirs = sklearn.linear_model.LogisticRegression(C=C, tol=1e-8, max_iter=10_000).fit(X.astype(float), y)
    # Coefficients in single precision are a ten-millionth off; the objective is flat around its lowest point.
    assert logistic_objective(ours, X, y, C) <= logistic_objective(theirs, X, y, C) * (1 + 1e-6)


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_classes=st.sampled_from([2, 3, 20]),
    n_sparse=st.sampled_from([0, 60]),
    C=st.sampled_from([0.1, 1.0]),
    dual=st.sampled_from(["auto", True, False]),
)
def test_the_support_vector_machine_reaches_the_optimum_of_liblinear(seed, n_classes, n_sparse, C, dual):
    X, y = make_vectors(seed, 70, 37, n_classes, n_sparse, float)
    ours = LinearSVC(C=C, dual=dual, tol=1e-7, max_iter=100_000).fit(X, y)
    theirs = sklearn.svm.LinearSVC(C=C, tol=1e-8, max_iter=1_000_000, random_state=0).fit(X, y)
    assert svm_objective(ours, X, y, C) <= svm_objective(theirs, X, y, C) * (1 + 1e-6)


# So large that single precision is used.
LARGE = {"n": 1_500, "d": 140}


@pytest.mark.parametrize(("n_classes", "n_sparse"), [(2, 0), (2, 3_000), (5, 0), (20, 0), (20, 3_000)])
@pytest.mark.parametrize("solver", ["auto", "newton"])
def test_large_dense_rows_are_solved_to_the_tolerance(n_classes, n_sparse, solver):
    X, y = make_vectors(1, n_classes=n_classes, n_sparse=n_sparse, **LARGE)
    ours = LogisticRegression(C=3, solver=solver, tol=1e-5).fit(X, y)
    finest = LogisticRegression(C=3, solver="newton", tol=1e-9).fit(X.astype(float), y)
    assert ours.converged_
    reached, best = logistic_objective(ours, X, y, 3), logistic_objective(finest, X, y, 3)
    assert reached <= best * (1 + 1e-5)
    assert ours.objective_.sum() == pytest.approx(reached, rel=1e-5)
    # The gap bounds what is missing; single precision moves both by millionths.
    assert reached - best <= ours.duality_gap_.sum() + 1e-6 * best


@pytest.mark.parametrize("solver", ["auto", "newton"])
def test_correlated_columns_of_spread_one_are_solved_to_the_tolerance(solver):
    # What they have in common is far larger than the rest: conjugate gradients alone would take hundreds of steps.
    random = np.random.default_rng(5)
    X = random.normal(size=(600, 8)) @ random.normal(size=(8, 140)) + 0.1 * random.normal(size=(600, 140))
    y = (X @ random.normal(size=140) + 5 * random.normal(size=600) > 0) * 1
    ours = LogisticRegression(C=10, solver=solver, n_jobs=1).fit(X, y)
    theirs = sklearn.linear_model.LogisticRegression(C=10, solver="newton-cholesky", tol=1e-8).fit(X, y)
    assert logistic_objective(ours, X, y, 10) <= logistic_objective(theirs, X, y, 10) * (1 + 1e-6)
    again = LogisticRegression(C=10, solver=solver, n_jobs=2).fit(X, y)
    assert (ours.coef_ == again.coef_).all()


@pytest.mark.parametrize(("n_classes", "n_sparse"), [(2, 0), (5, 3_000), (20, 0), (20, 3_000)])
@pytest.mark.parametrize(
    "make",
    [
        lambda n_jobs: LogisticRegression(C=3, n_jobs=n_jobs),
        lambda n_jobs: LogisticRegression(C=3, solver="newton", n_jobs=n_jobs),
        lambda n_jobs: LinearSVC(n_jobs=n_jobs),
        lambda n_jobs: LinearSVC(dual=False, n_jobs=n_jobs),
    ],
    ids=["logistic", "newton", "svm", "svm-newton"],
)
def test_threads_change_no_bit_on_dense_rows(n_classes, n_sparse, make):
    X, y = make_vectors(2, n_classes=n_classes, n_sparse=n_sparse, **LARGE)
    one, other = (make(n_jobs).fit(X, y) for n_jobs in (1, 3))
    assert (one.coef_ == other.coef_).all()
    assert (one.intercept_ == other.intercept_).all()


@pytest.mark.parametrize("n_classes", [2, 40])
def test_the_same_rows_dense_and_sparse_give_the_same_bits(n_classes):
    X, y = make_vectors(3, n_classes=n_classes, **LARGE)
    dense, compressed = (LogisticRegression(C=3).fit(rows, y) for rows in (X, sparse.csr_array(X)))
    assert (dense.coef_ == compressed.coef_).all()


def test_a_column_that_no_row_has_gets_no_weight():
    X, y = make_vectors(4, n_classes=40, **LARGE)
    X[:, 7] = 0
    X[1:, 9] = 0  # one row alone has it
    model = LogisticRegression(C=3).fit(X, y)
    assert (model.coef_[:, 7] == 0).all()
    assert (model.coef_[:, 9] != 0).any()
