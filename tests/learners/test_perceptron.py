from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from assay.errors import DataError, ParameterError
from assay.learners import AveragedPerceptron, Perceptron, VotedPerceptron

FAMILY = [Perceptron, AveragedPerceptron, VotedPerceptron]
REVIEWS = np.array([[1.0, 1, 1, 0, 0], [0, 0, 1, 1, 0], [0, 0, 1, 0, 1]])  # good, excellent, bad, horrible, boring
SQUARE = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
quiet = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def clusters(n_classes=3, n_rows=90, n_features=20, seed=0, spread=2.0):
    """Rows around one centre for each class, sorted by class as files often are."""
    rng = np.random.default_rng(seed)
    y = np.sort(np.arange(n_rows) % n_classes)
    X = rng.normal(size=(n_classes, n_features))[y] * 2 + spread * rng.normal(size=(n_rows, n_features))
    return X, np.array(["red", "green", "blue", "grey"])[y]


def test_three_reviews_converge_after_one_pass():
    first = Perceptron(shuffle=False).partial_fit(REVIEWS[:1], ["pos"], classes=["neg", "pos"])
    np.testing.assert_array_equal(first.coef_, [[1, 1, 1, 0, 0]])
    np.testing.assert_array_equal(first.intercept_, [1])
    model = Perceptron(shuffle=False).fit(REVIEWS, ["pos", "neg", "neg"])
    np.testing.assert_array_equal(model.coef_, [[1, 1, 0, -1, 0]])
    np.testing.assert_array_equal(model.intercept_, [0])
    np.testing.assert_array_equal(model.mistakes_, [2, 0])
    assert model.separable_


def test_bias_moves_the_boundary_away_from_the_origin():
    model = Perceptron(shuffle=False).fit([[1], [10], [2], [20]], [-1, 1, -1, 1])
    assert model.coef_.tolist() == [[2]]
    assert model.intercept_.tolist() == [-4]
    assert model.n_iter_ == 4
    assert model.mistakes_[3] == 0


def test_score_of_exactly_zero_decides_for_the_first_class():
    model = Perceptron(shuffle=False).fit([[1], [10], [2], [20]], ["no", "yes", "no", "yes"])
    assert model.decision_function([[2]]) == 0
    assert model.predict([[2]]) == "no"


@pytest.mark.parametrize("truth", [[0, 0, 0, 1], [0, 1, 1, 1]], ids=["AND", "OR"])
def test_and_and_or_are_learned_within_the_mistake_bound(truth):
    model = Perceptron(shuffle=False, max_iter=100).fit(SQUARE, truth)
    assert model.separable_
    np.testing.assert_array_equal(model.predict(SQUARE), truth)
    # Novikoff: at most (R/γ)² mistakes for any separating (w, b) of length 1, here x₁ + x₂ > 1.5 or > 0.5.
    separating = np.array([1, 1, -1.5 if sum(truth) == 1 else -0.5])
    rows = np.column_stack([SQUARE, np.ones(4)])
    margin = np.abs(rows @ separating).min() / np.linalg.norm(separating)
    assert model.mistakes_.sum() <= (np.linalg.norm(rows, axis=1).max() / margin) ** 2


def test_xor_never_converges():
    with pytest.warns(ConvergenceWarning, match=r"still made \d+ mistakes in pass 200 .*AveragedPerceptron"):
        model = Perceptron(max_iter=200).fit(SQUARE, [0, 1, 1, 0])
    assert not model.separable_
    assert (model.mistakes_ > 0).all()


def test_ties_between_classes_go_to_the_first():
    model = Perceptron(shuffle=False, max_iter=1)
    # All scores are 0 at first: class a is predicted, rightly for the first row and wrongly for the second.
    with pytest.warns(ConvergenceWarning):
        model.fit([[1, 0], [0, 1], [0, 1]], ["a", "b", "c"])
    np.testing.assert_array_equal(model.coef_, [[0, -1], [0, 0], [0, 1]])


