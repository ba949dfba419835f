"""What every learner says to data that it cannot learn from: the same clear sentence, whichever learner it is."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from assay import learners
from assay.errors import AssayError, DataError, ParameterError

ALL = [getattr(learners, name)() for name in learners.__all__]
EVERY = pytest.mark.parametrize("learner", ALL, ids=lambda learner: type(learner).__name__)
ONLINE = pytest.mark.parametrize(
    "learner", [learner for learner in ALL if hasattr(learner, "partial_fit")], ids=lambda it: type(it).__name__
)
REGULARISED = pytest.mark.parametrize(
    "learner", [learner for learner in ALL if "C" in learner.get_params()], ids=lambda it: type(it).__name__
)
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

X = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
Y = np.array(["ham", "spam", "ham", "spam"])


def with_value(value):
    changed = X.copy()
    changed[2, 1] = value
    return changed


# What is wrong: the rows, the labels, and what the message must say (where, the value found, and the way out).
BAD = {
    "fewer labels than rows": (X, Y[:3], r"X has 4 rows but y has 3 labels.*Give one label"),
    "more labels than rows": (X[:3], Y, r"X has 3 rows but y has 4 labels.*Give one label"),
    "one class": (X, ["ham"] * 4, r"y: all 4 rows have the label 'ham'.*of two classes at least.*Check that the right"),
    "NaN": (with_value(np.nan), Y, r"X\[2, 1\]: nan found.*Remove or replace"),
    "infinite": (with_value(np.inf), Y, r"X\[2, 1\]: inf found.*Remove or replace"),
    "infinite and sparse": (sparse.csr_array(with_value(-np.inf)), Y, r"X\[2, 1\]: -inf found"),
    "labels of two types": (X, np.array(["ham", 1, "ham", 2], object), r"mixes labels of different types: 'ham' \(y"),
    "a label that is missing": (X, np.array(["ham", None, "ham", "spam"], object), r"y\[1\]: the label is missing"),
    "a label that is NaN": (X, [0.0, np.nan, 0.0, 1.0], r"y\[1\]: the label is nan.*Leave out rows"),
    "labels that are measurements": (X, [0.5, 1.25, 0.5, 2.5], r"Unknown label type: continuous.*names or whole"),
    "no labels": (X, None, r"requires y to be passed, but the target y is None"),
    "documents that are all empty": (sparse.csr_array((4, 3)), Y, r"X, all 4 rows: no value but 0 found.*which column"),
    "rows that are all zero": (0 * X, Y, r"X, all 4 rows: no value but 0 found.*nothing to learn from"),
    "no rows": (X[:0], Y[:0], r"0 sample\(s\)"),
    "no columns": (X[:, :0], Y, r"0 feature\(s\)"),
    "text for numbers": (np.array([["a", "b"]] * 4), Y, r"could not convert string to float|dtype='numeric'"),
    "one row as a vector": (X[0], Y[:1], r"lengths differ|Expected 2D array"),
}  # fmt: skip


@EVERY
@pytest.mark.parametrize(("rows", "labels", "message"), BAD.values(), ids=BAD)
def test_data_that_nothing_can_be_learned_from_is_refused(learner, rows, labels, message):
    with pytest.raises(DataError, match=f"(?s){message}"):
        learner.fit(rows, labels)


@EVERY
def test_rows_of_other_features_than_in_training_are_refused(learner):
    learner.fit(X, Y)
    message = r"X has 2 features, but \w+ is expecting 3 features.*vectorizer that was fitted to the training data"
    with pytest.raises(DataError, match=message):
        learner.predict(X[:, :2])
    with pytest.raises(DataError, match=r"X\[2, 1\]: nan found"):
        learner.predict(with_value(np.nan))


@EVERY
def test_a_learner_that_was_not_fitted_says_so(learner):
    with pytest.raises(AssayError, match=rf"This {type(learner).__name__} is not fitted yet\. Call fit"):
        type(learner)().predict(X)


@EVERY
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0, 2.0], r"sample_weight has shape \(2,\) but X has 4 rows"),
        ([1.0, -1.0, 1.0, 1.0], r"sample_weight\[1\]: -1\.0 is not a finite weight"),
        ([1.0, np.nan, 1.0, 1.0], r"sample_weight\[1\]: nan is not a finite weight"),
        ([0.0] * 4, r"sample_weight is zero for every row"),
        (["much"] * 4, r"sample_weight must hold numbers"),
    ],
)
def test_weights_that_are_none_are_refused(learner, weights, message):
    with pytest.raises(DataError, match=message):
        learner.fit(X, Y, sample_weight=weights)


@EVERY
def test_weights_that_leave_one_class_are_refused(learner):
    with pytest.raises(DataError, match=r"y: all \d rows of weight above zero have the label 'ham'"):
        learner.fit(X, Y, sample_weight=[1, 0, 1, 0])


@REGULARISED
@pytest.mark.parametrize("C", [0, -1.0, np.nan, "1", True])
def test_a_slack_weight_that_is_not_above_zero_is_refused(learner, C):
    message = rf"The 'C' parameter of {type(learner).__name__} must be a number above 0.* Got {C!r} instead"
    with pytest.raises(ParameterError, match=message):
        type(learner)(C=C).fit(X, Y)


@pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB"])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_negative_counts_are_refused_with_their_place(name, kind):
    with pytest.raises(DataError, match=r"Negative values in data.*X\[2, 1\] holds -2\.0"):
        getattr(learners, name)().fit(kind(with_value(-2.0)), Y)


@ONLINE
def test_a_label_that_no_batch_named_is_refused(learner):
    model = type(learner)()
    model.partial_fit(X, Y, classes=["ham", "spam"])
    message = r"y\[1\]: the label 'spma' is not one of the classes that \w+ knows: 'spam', 'ham'"
    with pytest.raises(DataError, match=message):
        model.partial_fit(X, ["ham", "spma", "ham", "spam"])


@ONLINE
def test_the_first_batch_has_to_name_the_classes(learner):
    with pytest.raises(ParameterError, match=r"classes must be passed on the first call to partial_fit"):
        type(learner)().partial_fit(X, Y)


@EVERY
def test_an_empty_document_among_others_is_learned_from(learner):
    rows = sparse.csr_array(np.vstack([X, np.zeros((1, 3))]))
    model = type(learner)().fit(rows, [*Y, "spam"])
    assert model.predict(rows[[4]])[0] in {"ham", "spam"}


@EVERY
def test_a_class_with_one_example_is_learned(learner):
    rows, labels = np.vstack([X, [[0.0, 9.0, 0.0]]]), [*Y, "news"]
    model = type(learner)().fit(rows, labels)
    assert model.classes_.tolist() == ["ham", "news", "spam"]
    assert model.predict([[0.0, 9.0, 0.0]]).tolist() == ["news"]


def test_a_class_with_one_example_leaves_nothing_to_hold_out():
    rows, labels = np.vstack([X, [[0.0, 9.0, 0.0]]]), [*Y, "news"]
    model = learners.LogisticRegression(solver="sgd", early_stopping=True)
    with pytest.raises(DataError, match=r"The class 'news' has 1 example: none of it can be held out.*early_stopping"):
        model.fit(rows, labels)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"penalty": "l3"}, r"'penalty' parameter of LogisticRegression must be one of 'l\d'.*Got 'l3'"),
        ({"solver": "lbgfs"}, r"'solver' parameter of LogisticRegression must be one of 'lbfgs'"),
        ({"multi_class": "one"}, r"'multi_class' parameter .* must be one of"),
        ({"learning_rate": "optimal"}, r"'learning_rate' parameter .* must be one of"),
        ({"l1_ratio": 1.5}, r"'l1_ratio' parameter .* must be a number at least 0 and at most 1\. Got 1\.5"),
        ({"threshold": 2}, r"'threshold' parameter .* must be a number at least 0 and at most 1\. Got 2"),
        ({"max_iter": 0}, r"'max_iter' parameter .* must be a whole number at least 1"),
        ({"tol": None}, r"'tol' parameter .*Only solver='sgd' takes None"),
        ({"eta0": 0.0}, r"'eta0' parameter .* must be a number above 0"),
        ({"batch_size": 0}, r"'batch_size' parameter .* None takes all examples at once"),
        ({"validation_fraction": 1.0}, r"'validation_fraction' parameter .* above 0 and below 1"),
        ({"fit_intercept": 1}, r"'fit_intercept' parameter .* must be one of True, False|one of False, True"),
        ({"penalty": "l1", "l1_ratio": 0.5}, r"penalty='l1' with l1_ratio=0\.5, which contradict.*set l1_ratio"),
        ({"solver": "dual", "l1_ratio": 0.5}, r"solver='dual' has no L1 penalty, but l1_ratio=0\.5.*solver='auto'"),
    ],
)  # fmt: skip
def test_settings_of_logistic_regression_are_checked(settings, message):
    with pytest.raises(ParameterError, match=message):
        learners.LogisticRegression(**settings).fit(X, Y)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"penalty": "l0"}, r"'penalty' parameter of LinearSVC must be one of"),
        ({"loss": "squared"}, r"'loss' parameter of LinearSVC must be one of 'squared_hinge'"),
        ({"tol": 0}, r"'tol' parameter of LinearSVC must be a number above 0"),
        ({"C": np.inf}, r"'C' parameter of LinearSVC .* above 0 and below inf\. Got inf.*regularises more"),
        ({"intercept_scaling": -1}, r"'intercept_scaling' parameter of LinearSVC must be a number above 0"),
        ({"penalty": "l1", "loss": "hinge"}, r"cannot combine penalty='l1' with loss='hinge'\. Use loss="),
        ({"penalty": "l1", "dual": True}, r"penalty='l1' has no dual solver\. Use dual='auto' or False"),
        ({"loss": "hinge", "dual": False}, r"loss='hinge' has no primal solver\. Use dual='auto' or True"),
        ({"class_weight": {"eggs": 2}}, r"class_weight names the label 'eggs', which the data does not have"),
        ({"class_weight": "even"}, r"'class_weight' parameter of LinearSVC must be None, 'balanced' or a dict"),
        ({"class_weight": {"ham": -1}}, r"class_weight gives the label 'ham' the weight -1"),
        ({"n_jobs": 0}, r"n_jobs|threads"),
        ({"random_state": "seed"}, r"'random_state' parameter of LinearSVC must be None, a whole number"),
    ],
)  # fmt: skip
def test_settings_of_the_support_vector_machine_are_checked(settings, message):
    with pytest.raises(ParameterError, match=message):
        learners.LinearSVC(**settings).fit(X, Y)


@pytest.mark.filterwarnings("default::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (learners.LinearSVC(max_iter=1, C=1e4, dual=True), r"stopped after 1 passes with a relative duality gap"),
        (learners.LinearSVC(max_iter=1, tol=1e-12, penalty="l1"), r"LinearSVC stopped after 1 passes"),
        (learners.LogisticRegression(max_iter=1, C=1e4), r"LogisticRegression stopped after 1 iterations"),
        (learners.LogisticRegression(max_iter=1, C=1e4, solver="dual"), r"without reaching tol=0\.0001\. Raise max"),
        (learners.LogisticRegression(max_iter=1, tol=1e-12, l1_ratio=1.0), r"lower C=1 or scale the features"),
    ],
)  # fmt: skip
def test_a_solver_that_stops_early_warns_and_says_what_it_reached(learner, message):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(30, 4))
    with pytest.warns(ConvergenceWarning, match=message):
        learner.fit(rows, (rows @ rng.normal(size=4) + rng.normal(size=30) > 0) * 1)
    assert not learner.converged_
    assert np.max(learner.n_iter_) == 1
    assert np.isfinite(learner.objective_).all()
    assert (learner.duality_gap_ > 0).all()
