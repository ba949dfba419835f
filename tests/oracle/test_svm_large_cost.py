"""Support vector machines where coordinate descent crawls: many classes, large C, fewer features than rows."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import LinearSVC as Peer

from assay.learners import LinearSVC


@pytest.fixture(scope="module")
def many_classes():
    """Short documents of 30 classes that share most of their words; one document in twelve has another's label."""
    random = np.random.default_rng(5)
    n_rows, n_words, n_classes = 1500, 400, 30
    classes = random.integers(n_classes, size=n_rows)
    topics = random.dirichlet(np.full(n_words, 0.05), size=n_classes)
    rows = [random.multinomial(12, 0.5 * topics[k] + 0.5 / n_words) / np.sqrt(12.0) for k in classes]
    noisy = np.where(random.random(n_rows) < 1 / 12, random.integers(n_classes, size=n_rows), classes)
    return sparse.csr_array(np.array(rows)), noisy


def objectives(X, y, coef, intercept, C, power):
    """Of each class against the rest, with the intercept penalised like a weight."""
    signs = np.where(y[:, None] == np.arange(len(coef)), 1.0, -1.0)
    slack = np.maximum(0, 1 - signs * (X @ coef.T + intercept))
    return 0.5 * (coef**2).sum(axis=1) + 0.5 * intercept**2 + C * (slack**power).sum(axis=0)


@pytest.mark.parametrize("C", [1.0, 30.0, 1000.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_class_is_within_tol_of_liblinears_optimum(many_classes, C, dtype):
    X, y = many_classes
    peer = Peer(C=C, dual=False, tol=1e-8, max_iter=10_000).fit(X, y)
    best = objectives(X, y, peer.coef_, peer.intercept_, C, 2)
    ours = LinearSVC(C=C, tol=1e-3).fit(X.astype(dtype), y)
    found = objectives(X, y, np.asarray(ours.coef_, float), ours.intercept_, C, 2)
    assert ours.converged_
    # float32 weights change an objective in the fifth digit; the primal peer may itself be a little above the optimum
    assert np.all(found <= best * (1 + 1e-3 + 5e-5))
    assert np.all(ours.duality_gap_ <= 1e-3 * ours.objective_)


def test_the_plain_hinge_is_within_tol_of_liblinears_optimum(many_classes):
    X, y = many_classes
    peer = Peer(C=1.0, loss="hinge", tol=1e-7, max_iter=100_000).fit(X, y)
    best = objectives(X, y, peer.coef_, peer.intercept_, 1.0, 1)
    ours = LinearSVC(C=1.0, loss="hinge", tol=1e-3).fit(X, y)
    assert ours.converged_
    assert np.all(objectives(X, y, ours.coef_, ours.intercept_, 1.0, 1) <= best * (1 + 1.1e-3))


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("C", [1.0, 100.0])
def test_threads_change_no_bit_where_classes_leave_their_groups(many_classes, loss, C):
    X, y = many_classes
    fits = [LinearSVC(C=C, loss=loss, tol=1e-2, n_jobs=n).fit(X.astype(np.float32), y) for n in (1, 2, 3)]
    for other in fits[1:]:
        assert np.array_equal(other.coef_, fits[0].coef_)
        assert np.array_equal(other.intercept_, fits[0].intercept_)
        assert other.n_iter_ == fits[0].n_iter_


def test_a_plain_hinge_whose_dual_variables_are_at_their_bounds_leaves_its_group(many_classes):
    X, _ = many_classes
    y = np.random.default_rng(1).integers(3, size=X.shape[0])  # nothing to tell apart: nearly all are at C
    model = LinearSVC(C=0.01, loss="hinge", tol=1e-6).fit(X, y)
    assert model.converged_
    # Passes of a group read all values; those over a list that shrinks do not.
    assert np.any(model.work_ % (X.nnz + X.shape[0]) != 0)


def test_a_looser_tol_takes_fewer_passes_in_either_form(many_classes):
    X, y = many_classes
    for dual in (True, False):
        loose, tight = (LinearSVC(C=10.0, dual=dual, tol=tol).fit(X, y).n_iter_ for tol in (0.3, 1e-4))
        assert loose < tight, dual


def test_too_few_passes_are_said_and_kept_to(many_classes):
    X, y = many_classes
    with pytest.warns(UserWarning, match=r"stopped after \d+ passes"):
        short = LinearSVC(C=1000.0, tol=1e-6, max_iter=4).fit(X, y)
    assert short.n_iter_ <= 4
