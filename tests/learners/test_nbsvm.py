from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from assay.errors import DataError, ParameterError
from assay.learners import NBSVM, LinearSVC, LogisticRegression
from assay.learners.solvers.fit import fit_linear
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.nbsvm import NbsvmSettings

WORDS = np.array([[1.0, 1, 0, 0], [1, 0, 0, 1], [0, 1, 1, 0], [0, 0, 1, 1]])  # good, film, bad, plot
LABELS = ["pos", "pos", "neg", "neg"]


def sample(n_classes=3, n_features=700, n_rows=90):
    rng = np.random.default_rng(0)
    y = rng.permutation(np.arange(n_rows) % n_classes)
    rates = rng.gamma(0.3, size=(n_classes, n_features))
    return sparse.csr_array(rng.poisson(rates[y] * 20 / n_features).astype(float)), np.array(list("abcd"))[y]


def test_ratios_tell_the_words_of_the_classes():
    model = NBSVM().fit(WORDS, LABELS)
    # good: 2 + 1 of 4 + 4 inside, 0 + 1 of 4 + 4 outside.
    np.testing.assert_allclose(model.log_count_ratio_, [[np.log(3), 0, -np.log(3), 0]], atol=1e-12)
    np.testing.assert_array_equal(model.predict(WORDS), LABELS)


def test_ratios_count_rows_not_occurrences():
    np.testing.assert_array_equal(
        NBSVM().fit(WORDS * 7, LABELS).log_count_ratio_, NBSVM().fit(WORDS, LABELS).log_count_ratio_
    )


def test_binarizing_is_the_same_as_binary_features():
    X, y = sample()
    inside, outside = NBSVM(binarize=0.0).fit(X, y), NBSVM().fit((X > 0).astype(float), y)
    np.testing.assert_array_equal(inside.coef_, outside.coef_)
    np.testing.assert_array_equal(inside.decision_function(X), outside.decision_function((X > 0).astype(float)))
    np.testing.assert_array_equal(inside.decision_function(X.toarray()), inside.decision_function(X.toarray() * 3))


@pytest.mark.parametrize("base", ["svm", "logistic"])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_threads_and_refitting_do_not_change_a_bit(base, n_classes, dtype):
    X, y = sample(n_classes)
    X = X.astype(dtype)
    one = NBSVM(base=base, n_jobs=1).fit(X, y)
    two = NBSVM(base=base, n_jobs=2).fit(X, y)
    for attribute in ("coef_", "intercept_", "objective_", "duality_gap_"):
        np.testing.assert_array_equal(getattr(one, attribute), getattr(two, attribute))
    np.testing.assert_array_equal(one.coef_, pickle.loads(pickle.dumps(one)).fit(X, y).coef_)


@pytest.mark.parametrize("learner", ["nbsvm", "logistic nbsvm", "svm", "logistic"])
@pytest.mark.parametrize(("n_rows", "n_features", "rate"), [(600, 900, 0.1), (1500, 3000, 0.5)])
def test_company_of_other_classes_does_not_change_a_bit(learner, n_rows, n_features, rate):
    """Classes are solved side by side, and those that take longer move together; alone or not, they end the same."""
    rng = np.random.default_rng(3)
    y = rng.integers(19, size=n_rows)
    rates = rng.gamma(0.3, size=(19, n_features)) * np.linspace(0.2, 1, 19)[:, None]  # some are harder than others
    X = sparse.csr_array(rng.poisson(rates[y] * rate).astype(np.float32))
    assert (X.nnz > 200_000) == (n_rows > 600)  # in single precision, and in double
    make = {
        "nbsvm": lambda n: NBSVM(C=10, n_jobs=n),
        "logistic nbsvm": lambda n: NBSVM(base="logistic", n_jobs=n),
        "svm": lambda n: LinearSVC(dual=True, n_jobs=n),
        "logistic": lambda n: LogisticRegression(C=3, multi_class="ovr", n_jobs=n),
    }[learner]
    alone = make(19).fit(X, y)
    for n_jobs in (1, 2, 3):
        together = make(n_jobs).fit(X, y)
        for attribute in ("coef_", "intercept_"):
            np.testing.assert_array_equal(getattr(together, attribute), getattr(alone, attribute))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_model_is_linear_over_the_features_as_they_are(n_classes):
    X, y = sample(n_classes)
    model = NBSVM().fit(X, y)
    scores = X @ model.coef_.T + model.intercept_
    np.testing.assert_allclose(model.decision_function(X), scores[:, 0] if n_classes == 2 else scores)
    assert model.coef_.shape == (1 if n_classes == 2 else 3, 700)


