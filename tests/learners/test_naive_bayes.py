from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import sparse

from assay.errors import DataError, ParameterError
from assay.learners import BernoulliNB, ComplementNB, MultinomialNB

ALL = [MultinomialNB, ComplementNB, BernoulliNB]
X = np.array([[2.0, 0, 1], [1, 0, 0], [0, 3, 1], [0, 1, 0]])  # good, bad, film
Y = ["pos", "pos", "neg", "neg"]


def large_sample(n_features=3000):
    rng = np.random.default_rng(0)
    counts = sparse.random_array((500, n_features), density=0.02, rng=rng, format="csr")
    return counts, rng.integers(7, size=500)


def test_multinomial_probabilities_are_smoothed_frequencies():
    model = MultinomialNB().fit(X, Y)
    np.testing.assert_allclose(np.exp(model.feature_log_prob_), [[1 / 8, 5 / 8, 2 / 8], [4 / 7, 1 / 7, 2 / 7]])
    np.testing.assert_allclose(np.exp(model.class_log_prior_), [0.5, 0.5])


def test_bernoulli_probabilities_are_smoothed_shares_of_rows():
    model = BernoulliNB().fit(X, Y)
    np.testing.assert_allclose(np.exp(model.feature_log_prob_), [[1 / 4, 3 / 4, 1 / 2], [3 / 4, 1 / 4, 1 / 2]])


def test_bernoulli_takes_a_smoothing_for_each_feature():
    alpha = np.array([0.5, 1, 2])
    model = BernoulliNB(alpha=alpha).fit(X, Y)
    rows_with = np.array([[0, 2, 1], [2, 0, 1]])
    np.testing.assert_allclose(np.exp(model.feature_log_prob_), (rows_with + alpha) / (2 + 2 * alpha))


@pytest.mark.parametrize("learner", ALL)
def test_linear_form_gives_the_joint_log_probabilities(learner):
    counts, y = large_sample(200)
    model = learner(alpha=0.3).fit(counts, y)
    rows = (counts > 0).astype(float) if learner is BernoulliNB else counts
    np.testing.assert_allclose(
        rows @ model.coef_.T + model.intercept_, model.predict_joint_log_proba(counts), rtol=1e-12
    )


def test_weights_of_the_linear_form_are_log_probabilities():
    model = MultinomialNB().fit(X, Y)
    assert model.coef_ is model.feature_log_prob_
    np.testing.assert_array_equal(model.intercept_, model.class_log_prior_)
    np.testing.assert_array_equal(ComplementNB().fit(X, Y).intercept_, [0, 0])


@pytest.mark.parametrize("learner", ALL)
def test_threads_do_not_change_a_bit(learner):
    counts, y = large_sample()
    one, two, five = (learner(n_jobs=n).fit(counts, y) for n in (1, 2, 5))
    for attribute in ("feature_count_", "feature_log_prob_", "coef_", "intercept_"):
        np.testing.assert_array_equal(getattr(one, attribute), getattr(two, attribute))
        np.testing.assert_array_equal(getattr(one, attribute), getattr(five, attribute))


@pytest.mark.parametrize("learner", ALL)
def test_batches_add_up_to_one_fit(learner):
    counts, y = large_sample()
    whole = learner().fit(counts, y)
    parts = learner()
    for begin in range(0, 500, 125):
        parts.partial_fit(counts[begin : begin + 125], y[begin : begin + 125], classes=np.arange(7))
    np.testing.assert_array_equal(parts.feature_count_, whole.feature_count_)
    np.testing.assert_allclose(parts.feature_log_prob_, whole.feature_log_prob_, rtol=1e-13)


@pytest.mark.parametrize("learner", ALL)
def test_fit_forgets_earlier_batches(learner):
    fresh = learner().fit(X, Y)
    used = learner().partial_fit(X[::-1], ["a", "b", "a", "b"], classes=["a", "b"]).fit(X, Y)
    np.testing.assert_array_equal(used.feature_count_, fresh.feature_count_)
    np.testing.assert_array_equal(used.coef_, fresh.coef_)


@pytest.mark.parametrize("learner", ALL)
def test_restored_model_goes_on_counting(learner):
    model = pickle.loads(pickle.dumps(learner().partial_fit(X, Y, classes=["neg", "pos"])))
    model.partial_fit(X, Y)
    np.testing.assert_array_equal(model.feature_count_, 2 * learner().fit(X, Y).feature_count_)


@pytest.mark.parametrize("learner", ALL)
def test_weight_of_two_is_two_copies(learner):
    weighted = learner().fit(X, Y, sample_weight=[2, 1, 1, 0])
    copied = learner().fit(X[[0, 0, 1, 2]], ["pos", "pos", "pos", "neg"])
    np.testing.assert_array_equal(weighted.feature_count_, copied.feature_count_)
    np.testing.assert_allclose(weighted.coef_, copied.coef_, rtol=1e-12)


@pytest.mark.parametrize("learner", ALL)
def test_empty_document_gets_the_prior(learner):
    model = learner().fit(X[:3], Y[:3])
    posterior = model.predict_proba(sparse.csr_array((1, 3)))
    if learner is MultinomialNB:
        np.testing.assert_allclose(posterior, [[1 / 3, 2 / 3]])
    assert posterior.sum() == pytest.approx(1)


