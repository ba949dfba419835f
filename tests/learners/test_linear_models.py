"""LogisticRegression and LinearSVC: what their settings, and the form of the data, do and do not change."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from assay.learners import LinearSVC, LogisticRegression

FINE = {"tol": 1e-10, "max_iter": 10_000}
BOTH = pytest.mark.parametrize("make", [LogisticRegression, LinearSVC])


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = sparse.random_array((90, 30), density=0.3, rng=rng, format="csr")
    names = np.array(["north", "east", "south"])
    return X, names[(X @ rng.normal(size=(30, 3))).argmax(axis=1)]


@pytest.fixture(scope="module")
def two_classes(rows):
    X, y = rows
    return X, np.where(y == "north", "north", "elsewhere")


def test_threshold_is_the_probability_from_which_the_second_class_is_predicted(two_classes):
    X, y = two_classes
    model = LogisticRegression().fit(X, y)
    probability = model.predict_proba(X)[:, 1]
    for threshold in (0.0, 0.2, 0.7, 1.0):
        model.set_params(threshold=threshold)
        np.testing.assert_array_equal(model.predict(X) == "north", probability >= threshold)


def test_probabilities_of_many_classes_sum_to_one_and_agree_with_the_prediction(rows):
    X, y = rows
    for multi_class in ("multinomial", "ovr"):
        model = LogisticRegression(multi_class=multi_class).fit(X, y)
        probabilities = model.predict_proba(X)
        np.testing.assert_allclose(probabilities.sum(axis=1), 1)
        np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), probabilities, rtol=1e-12)
        np.testing.assert_array_equal(model.classes_[probabilities.argmax(axis=1)], model.predict(X))


def test_extreme_scores_give_finite_logarithms(two_classes):
    X, y = two_classes
    model = LogisticRegression().fit(X, y)
    far = model.predict_log_proba(X * 1e5)
    assert np.isfinite(far).all()
    assert far.min() < -1000


@pytest.mark.parametrize("name", ["lbfgs", "newton-cg", "newton-cholesky", "sag", "saga", "auto"])
def test_names_of_scikit_learns_solvers_reach_one_optimum(rows, name):
    X, y = rows
    expected = LogisticRegression(solver="newton", **FINE).fit(X, y).coef_
    np.testing.assert_allclose(LogisticRegression(solver=name, **FINE).fit(X, y).coef_, expected, atol=1e-5)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"penalty": "l1"}, {"l1_ratio": 1.0}),
        ({"penalty": "l2"}, {}),
        ({"penalty": "deprecated"}, {}),
        ({"penalty": None}, {"C": np.inf}),
        ({"penalty": "elasticnet", "l1_ratio": 0.3}, {"l1_ratio": 0.3}),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_penalty_says_the_same_as_c_and_l1_ratio(rows, one, other):
    first, second = LogisticRegression(**one).fit(*rows), LogisticRegression(**other).fit(*rows)
    assert first.coef_.tobytes() == second.coef_.tobytes()


@BOTH
def test_sparse_dense_precision_and_width_of_indices_are_one_problem(rows, make):
    X, y = rows
    expected = make(**FINE).fit(X, y).decision_function(X)
    wide = X.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    for form in (X.toarray(), np.asfortranarray(X.toarray()), X.tocsc(), X.tocoo(), wide):
        np.testing.assert_allclose(make(**FINE).fit(form, y).decision_function(X), expected, atol=1e-6)
    single = make(**FINE).fit(X.astype(np.float32), y)
    assert single.coef_.dtype == np.float32
    np.testing.assert_allclose(single.decision_function(X), expected, atol=1e-4)


@BOTH
def test_entries_that_name_a_column_twice_are_added(rows, make):
    X, y = rows
    twice = sparse.csr_array((np.repeat(X.data / 2, 2), np.repeat(X.indices, 2), X.indptr * 2), shape=X.shape)
    np.testing.assert_allclose(make(**FINE).fit(twice, y).coef_, make(**FINE).fit(X, y).coef_, atol=1e-6)


@BOTH
@pytest.mark.parametrize("two", [True, False])
def test_weights_of_rows_are_repetitions_and_those_of_classes_multiply_them(rows, two_classes, make, two):
    X, y = two_classes if two else rows
    counts = np.arange(X.shape[0]) % 3
    weighted = make(**FINE).fit(X, y, sample_weight=counts)
    repeated = make(**FINE).fit(X[np.repeat(np.arange(X.shape[0]), counts)], np.repeat(y, counts))
    np.testing.assert_allclose(weighted.decision_function(X), repeated.decision_function(X), atol=1e-4)
    if make is LinearSVC:  # whose class weights are of the class against the rest
        return
    by_class = make(class_weight={"north": 2.0}, **FINE).fit(X, y)
    by_row = make(**FINE).fit(X, y, sample_weight=np.where(y == "north", 2.0, 1.0))
    np.testing.assert_allclose(by_class.decision_function(X), by_row.decision_function(X), atol=1e-6)


@BOTH
def test_balanced_weights_are_inverse_frequencies(rows, make):
    X, y = rows
    names, counts = np.unique(y, return_counts=True)
    weights = {name: len(y) / (3 * count) for name, count in zip(names, counts, strict=True)}
    balanced = make(class_weight="balanced", **FINE).fit(X, y)
    np.testing.assert_allclose(balanced.coef_, make(class_weight=weights, **FINE).fit(X, y).coef_, atol=1e-8)


def test_support_vectors_are_counted_in_the_rows_that_were_given(two_classes):
    X, y = two_classes
    weights = np.ones(X.shape[0])
    weights[:10] = 0
    model = LinearSVC(loss="hinge", C=0.5, **FINE).fit(X, y, sample_weight=weights)
    assert model.support_.min() >= 10
    margins = np.where(y == "north", 1, -1) * model.decision_function(X)
    needed = np.flatnonzero((margins < 0.999) & (weights > 0))
    assert set(needed) <= set(model.support_)
    assert (margins[model.support_] < 1.001).all()


def test_weights_without_support_vectors_do_not_change_the_machine(two_classes):
    X, y = two_classes
    model = LinearSVC(loss="hinge", **FINE).fit(X, y)
    again = LinearSVC(loss="hinge", **FINE).fit(X[model.support_], y[model.support_])
    np.testing.assert_allclose(again.coef_, model.coef_, atol=1e-4)


@pytest.mark.parametrize("make", [lambda: LogisticRegression(l1_ratio=1.0), lambda: LinearSVC(penalty="l1", C=0.3)])
def test_sparse_weights_predict_the_same(rows, make):
    X, y = rows
    model = make().fit(X, y)
    expected = model.decision_function(X)
    assert (model.coef_ == 0).mean() > 0.2
    model.sparsify()
    assert sparse.issparse(model.coef_)
    np.testing.assert_allclose(model.decision_function(X), expected, atol=1e-12)
    np.testing.assert_allclose(model.densify().decision_function(X), expected, atol=1e-12)


@pytest.mark.parametrize("settings", [{"solver": "newton"}, {"l1_ratio": 0.5}])
def test_a_warm_start_at_the_optimum_has_next_to_nothing_to_do(rows, settings):
    model = LogisticRegression(warm_start=True, tol=1e-6, max_iter=1000, **settings).fit(*rows)
    first, weights = model.n_iter_.max(), model.coef_.copy()
    model.fit(*rows)
    assert model.n_iter_.max() < first
    np.testing.assert_allclose(model.coef_, weights, atol=1e-4)


@BOTH
def test_a_very_large_c_is_handed_to_the_newton_method_and_converges(make):
    rng = np.random.default_rng(0)
    X = sparse.random_array((60, 600), density=0.05, rng=rng, format="csr")
    y = rng.integers(2, size=60)
    model = make(C=1e5).fit(X, y)
    assert model.converged_
    assert model.score(X, y) == 1.0


def test_the_constant_feature_of_liblinear_scales_its_penalty(two_classes):
    X, y = two_classes
    small, large = (LinearSVC(intercept_scaling=s, **FINE).fit(X, y).intercept_[0] for s in (0.01, 10.0))
    assert abs(small) < 1e-2 < abs(large)