def test_step_size_scales_the_weights_and_alters_no_decision():
    X, y = clusters(2)
    unit, large = Perceptron().fit(X, y), Perceptron(eta0=4).fit(X, y)
    np.testing.assert_array_equal(4 * unit.coef_, large.coef_)
    np.testing.assert_array_equal(unit.mistakes_, large.mistakes_)


@quiet
@pytest.mark.parametrize("learner", FAMILY)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_order_of_the_rows_does_not_matter_when_shuffled(learner, n_classes):
    X, y = clusters(n_classes)
    order = np.random.default_rng(1).permutation(len(y))
    sorted_by_class, mixed = learner().fit(X, y), learner().fit(X[order], y[order])
    np.testing.assert_array_equal(sorted_by_class.mistakes_, mixed.mistakes_)
    np.testing.assert_array_equal(sorted_by_class.decision_function(X), mixed.decision_function(X))


@quiet
def test_rows_sorted_by_class_are_a_trap_that_shuffling_avoids():
    X, y = clusters(4, n_rows=400, n_features=4, seed=3)
    shuffled = Perceptron(max_iter=1).fit(X, y).score(X, y)
    as_they_stand = Perceptron(max_iter=1, shuffle=False).fit(X, y).score(X, y)
    assert shuffled > as_they_stand + 0.1


