"""Label sets: what all labels learn together is what scikit-learn's learners learn of each, one against the rest."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn import linear_model, naive_bayes, svm
from sklearn.base import clone
from sklearn.multiclass import OneVsRestClassifier

from assay import learners
from assay.label_sets import LabelSets
from assay.learners.solvers.fit import fit_linear
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.svm import SvmSettings

FINE = {"tol": 1e-9, "max_iter": 100_000}


@pytest.fixture(scope="module", params=[(150, 40, 5), (60, 520, 9)], ids=["few features", "many features"])
def rows(request):
    n_rows, n_features, n_labels = request.param
    random = np.random.default_rng(0)
    X = sparse.random_array((n_rows, n_features), density=0.1, rng=random, format="csr")
    scores = X @ random.normal(size=(n_features, n_labels))
    Y = (scores > np.quantile(scores, 0.8)).astype(int)
    Y[:5] = 0  # rows without a label
    assert set(Y.sum(axis=1)) >= {0, 1, 2}
    assert (Y.sum(axis=0) > 1).all()
    return X, Y


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (learners.LinearSVC(**FINE), svm.LinearSVC(**FINE)),
        (learners.LinearSVC(C=10, dual=True, **FINE), svm.LinearSVC(C=10, **FINE)),
        (learners.LinearSVC(dual=False, **FINE), svm.LinearSVC(**FINE)),
        (learners.LinearSVC(loss="hinge", **FINE), svm.LinearSVC(loss="hinge", **FINE)),
        (learners.LinearSVC(penalty="l1", **FINE), svm.LinearSVC(penalty="l1", dual=False, **FINE)),
        (learners.LogisticRegression(**FINE), linear_model.LogisticRegression(tol=1e-10, max_iter=10_000)),
        (
            learners.LogisticRegression(solver="dual", **FINE),
            linear_model.LogisticRegression(tol=1e-10, max_iter=10_000),
        ),
    ],
    ids=repr,
)
def test_each_label_reaches_the_optimum_of_one_against_the_rest(ours, theirs, rows):
    X, Y = rows
    found = clone(ours).fit(X, Y)
    expected = OneVsRestClassifier(theirs).fit(X, Y)
    # Both stop near the optimum; scikit-learn's tests of theirs are not finer than some parts in ten thousand.
    np.testing.assert_allclose(found.decision_function(X), expected.decision_function(X), atol=1e-3)
    assert found.coef_.shape == (Y.shape[1], X.shape[1])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (learners.MultinomialNB(), naive_bayes.MultinomialNB()),
        (learners.MultinomialNB(alpha=0.1, fit_prior=False), naive_bayes.MultinomialNB(alpha=0.1, fit_prior=False)),
        (learners.ComplementNB(), naive_bayes.ComplementNB()),
        (learners.ComplementNB(norm=True), naive_bayes.ComplementNB(norm=True)),
        (learners.BernoulliNB(), naive_bayes.BernoulliNB()),
    ],
    ids=repr,
)
def test_naive_bayes_sets_each_label_against_its_complement(ours, theirs, rows):
    X, Y = rows
    expected = OneVsRestClassifier(theirs).fit(X, Y)
    once = clone(ours).fit(X, Y)
    in_batches = clone(ours).partial_fit(X[:50], Y[:50]).partial_fit(X[50:], Y[50:])
    for found in (once, in_batches):
        np.testing.assert_allclose(found.predict_proba(X), expected.predict_proba(X), rtol=1e-9)
        np.testing.assert_array_equal(found.predict(X), expected.predict(X))
        np.testing.assert_allclose(np.exp(found.predict_log_proba(X)), found.predict_proba(X))
    linear = (X > 0 if isinstance(ours, learners.BernoulliNB) else X) @ once.coef_.T + once.intercept_
    np.testing.assert_allclose(linear, once.decision_function(X), rtol=1e-9)


@pytest.mark.parametrize(
    "learner",
    [
        learners.NBSVM(**FINE),
        learners.NBSVM(base="logistic", beta=0.5, **FINE),
        learners.Perceptron(shuffle=False, max_iter=1000),
        learners.AveragedPerceptron(shuffle=False, max_iter=1),
        learners.AveragedPerceptron(shuffle=False, max_iter=1, fit_intercept=False),
    ],
    ids=repr,
)
def test_each_label_is_learned_as_two_classes_are(learner, rows):
    X, Y = rows
    together = clone(learner).fit(X, Y).decision_function(X)
    apart = [clone(learner).fit(X, y).decision_function(X) for y in Y.T]
    np.testing.assert_allclose(together, np.column_stack(apart), atol=1e-4)


def test_the_stochastic_descent_of_sets_nears_the_optimum(rows):
    X, Y = rows
    exact = learners.LogisticRegression(multi_class="ovr", **FINE).fit(X, Y)
    for rate, eta0 in (("adagrad", 0.3), ("constant", 0.05)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it need not arrive
            near = learners.LogisticRegression(solver="sgd", learning_rate=rate, eta0=eta0, max_iter=500).fit(X, Y)
        np.testing.assert_allclose(near.predict_proba(X), exact.predict_proba(X), atol=0.06)


def test_balanced_labels_weigh_as_much_as_their_complements(rows):
    X, Y = rows
    found = learners.LinearSVC(class_weight="balanced", **FINE).fit(X, Y).decision_function(X)
    for k, y in enumerate(Y.T):
        # scikit-learn divides the weight of all rows among the two sides; we leave the complement at its own weight.
        C = 2 * (len(y) - y.sum()) / len(y)
        expected = svm.LinearSVC(C=C, class_weight="balanced", **FINE).fit(X, y).decision_function(X)
        np.testing.assert_allclose(found[:, k], expected, atol=1e-3)


def test_a_weight_is_a_repeated_row_and_zero_a_row_left_out(rows):
    X, Y = rows
    weight = np.arange(len(Y)) % 3
    repeated = np.repeat(np.arange(len(Y)), weight)
    weighted = learners.LinearSVC(**FINE).fit(X, Y, sample_weight=weight)
    written_out = learners.LinearSVC(**FINE).fit(X[repeated], Y[repeated])
    np.testing.assert_allclose(weighted.coef_, written_out.coef_, atol=1e-4)


LEARNERS = [
    learners.LinearSVC(),
    learners.LinearSVC(loss="hinge", tol=1e-3),
    learners.LinearSVC(penalty="l1"),
    learners.LogisticRegression(),
    learners.LogisticRegression(solver="sgd", max_iter=5),
    learners.NBSVM(),
    learners.MultinomialNB(),
    learners.ComplementNB(),
    learners.BernoulliNB(),
    learners.Perceptron(max_iter=5),
    learners.AveragedPerceptron(max_iter=3),
]


@settings(max_examples=25, deadline=None)
@given(data=st.data())
@pytest.mark.filterwarnings("ignore")  # some labels are constant, some passes too few
def test_any_sets_are_learned_with_the_same_bits_by_any_number_of_threads(data):
    n_rows, n_labels = data.draw(st.integers(2, 12)), data.draw(st.integers(1, 19))
    share = data.draw(st.sampled_from([0.0, 0.2, 0.5, 1.0]))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    X = sparse.csr_array(random.integers(0, 3, (n_rows, 6)) + np.eye(n_rows, 6))
    Y = sparse.csr_array((random.random((n_rows, n_labels)) < share).astype(np.int64))
    learner = data.draw(st.sampled_from(LEARNERS))
    fitted = [clone(learner).set_params(n_jobs=n_jobs).fit(X, Y) for n_jobs in (1, 2, 3)]
    scores = [model.decision_function(X) for model in fitted]
    assert all(s.tobytes() == scores[0].tobytes() for s in scores)
    assert scores[0].shape == Y.shape
    assert np.isfinite(scores[0]).all()
    predicted = fitted[0].predict(X)
    assert isinstance(predicted, sparse.csr_array)
    assert predicted.shape == Y.shape
    np.testing.assert_array_equal(predicted.toarray(), scores[0] > 0)


def test_labels_beyond_a_block_are_solved_like_those_within(monkeypatch, rows):
    from assay.learners.solvers import each_label

    X, Y = rows
    whole = learners.LinearSVC(**FINE).fit(X, Y)
    monkeypatch.setattr(each_label, "BLOCK", 3)
    in_blocks = learners.LinearSVC(**FINE).fit(X, Y)
    np.testing.assert_allclose(in_blocks.coef_, whole.coef_, atol=1e-5)
    np.testing.assert_array_equal(in_blocks.support_, whole.support_)
    pruned = learners.LinearSVC(prune=0.05, **FINE).fit(X, Y)
    expected = np.where(np.abs(in_blocks.coef_) >= 0.05, in_blocks.coef_, 0)
    np.testing.assert_array_equal(pruned.coef_.toarray(), expected)
    # What was dropped is at most 0.05 a feature.
    np.testing.assert_allclose(
        pruned.decision_function(X), in_blocks.decision_function(X), atol=0.05 * np.abs(X).sum(axis=1).max()
    )


def test_single_labels_as_sets_of_one_are_the_problems_of_many_classes(rows):
    X, _ = rows
    classes = (np.arange(X.shape[0]) % 5).astype(np.int32)
    labels = tuple("abcde")
    one = fit_linear(LabelledRows(X, classes, labels), SvmSettings())
    sets = fit_linear(LabelledRows(X, LabelSets.of_classes(classes, 5), labels), SvmSettings())
    assert sets.weights.tobytes() == one.weights.tobytes()
    assert sets.intercept.tobytes() == one.intercept.tobytes()
    assert sets.of_sets
    assert not one.of_sets
