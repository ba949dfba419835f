"""Newton's method for one class against the rest: the optimum by a certificate computed apart, and when it is taken."""

import numpy as np
import pytest
from scipy import sparse

from assay import _native
from assay.learners import LinearSVC, LogisticRegression
from assay.learners.solvers.labelled_rows import LabelledRows


def make_rows(n_rows, n_columns, n_dense=0, n_own=0, seed=0):
    """Sparse rows, some dense columns first, and features that only one row has, after them."""
    random = np.random.default_rng(seed)
    parts = [
        random.normal(size=(n_rows, n_dense)),
        sparse.random_array((n_rows, n_columns), density=0.05, rng=random, format="csr"),
        sparse.kron(sparse.identity(n_rows), np.ones((1, n_own)), format="csr") * 0.3,
    ]
    X = sparse.csr_array(sparse.hstack([part for part in parts if part.shape[1]], format="csr"))
    y = (np.asarray(X[:, :20].sum(axis=1)) + 0.5 * random.normal(size=n_rows) > np.median(X[:, :20].sum(axis=1))) * 1
    return X, y


def certificate(model, X, y, C, loss):
    """½‖∇f‖² / f, with the intercept penalised as the weight of a constant feature."""
    w, b, sign = model.coef_.ravel().astype(float), float(model.intercept_[0]), 2 * y - 1
    margins = sign * (X @ w + b)
    if loss == "squared_hinge":
        slack = np.maximum(0, 1 - margins)
        value, slope = (slack**2).sum(), -2 * slack * sign
    else:
        value, slope = np.logaddexp(0, -margins).sum(), -sign / (1 + np.exp(margins))
    gradient = np.append(w + C * (X.T @ slope), b + C * slope.sum())
    return 0.5 * (gradient @ gradient) / (0.5 * (w @ w + b * b) + C * value)


@pytest.mark.parametrize(("n_dense", "n_own"), [(0, 0), (0, 3), (30, 0), (30, 2)])
@pytest.mark.parametrize("C", [0.1, 100.0])
def test_the_gradient_is_as_small_as_tol_says(n_dense, n_own, C):
    X, y = make_rows(600, 300, n_dense, n_own)
    svm = LinearSVC(C=C, dual=False, tol=1e-5).fit(X, y)
    assert certificate(svm, X, y, C, "squared_hinge") <= 1.1e-5
    logistic = LogisticRegression(C=C, solver="liblinear", tol=1e-5).fit(X, y)
    assert certificate(logistic, X, y, C, "logistic") <= 1.1e-5


def test_threads_that_share_the_rows_of_one_class_change_no_bit():
    random = np.random.default_rng(1)
    X = random.normal(size=(6_000, 200)).astype(np.float32)  # so many values that they are cut into blocks
    y = (X[:, 0] + random.normal(size=len(X)) > 0) * 1
    one, two, three = (LinearSVC(dual=False, n_jobs=n).fit(X, y) for n in (1, 2, 3))
    assert one.coef_.tobytes() == two.coef_.tobytes() == three.coef_.tobytes()
    assert one.work_ == two.work_ == three.work_ > X.size


def test_a_class_that_crawls_is_left_before_its_passes_are_used_up():
    X, y = make_rows(3_000, 150)
    problem = LabelledRows(X, y.astype(np.int32), [0, 1]).problem(1e3, 1e-6, 1000)
    reports = {}
    for patience in (30.0, np.inf):
        solution = problem.room(1)
        reports[patience] = _native.train_linear_svm(
            *problem.matrix,
            problem.label_weight,
            first_label=1,
            squared=True,
            intercept_scale=1.0,
            in_double=True,
            tolerance=1e-6,
            max_iterations=60,
            patience=patience,
            seed=0,
            n_threads=1,
            coefficients=solution.weights.reshape(-1),
            intercept=solution.intercept,
            support=np.zeros(len(y), np.uint8),
        )
    assert not reports[30.0]["converged"].any()
    assert reports[30.0]["work"][0] < 0.5 * reports[np.inf]["work"][0]
    assert LinearSVC(C=1e3, tol=1e-6).fit(X, y).converged_