@quiet
@pytest.mark.parametrize("learner", FAMILY)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_sparse_dense_and_precision_of_whole_numbers_agree(learner, n_classes):
    X, y = clusters(n_classes)
    X = np.round(X)
    dense = learner().fit(X, y).decision_function(X)
    for same in (
        sparse.csr_array(X),
        sparse.csr_matrix(X, dtype=np.float32),
        X.astype(np.float32),
        sparse.csc_array(X),
    ):
        # Training is exact on whole numbers; products with dense and sparse rows add up in different orders.
        np.testing.assert_allclose(learner().fit(same, y).decision_function(same), dense, rtol=1e-12)
    wide = sparse.csr_array(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    np.testing.assert_allclose(learner().fit(wide, y).decision_function(wide), dense, rtol=1e-12)


@quiet
@pytest.mark.parametrize("learner", FAMILY)
def test_threads_and_refitting_do_not_change_a_bit(learner):
    X, y = clusters()
    one = learner(n_jobs=1).fit(X, y)
    again = one.decision_function(X)
    np.testing.assert_array_equal(learner(n_jobs=2).fit(X, y).decision_function(X), again)
    np.testing.assert_array_equal(one.fit(X, y).decision_function(X), again)


@quiet
@pytest.mark.parametrize("learner", FAMILY)
def test_another_seed_gives_another_order(learner):
    X, y = clusters()
    first, second = (
        learner(random_state=1, max_iter=1).fit(X, y),
        learner(random_state=2, max_iter=1).fit(X, y),
    )
    assert not np.array_equal(first.decision_function(X), second.decision_function(X))


@quiet
@pytest.mark.parametrize("learner", FAMILY)
@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_weight_of_k_is_k_copies_in_a_row(learner, shuffle, n_classes):
    X, y = clusters(n_classes, n_rows=40)
    weights = np.random.default_rng(5).integers(0, 4, len(y))
    weighted = learner(shuffle=shuffle).fit(X, y, sample_weight=weights)
    copied = learner(shuffle=shuffle).fit(X.repeat(weights, axis=0), y.repeat(weights))
    np.testing.assert_array_equal(weighted.mistakes_, copied.mistakes_)
    np.testing.assert_allclose(weighted.decision_function(X), copied.decision_function(X), rtol=1e-12)


def test_fractional_weight_makes_a_smaller_step():
    model = Perceptron(shuffle=False).fit([[4], [1]], [1, 0], sample_weight=[0.25, 1])
    first = Perceptron(shuffle=False).partial_fit([[4]], [1], classes=[0, 1], sample_weight=[0.25])
    assert first.coef_.tolist() == [[1]]
    assert first.intercept_.tolist() == [0.25]
    assert model.separable_


@quiet
@pytest.mark.parametrize("learner", FAMILY)
def test_class_weights_multiply_sample_weights(learner):
    X, y = clusters(2, n_rows=40)
    by_class = learner(class_weight={"red": 3}).fit(X, y)
    by_row = learner().fit(X, y, sample_weight=np.where(y == "red", 3.0, 1.0))
    np.testing.assert_array_equal(by_class.decision_function(X), by_row.decision_function(X))


@quiet
@pytest.mark.parametrize("learner", FAMILY)
def test_pass_by_pass_is_the_same_as_fit(learner):
    X, y = clusters()
    whole = learner(max_iter=3).fit(X, y)
    parts = learner(max_iter=3)
    for _ in range(whole.n_iter_):
        parts.partial_fit(X, y, classes=np.unique(y))
    np.testing.assert_array_equal(parts.mistakes_, whole.mistakes_)
    np.testing.assert_array_equal(parts.decision_function(X), whole.decision_function(X))
    assert not parts.separable_


@quiet
@pytest.mark.parametrize("learner", FAMILY)
def test_warm_start_goes_on_where_fit_stopped(learner):
    X, y = clusters(n_features=4)
    warm = learner(max_iter=2, warm_start=True).fit(X, y).fit(X, y)
    whole = learner(max_iter=4).fit(X, y)
    np.testing.assert_array_equal(warm.decision_function(X), whole.decision_function(X))
    with pytest.raises(DataError, match=r"warm_start goes on from .* with 4 features .* the data has 3 features"):
        warm.fit(X[:, :3], y)


@quiet
@pytest.mark.parametrize("learner", FAMILY)
def test_without_bias_the_bias_stays_zero(learner):
    X, y = clusters()
    model = learner(fit_intercept=False).fit(X, y)
    biases = model.last_intercept_ if learner is VotedPerceptron else model.intercept_
    assert not biases.any()


def test_values_too_large_to_add_are_refused():
    with pytest.raises(DataError, match=r"the score of X\[1\] is no longer a finite number.*Scale X"):
        Perceptron(shuffle=False).fit([[1e200], [1e200]], [1, 0])


@pytest.mark.parametrize("learner", FAMILY)
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_iter": 0}, r"'max_iter' parameter of \w+ must be a whole number at least 1\. Got 0"),
        ({"shuffle": "no"}, r"'shuffle' parameter of \w+ must be one of .*Got 'no'"),
        ({"fit_intercept": 2}, r"'fit_intercept' parameter of \w+ must be one of"),
        ({"warm_start": None}, r"'warm_start' parameter of \w+ must be one of"),
        ({"random_state": "seed"}, r"'random_state' parameter of \w+ must be"),
        ({"class_weight": {"gren": 2}}, r"class_weight names the label 'gren'.*'green'"),
    ],
)
def test_bad_setting_is_named(learner, settings, message):
    X, y = clusters()
    with pytest.raises(ParameterError, match=message):
        learner(**settings).fit(X, y)


def test_step_size_must_be_above_zero():
    with pytest.raises(ParameterError, match=r"'eta0' parameter of Perceptron must be a number above 0\. Got 0"):
        Perceptron(eta0=0).fit(REVIEWS, [1, 0, 0])


@pytest.mark.parametrize("learner", FAMILY)
def test_balanced_weights_need_all_the_data(learner):
    with pytest.raises(ParameterError, match=r"class_weight='balanced' cannot be used with partial_fit .*Give a dict"):
        learner(class_weight="balanced").partial_fit(REVIEWS, [1, 0, 0], classes=[0, 1])


@pytest.mark.parametrize("learner", FAMILY)
def test_unknown_class_in_a_batch_is_refused(learner):
    model = learner().partial_fit(REVIEWS, ["pos", "neg", "neg"], classes=["neg", "pos"])
    with pytest.raises(DataError, match=r"y\[0\]: the label 'neu' is not one of the classes"):
        model.partial_fit(REVIEWS[:1], ["neu"])


@pytest.mark.parametrize("learner", FAMILY)
def test_one_class_is_refused(learner):
    with pytest.raises(DataError, match="y: all 3 rows have the label 'pos'"):
        learner().fit(REVIEWS, ["pos"] * 3)
