"""Checks that every learner must pass: scikit-learn's own, whole, and the same bits for any number of threads."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from assay import learners

ALL = [getattr(learners, name)() for name in learners.__all__]
# Settings that are not the defaults but change how, or what, is learned.
VARIANTS = [
    learners.ComplementNB(norm=True),
    learners.VotedPerceptron(min_survival=2),
    learners.NBSVM(base="logistic"),
    learners.NBSVM(binarize=0.0, beta=1.0),
    learners.LogisticRegression(multi_class="ovr"),
    learners.LogisticRegression(l1_ratio=1.0, tol=1e-15),
    learners.LogisticRegression(l1_ratio=0.5, multi_class="ovr", tol=1e-15),
    learners.LogisticRegression(solver="dual"),
    learners.LogisticRegression(solver="dual", multi_class="ovr", tol=1e-8),
    learners.LogisticRegression(solver="liblinear"),
    learners.LogisticRegression(penalty=None),
    learners.LogisticRegression(solver="sgd"),
    learners.LogisticRegression(solver="sgd", learning_rate="adam", eta0=0.01, batch_size=16, max_iter=300),
    learners.LinearSVC(loss="hinge", tol=1e-8, max_iter=100_000),
    learners.LinearSVC(penalty="l1", dual=False, tol=1e-15),
    learners.LinearSVC(dual=True),
    learners.LinearSVC(dual=True, tol=1e-8),
    learners.LinearSVC(multi_class="crammer_singer", tol=1e-8, max_iter=100_000),
]


def weights_are_not_quite_repeats(reason):
    return {f"check_sample_weight_equivalence_on_{kind}_data": reason for kind in ("dense", "sparse")}


# A weight of 2 is the same problem as a row twice. Those who reach its optimum reach the same one, to many digits.
STOCHASTIC = weights_are_not_quite_repeats("one step of twice the length is not two steps, as with SGDClassifier")
UNPENALISED = weights_are_not_quite_repeats("the classes of this check can be told apart: the optimum is at infinity")


def expected_to_fail(learner):
    settings = learner.get_params()
    if settings.get("solver") == "sgd":
        return STOCHASTIC
    return UNPENALISED if settings.get("penalty", "") is None else {}


@parametrize_with_checks([*ALL, *VARIANTS], expected_failed_checks=expected_to_fail)
@pytest.mark.filterwarnings("ignore")  # the checks provoke warnings and look at some of them themselves
def test_scikit_learns_own_checks_pass(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def documents():
    random = np.random.default_rng(0)
    X = sparse.random_array((300, 80), density=0.1, rng=random, format="csr")
    y = np.array(["north", "east", "south"])[(X @ random.normal(size=(80, 3))).argmax(axis=1)]
    return X, y


@pytest.mark.parametrize("learner", [*ALL, *VARIANTS], ids=repr)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_any_number_of_threads_learns_the_same_bits(learner, documents):
    X, y = documents
    seeded = {"random_state": 0} if "random_state" in learner.get_params() else {}
    fitted = [clone(learner).set_params(n_jobs=n_jobs, **seeded).fit(X, y) for n_jobs in (1, 2, 3)]
    scores = [f.decision_function(X) if hasattr(f, "decision_function") else f.predict_proba(X) for f in fitted]
    assert all(s.tobytes() == scores[0].tobytes() for s in scores)


@pytest.mark.parametrize("learner", [*ALL, *VARIANTS], ids=repr)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_learning_again_gives_the_same_bits(learner, documents):
    first, second = (pickle.dumps(clone(learner).fit(*documents)) for _ in range(2))
    assert first == second
