"""Rows far on the wrong side: their loss is steep and straight, so that a solver must not take them for settled."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression as Peer

from assay.learners import LinearSVC, LogisticRegression


def objective(X, y, model, C=1.0):
    margins = (X @ model.coef_[0] + model.intercept_[0]) * (2 * y - 1)
    return 0.5 * float(model.coef_[0] @ model.coef_[0]) + C * float(np.logaddexp(0, -margins).sum())


@pytest.mark.parametrize("solver", ["auto", "newton", "dual", "liblinear"])
@pytest.mark.parametrize("far", [30.0, 100.0, 1000.0])
def test_one_mislabelled_outlier_pulls_as_far_as_it_should(solver, far):
    y = np.arange(600) % 2
    X = (2.0 * y - 1)[:, None] * np.ones((1, 2))
    X[:, 1] = np.linspace(-1, 1, 600)
    X[0] = far
    ours = LogisticRegression(solver=solver, tol=1e-6).fit(X, y)
    peer = Peer(solver="newton-cholesky", tol=1e-10, max_iter=10_000).fit(X, y)
    # liblinear penalises the intercept, too: its optimum is another one
    assert objective(X, y, ours) <= objective(X, y, peer) * (1.05 if solver == "liblinear" else 1 + 1e-4)
    assert ours.converged_


def test_large_rows_do_not_make_it_worse_than_no_weights():
    X = np.random.default_rng(0).normal(size=(400, 130))
    X[:20] *= 1000
    y = np.arange(400) % 2
    for solver in ("dual", "liblinear", "newton"):
        found = LogisticRegression(solver=solver, max_iter=5000).fit(X, y)
        assert objective(X, y, found) < 400 * np.log(2)
        assert found.objective_[0] >= 0


def test_what_is_as_near_as_was_asked_for_has_converged():
    random = np.random.default_rng(502)
    X = random.normal(size=(5, 100))
    X[random.random((5, 100)) < 0.3] = 0
    X[0] = 1
    assert LinearSVC(C=1e6, tol=1e-2).fit(X, np.arange(5) % 2).converged_  # a warning would be an error
