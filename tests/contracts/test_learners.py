"""Checks that every learner must pass: scikit-learn's own, whole, and the same bits for any number of threads."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from assay import learners

ALL = [getattr(learners, name)() for name in learners.__all__]


@parametrize_with_checks(ALL)
@pytest.mark.filterwarnings("ignore")  # the checks provoke warnings and look at some of them themselves
def test_scikit_learns_own_checks_pass(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def documents():
    random = np.random.default_rng(0)
    X = sparse.random_array((300, 80), density=0.1, rng=random, format="csr")
    y = np.array(["north", "east", "south"])[(X @ random.normal(size=(80, 3))).argmax(axis=1)]
    return X, y


@pytest.mark.parametrize("learner", ALL, ids=lambda learner: type(learner).__name__)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_any_number_of_threads_learns_the_same_bits(learner, documents):
    X, y = documents
    seeded = {"random_state": 0} if "random_state" in learner.get_params() else {}
    fitted = [clone(learner).set_params(n_jobs=n_jobs, **seeded).fit(X, y) for n_jobs in (1, 2, 3)]
    scores = [f.decision_function(X) if hasattr(f, "decision_function") else f.predict_proba(X) for f in fitted]
    assert all(s.tobytes() == scores[0].tobytes() for s in scores)