@pytest.mark.parametrize("learner", ALL)
def test_class_that_no_batch_has_shown_is_never_predicted(learner):
    model = learner().partial_fit(X, Y, classes=["absent", "neg", "pos"])
    assert model.class_count_[0] == 0
    if learner is not ComplementNB:  # which decides without the prior
        assert set(model.predict(X)) == {"neg", "pos"}


def test_no_smoothing_rules_a_class_out():
    model = MultinomialNB(alpha=0).fit(X, Y)
    np.testing.assert_array_equal(model.predict_proba([[1, 0, 0], [0, 1, 0]]), [[0, 1], [1, 0]])
    with pytest.warns(UserWarning, match=r"alpha=0 would give infinite logarithms; 1e-10 is taken in its place"):
        model = MultinomialNB(alpha=0, force_alpha=False).fit(X, Y)
    assert np.isfinite(model.feature_log_prob_).all()


@pytest.mark.parametrize("learner", [MultinomialNB, ComplementNB])
def test_negative_count_is_refused_with_its_place(learner):
    bad = X.copy()
    bad[2, 1] = -3
    with pytest.raises(DataError, match=r"Negative values in data.* X\[2, 1\] holds -3\.0.*LinearSVC"):
        learner().fit(bad, Y)


def test_presence_takes_negative_values_as_absence():
    bad = X.copy()
    bad[2, 0] = -3
    np.testing.assert_array_equal(BernoulliNB().fit(bad, Y).feature_count_, BernoulliNB().fit(X, Y).feature_count_)


def test_value_that_is_neither_0_nor_1_needs_a_threshold():
    with pytest.raises(DataError, match=r"X\[0, 0\]: 2\.0 found.*Set `binarize`"):
        BernoulliNB(binarize=None).fit(X, Y)


@pytest.mark.parametrize("learner", ALL)
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"alpha": -1}, r"'alpha' parameter of \w+ must be a number at least 0\. Got -1 instead"),
        ({"alpha": [1, 2]}, r"one number for each feature\. Got shape \(2,\) for 3 features"),
        ({"alpha": [1, -2, 1]}, r"alpha, element 1: -2\.0 found.*0 or more"),
        ({"class_prior": [1.0]}, r"class_prior holds 1 numbers but there are 2 classes"),
        ({"class_prior": [1.2, -0.2]}, r"class_prior, element 1: -0\.2 found.*0 or more"),
        ({"fit_prior": "yes"}, r"'fit_prior' parameter of \w+ must be one of .*Got 'yes'"),
        ({"force_alpha": 3}, r"'force_alpha' parameter of \w+ must be one of .*Got 3"),
        ({"n_jobs": 0}, r"n_jobs must be a positive number of threads.*Got 0"),
    ],
)
def test_bad_setting_is_named(learner, settings, message):
    with pytest.raises(ParameterError, match=message):
        learner(**settings).fit(X, Y)


def test_bad_settings_of_one_model_are_named():
    with pytest.raises(ParameterError, match="'norm' parameter of ComplementNB must be one of"):
        ComplementNB(norm=2).fit(X, Y)
    with pytest.raises(ParameterError, match="'binarize' parameter of BernoulliNB must be a number at least 0"):
        BernoulliNB(binarize=-1).fit(X, Y)


@pytest.mark.parametrize("learner", ALL)
def test_unknown_class_in_a_batch_is_refused(learner):
    model = learner().partial_fit(X, Y, classes=["neg", "pos"])
    with pytest.raises(DataError, match=r"y\[1\]: the label 'poss' is not one of the classes .*'pos', 'neg'"):
        model.partial_fit(X[:2], ["pos", "poss"])


@pytest.mark.parametrize("learner", ALL)
def test_classes_are_named_at_the_first_batch_and_stay(learner):
    with pytest.raises(ParameterError, match=r"classes must be passed on the first call .*classes=\['ham'"):
        learner().partial_fit(X, Y)
    model = learner().partial_fit(X, Y, classes=["neg", "pos"])
    with pytest.raises(ParameterError, match=r"\['a', 'b'\] is not the same as on the first call .*\['neg', 'pos'\]"):
        model.partial_fit(X, Y, classes=["a", "b"])
    with pytest.raises(DataError, match=r"classes=\['neg'\] names one class only; \w+ needs at least 2"):
        learner().partial_fit(X, ["neg"] * 4, classes=["neg"])


@pytest.mark.parametrize("learner", ALL)
def test_refused_batch_is_not_counted(learner):
    model = learner().partial_fit(X, Y, classes=["neg", "pos"])
    before = model.feature_count_
    with pytest.raises(ParameterError):
        model.set_params(class_prior=[1.0]).partial_fit(X, Y)
    np.testing.assert_array_equal(model.feature_count_, before)


@pytest.mark.parametrize("learner", ALL)
def test_one_class_is_refused(learner):
    with pytest.raises(DataError, match="y: all 4 rows have the label 'pos'"):
        learner().fit(X, ["pos"] * 4)


@pytest.mark.parametrize("learner", ALL)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_value_that_is_not_finite_is_refused_with_its_place(learner, value):
    bad = X.copy()
    bad[1, 2] = value
    with pytest.raises(DataError, match=rf"X\[1, 2\]: {value} found"):
        learner().fit(sparse.csr_array(bad), Y)
