"""Solvers that share the folded forms of a matrix find what each finds alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from assay import _native
from assay.training.learner_settings import LearnerSettings


def learned(X, y, cost, folded, *, logistic, in_double=False):
    """The weights of one problem."""
    n_rows, n_columns = X.shape
    weights, intercept = np.zeros(n_columns, np.float32), np.zeros(1)
    settings = {
        "first_label": 1,
        "intercept_scale": 1.0,
        "in_double": in_double,
        "tolerance": 1e-3,
        "max_iterations": 1000,
        "seed": 0,
        "n_threads": 2,
        "coefficients": weights,
        "intercept": intercept,
        "folded": folded,
    }
    rows = n_columns, X.indptr, X.indices, X.data, y, np.full(n_rows, cost), np.ones(1)
    if logistic:
        _native.train_logistic_dual(*rows, multinomial=False, **settings)
    else:
        _native.train_linear_svm(*rows, squared=True, support=np.zeros(n_rows, np.uint8), **settings)
    return weights, intercept


@pytest.fixture
def matrix():
    random = np.random.default_rng(0)
    table = random.random((40, 200)) * (random.random((40, 200)) < 0.1)
    return csr_array(table.astype(np.float32)), random.integers(0, 2, 40).astype(np.int32)


def test_strengths_learners_and_precisions_share_them(matrix):
    folded = _native.FoldedForms()
    for logistic in (False, True):
        for in_double in (False, True):
            for cost in (0.1, 1.0, 10.0):
                how = {"logistic": logistic, "in_double": in_double}
                alone, shared = learned(*matrix, cost, None, **how), learned(*matrix, cost, folded, **how)
                np.testing.assert_array_equal(alone[0], shared[0])
                np.testing.assert_array_equal(alone[1], shared[1])


def test_another_matrix_is_refused(matrix):
    X, y = matrix
    folded = _native.FoldedForms()
    learned(X, y, 1.0, folded, logistic=False)
    with pytest.raises(ValueError, match="folded forms of one matrix are asked for another"):
        learned(csr_array(X[:, :100]), y, 1.0, folded, logistic=False)


def test_learners_of_the_search_share_them_whatever_they_learn():
    random = np.random.default_rng(1)
    table = random.random((60, 700)) * (random.random((60, 700)) < 0.1)
    X, y = csr_array(table.astype(np.float32)), random.integers(0, 3, 60).astype(np.int32)
    folded = _native.FoldedForms()
    for name in ("nbsvm", "svm", "logistic", "nbsvm"):
        learner = LearnerSettings(name, C=1.0)
        alone, shared = learner.fit(X, y, ("a", "b", "c")), learner.fit(X, y, ("a", "b", "c"), shared=folded)
        np.testing.assert_array_equal(alone.weights, shared.weights)
        np.testing.assert_array_equal(alone.intercept, shared.intercept)