def test_weight_of_zero_leaves_a_row_out():
    X, y = sample(3, n_features=60)
    keep = np.arange(90) % 5 > 0
    weighted = NBSVM().fit(X, y, sample_weight=keep.astype(float))
    np.testing.assert_allclose(weighted.coef_, NBSVM().fit(X[keep], y[keep]).coef_, rtol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_class_weights_move_decisions_towards_the_class(n_classes):
    X, y = sample(n_classes)
    plain, heavy = NBSVM(C=0.01, beta=1).fit(X, y), NBSVM(C=0.01, beta=1, class_weight={"a": 50}).fit(X, y)
    assert np.mean(heavy.predict(X) == "a") > np.mean(plain.predict(X) == "a")


def test_reports_what_the_solver_reached():
    X, y = sample(3)
    model = NBSVM(tol=1e-5).fit(X, y)
    assert model.converged_
    assert (model.duality_gap_ <= 1e-5 * model.objective_).all()
    assert model.n_iter_ >= 1
    with pytest.warns(ConvergenceWarning, match=r"NBSVM stopped after 1 passes .* above tol=1e-09\. Raise max_iter=1"):
        NBSVM(max_iter=1, tol=1e-9).fit(X, y)


def test_probabilities_need_the_logistic_base():
    X, y = sample(3)
    probabilities = NBSVM(base="logistic").fit(X, y).predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    two = NBSVM(base="logistic").fit(WORDS, LABELS)
    np.testing.assert_array_equal(two.predict_proba(WORDS).argmax(axis=1), [1, 1, 0, 0])
    with pytest.raises(AttributeError, match="predict_proba"):
        NBSVM().fit(X, y).predict_proba(X)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"base": "svn"}, r"'base' parameter of NBSVM must be one of 'svm', 'logistic'\. Got 'svn'"),
        ({"C": 0}, r"'C' parameter of NBSVM must be a number above 0 .*Got 0 instead"),
        ({"alpha": 0}, r"'alpha' parameter of NBSVM must be a number above 0"),
        ({"beta": 1.5}, r"'beta' parameter of NBSVM must be a number at least 0 and at most 1\. Got 1\.5"),
        ({"binarize": -1}, r"'binarize' parameter of NBSVM must be a number at least 0"),
        ({"tol": 0}, r"'tol' parameter of NBSVM must be a number above 0"),
        ({"max_iter": 0}, r"'max_iter' parameter of NBSVM must be a whole number at least 1"),
        ({"fit_intercept": 1}, r"'fit_intercept' parameter of NBSVM must be one of"),
    ],
)
def test_bad_setting_is_named(settings, message):
    with pytest.raises(ParameterError, match=message):
        NBSVM(**settings).fit(WORDS, LABELS)


def test_one_class_is_refused():
    with pytest.raises(DataError, match="y: all 4 rows have the label 'pos'"):
        NBSVM().fit(WORDS, ["pos"] * 4)


def test_without_bias_the_bias_stays_zero():
    X, y = sample()
    assert not NBSVM(fit_intercept=False).fit(X, y).intercept_.any()


def test_many_classes_are_solved_some_at_a_time_to_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    X = sparse.random(400, 900, 0.05, "csr", np.float32, random_state=random)
    classes = (np.arange(400) % 11).astype(np.int32)
    rows = LabelledRows(X, classes, tuple(map(str, range(11))))
    whole = fit_linear(rows, NbsvmSettings())
    monkeypatch.setattr("assay.learners.solvers.nbsvm.MOST_AT_A_TIME", 1)
    monkeypatch.setattr("assay.learners.solvers.nbsvm.FEWEST_AT_A_TIME", 4)
    parts = fit_linear(rows, NbsvmSettings())
    assert parts.weights.dtype == np.float32
    assert np.array_equal(whole.weights, parts.weights)
    assert np.array_equal(whole.intercept, parts.intercept)
    assert whole.iterations.tolist() == parts.iterations.tolist()
    assert parts.converged
