"""The L1 penalty and the elastic net: `tol` is a part of the objective there, too, and what is above it is said."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from assay.learners import LinearSVC, LogisticRegression


def problem(n_classes, seed=0):
    random = np.random.default_rng(seed)
    X = sparse.random_array((150, 60), density=0.1, rng=random, format="csr")
    X.data += 0.5
    scores = X @ random.normal(size=(60, n_classes)) + random.normal(scale=2.0, size=(150, n_classes))
    y = scores.argmax(axis=1)
    y[:n_classes] = np.arange(n_classes)
    return X, y


MODELS = {
    "svm": lambda **settings: LinearSVC(penalty="l1", **settings),
    "logistic": lambda **settings: LogisticRegression(solver="liblinear", l1_ratio=1.0, **settings),
    "free intercept": lambda **settings: LogisticRegression(multi_class="ovr", l1_ratio=1.0, **settings),
    "softmax": lambda **settings: LogisticRegression(l1_ratio=1.0, **settings),
    "elastic net": lambda **settings: LogisticRegression(l1_ratio=0.5, **settings),
    "nearly without a quadratic part": lambda **settings: LogisticRegression(
        multi_class="ovr", l1_ratio=0.999, **settings
    ),
}


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("name", MODELS)
def test_the_objective_is_within_tol_of_its_lowest_value(name, C, n_classes):
    X, y = problem(n_classes)
    fine = MODELS[name](C=C, tol=1e-6, max_iter=10_000).fit(X, y)
    for tol in (1e-1, 1e-4):
        model = MODELS[name](C=C, tol=tol, max_iter=10_000).fit(X, y)
        above = model.objective_ - fine.objective_
        # The finer model is above the optimum, too, by a millionth of it.
        assert (above <= model.duality_gap_ + 2e-6 * fine.objective_).all()
        assert (model.duality_gap_ <= tol * model.objective_).all()


@pytest.mark.parametrize("name", MODELS)
def test_what_is_above_tol_is_said(name):
    X, y = problem(4)
    with pytest.warns(ConvergenceWarning, match="Raise max_iter=2"):
        model = MODELS[name](C=100.0, max_iter=2).fit(X, y)
    assert not model.converged_
    assert model.duality_gap_.sum() > 1e-4 * model.objective_.sum()


def test_rows_far_on_the_wrong_side_are_counted_whole():
    X = sparse.csr_array(np.array([[1000.0], [1.0], [-1.0], [0.5]]))
    y = np.array([0, 1, 0, 1])  # the first is a thousand beyond the others, and of the other label
    model = MODELS["logistic"](C=1.0).fit(X, y)
    assert np.isfinite(model.duality_gap_).all()
    assert model.converged_


def test_where_the_penalty_leaves_nothing_zero_is_the_optimum():
    X, y = problem(2)
    model = LogisticRegression(l1_ratio=1.0, C=1e-6).fit(X, y)
    assert not model.coef_.any()
    assert model.converged_
