"""Learners of label sets: forms in and out, labels that cannot be learned, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.utils import estimator_checks

from assay import learners
from assay.errors import DataError, ParameterError
from assay.label_sets import LabelSets
from assay.learners.solvers.fit import fit_linear
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.logistic_settings import LogisticSettings
from assay.learners.solvers.naive_bayes_settings import NaiveBayesSettings
from assay.learners.solvers.nbsvm import NbsvmSettings
from assay.learners.solvers.svm import SvmSettings

TAKE_SETS = [
    learners.LinearSVC(),
    learners.LogisticRegression(),
    learners.NBSVM(),
    learners.NBSVM(base="logistic"),
    learners.MultinomialNB(),
    learners.ComplementNB(),
    learners.BernoulliNB(),
    learners.Perceptron(),
    learners.AveragedPerceptron(),
]
EACH = pytest.mark.parametrize("learner", TAKE_SETS, ids=repr)
X = np.array([[2.0, 0, 1, 0], [1, 0, 0, 0], [0, 3, 1, 0], [0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 1]])
NAMED = [{"sport"}, {"sport"}, {"film"}, {"film"}, {"film", "sport"}, set()]
Y = np.array([[0, 1], [0, 1], [1, 0], [1, 0], [1, 1], [0, 0]])


@EACH
@pytest.mark.filterwarnings("ignore")  # as scikit-learn's own tests have it
def test_scikit_learns_checks_of_several_labels_pass(learner):
    checks = [name for name in dir(estimator_checks) if name.startswith("check_classifiers_multilabel")]
    if not isinstance(learner, learners.BernoulliNB):  # some of whose probabilities are 1 in double precision there
        checks.append("check_classifier_multioutput")
    assert len(checks) >= 3
    for name in checks:
        getattr(estimator_checks, name)(type(learner).__name__, clone(learner))
    assert learner.__sklearn_tags__().classifier_tags.multi_label


@EACH
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_predictions_have_the_form_of_the_labels_and_return_to_names(learner):
    for dense in (True, False):
        binarizer = MultiLabelBinarizer(sparse_output=not dense)
        indicator = binarizer.fit_transform(NAMED)
        model = clone(learner).fit(X, indicator)
        predicted = model.predict(X)
        assert type(predicted) is type(indicator)
        assert predicted.shape == indicator.shape
        assert predicted.dtype == np.int64
        named = [set(row) for row in binarizer.inverse_transform(predicted)]
        assert sum(a == b for a, b in zip(named, NAMED, strict=True)) >= 4
        assert model.score(X, indicator) == np.mean([a == b for a, b in zip(named, NAMED, strict=True)])
        assert model.multilabel_
        assert model.classes_.tolist() == [0, 1]
        assert model.decision_function(X).shape == (6, 2)
    assert isinstance(clone(learner).fit(X, sparse.coo_array(Y)).predict(X), sparse.csr_array)


def test_one_label_in_a_sparse_column_has_a_score_of_its_own():
    model = learners.LinearSVC().fit(X, sparse.csr_array(Y[:, 1:]))
    assert model.decision_function(X).shape == model.predict(X).shape == (6, 1)
    two = learners.LinearSVC().fit(X, Y[:, 1])
    np.testing.assert_allclose(model.decision_function(X)[:, 0], two.decision_function(X))


def test_probabilities_of_labels_do_not_share_a_sum():
    for learner in (learners.LogisticRegression(C=10), learners.NBSVM(base="logistic"), learners.MultinomialNB()):
        probabilities = learner.fit(X, Y).predict_proba(X)
        assert probabilities.shape == (6, 2)
        assert probabilities[4].sum() > 1 > probabilities[5].sum()
        np.testing.assert_array_equal(probabilities > 0.5, learner.predict(X) == 1)


def test_the_threshold_of_probabilities_holds_for_each_label():
    model = learners.LogisticRegression(threshold=0.3).fit(X, Y)
    np.testing.assert_array_equal(model.predict(X), model.predict_proba(X) >= 0.3)


@EACH
def test_fitting_one_label_a_row_again_forgets_the_sets(learner):
    model = clone(learner).fit(X, Y).fit(X, Y[:, 0])
    assert not model.multilabel_
    assert model.predict(X).ndim == 1


@pytest.mark.parametrize("learner", [m for m in TAKE_SETS if "erceptron" not in repr(m)], ids=repr)
def test_a_label_of_no_row_or_of_every_row_has_one_score_and_is_said(learner):
    wide = np.column_stack([Y, np.zeros(6, int), np.ones(6, int)])
    with pytest.warns(
        UserWarning, match=r"Labels 2, 3 of Y: no row, or every row, has them\. .* the same score in every"
    ):
        model = clone(learner).fit(X, wide)
    scores = model.decision_function(X)
    np.testing.assert_array_equal(scores[:, 2:], np.tile([-1e3, 1e3], (6, 1)))
    np.testing.assert_array_equal(model.predict(X)[:, 2:], np.tile([0, 1], (6, 1)))
    np.testing.assert_allclose(scores[:, :2], clone(learner).fit(X, Y).decision_function(X), rtol=1e-9)
    with pytest.warns(UserWarning, match=r"Label 0 of Y: no row, or every row, has it\."):
        none = clone(learner).fit(X, sparse.csr_array((6, 1)))
    assert none.predict(X).sum() == 0


def test_weights_of_learned_labels_only_are_kept_where_they_are_pruned():
    wide = sparse.csr_array(np.column_stack([np.zeros(6, int), Y, np.ones(6, int)]))
    with pytest.warns(UserWarning, match="Labels 0, 3"):
        model = learners.LinearSVC(prune=1e-6).fit(X, wide)
    assert sparse.issparse(model.coef_)
    assert model.coef_.shape == (4, 4)
    assert np.diff(model.coef_.tocsr().indptr)[[0, 3]].tolist() == [0, 0]
    rows = sparse.csr_array(X)
    np.testing.assert_allclose(model.decision_function(rows), model.decision_function(X))
    dense = learners.LinearSVC().fit(X, Y)
    np.testing.assert_allclose(model.coef_.toarray()[1:3], dense.coef_, atol=1e-6)
    np.testing.assert_allclose(model.margin_[1:3], dense.margin_, rtol=1e-3)
    one_label_a_row = learners.LogisticRegression(prune=0.1).fit(X, [0, 0, 1, 1, 2, 2])
    assert sparse.issparse(one_label_a_row.coef_)
    with pytest.raises(ParameterError, match="'prune' parameter of LinearSVC must be a number at least 0"):
        learners.LinearSVC(prune=-1).fit(X, Y)
    with pytest.raises(ParameterError, match="'prune' parameter of LogisticRegression must be a number at least 0"):
        learners.LogisticRegression(prune=-1).fit(X, Y)


def test_a_warm_start_goes_on_from_the_weights_of_sets():
    model = learners.LogisticRegression(warm_start=True, solver="newton", tol=1e-10).fit(X, Y)
    first = model.coef_.copy()
    np.testing.assert_allclose(model.fit(X, Y).coef_, first, atol=1e-6)
    perceptron = learners.Perceptron(warm_start=True).fit(X, Y)
    assert perceptron.fit(X, Y).mistakes_.tolist() == [0]


@pytest.mark.parametrize("learner", [learners.MultinomialNB(), learners.AveragedPerceptron()], ids=repr)
def test_batches_of_sets_need_no_classes(learner):
    model = clone(learner).partial_fit(X[:3], Y[:3]).partial_fit(X[3:], Y[3:], classes=[0, 1])
    assert model.predict(X).shape == (6, 2)
    with pytest.raises(DataError, match="Y has 2 columns, but `classes` names 3 labels"):
        clone(learner).partial_fit(X, Y, classes=[0, 1, 2])
    with pytest.raises(
        DataError, match=r"Y has 3 columns, but this \w+ learned sets of 2 labels\. Give a column for each"
    ):
        model.partial_fit(X, np.zeros((6, 3), int))
    with pytest.raises(DataError, match=r"y has one label a row, but this \w+ learned sets of 2 labels"):
        model.partial_fit(X, Y[:, 0])
    with pytest.raises(DataError, match=r"Y has shape \(6, 2\), label sets, but this \w+ learned one label a row"):
        clone(learner).partial_fit(X, Y[:, 0], classes=[0, 1]).partial_fit(X, Y)


@EACH
def test_sets_of_another_form_than_those_learned_are_refused(learner):
    sets, one = clone(learner).fit(X, Y), clone(learner).fit(X, Y[:, 0])
    with pytest.raises(DataError, match=r"Y has 3 columns, but this \w+ learned sets of 2 labels"):
        sets.score(X, np.zeros((6, 3), int))
    with pytest.raises(DataError, match=r"y has one label a row, but this \w+ learned sets of 2 labels"):
        sets.score(X, Y[:, 0])
    with pytest.raises(DataError, match=r"Y has shape \(6, 2\), label sets, but this \w+ learned one label a row"):
        one.score(X, Y)


@pytest.mark.parametrize(
    ("strange", "message"),
    [
        (np.where(Y == 1, 5, 0), r"Y\[0, 1\] is 5, but an indicator of label sets holds only 0 and 1"),
        (sparse.csr_array(np.where(Y == 1, -1, 0)), r"Y\[0, 1\] is -1, but an indicator"),
        (np.where(Y == 1, 0.5, 0), r"Y\[0, 1\] is 0\.5, but an indicator"),
        (Y[:4], "X has 6 rows but y has 4 labels"),
        (sparse.csr_array((6, 0)), r"Y has the shape \(6, 0\)\. LinearSVC needs two dimensions"),
        (NAMED, r"y\[0\] is a set.*Give label sets as a matrix of 0 and 1.*MultiLabelBinarizer"),
        ([["a"], ["a", "b"], [], [], [], []], r"y\[1\] is a list.*Give label sets as a matrix of 0 and 1"),
    ],
)
def test_what_is_no_indicator_is_refused(strange, message):
    with pytest.raises(DataError, match=message):
        learners.LinearSVC().fit(X, strange)


def test_learners_that_choose_one_of_all_labels_refuse_sets():
    with pytest.raises(
        ParameterError, match="Crammer and Singer chooses one of all labels, and cannot learn label sets"
    ):
        learners.LinearSVC(multi_class="crammer_singer").fit(X, Y)
    with pytest.raises(ParameterError, match="multi_class='multinomial' divides one probability among all labels"):
        learners.LogisticRegression(multi_class="multinomial").fit(X, Y)
    with pytest.raises(
        DataError, match="2 columns, an indicator of label sets, but VotedPerceptron learns one label a row"
    ):
        learners.VotedPerceptron().fit(X, Y)
    assert not learners.VotedPerceptron().__sklearn_tags__().classifier_tags.multi_label


def test_class_weights_of_sets_are_refused_where_a_step_takes_all_labels():
    with pytest.raises(ParameterError, match="perceptron is shown a row for all labels at once, and cannot weigh sets"):
        learners.Perceptron(class_weight="balanced").fit(X, Y)
    with pytest.raises(ParameterError, match="Stochastic descent takes all labels of a row in one step"):
        learners.LogisticRegression(solver="sgd", class_weight={1: 2.0}).fit(X, Y)


def test_naive_bayes_of_sets_has_odds_and_no_joint_probabilities():
    model = learners.MultinomialNB(class_prior=[0.5, 0.2]).fit(X, Y)
    np.testing.assert_allclose(model.class_log_prior_, [0, np.log(0.25)])
    assert model.feature_count_.tolist() == [[1, 5, 1, 0], [4, 1, 1, 0]]
    assert learners.ComplementNB().fit(X, Y).feature_all_.tolist() == [4, 5, 2, 1]
    with pytest.raises(DataError, match=r"This MultinomialNB learned label sets.*Use decision_function"):
        model.predict_joint_log_proba(X)
    with pytest.raises(
        ParameterError, match=r"class_prior=\[1\.0, 0\.5\]: the probability of each label of a set lies"
    ):
        learners.MultinomialNB(class_prior=[1.0, 0.5]).fit(X, Y)
    assert not hasattr(learners.MultinomialNB().fit(X, Y[:, 0]), "decision_function")


def test_the_ratios_of_sets_are_those_of_a_label_against_the_other_rows():
    sets = learners.NBSVM().fit(X, Y).log_count_ratio_
    np.testing.assert_allclose(sets[1], learners.NBSVM().fit(X, Y[:, 1]).log_count_ratio_[0])


def test_solvers_score_one_label_of_sets_in_one_column():
    rows = LabelledRows(sparse.csr_array(X), LabelSets.of_rows([[0], [0], [], [], [0], []], 1), ("sport",))
    for settings in (SvmSettings(), LogisticSettings()):
        assert fit_linear(rows, settings).scores(rows.X).shape == (6, 1)


@pytest.mark.parametrize(
    "settings",
    [
        NbsvmSettings(),
        NbsvmSettings(logistic=True),
        *(NaiveBayesSettings(e, np.ones(1)) for e in ("multinomial", "bernoulli")),
    ],
    ids=lambda settings: getattr(settings, "events", type(settings).__name__),
)
def test_blocks_of_labels_give_the_weights_of_all_at_once(settings, monkeypatch):
    random = np.random.default_rng(0)
    counts = sparse.csr_array(random.poisson(0.3, (60, 30)).astype(np.float32))
    sets = LabelSets.of_table(random.random((60, 7)) < 0.3)
    rows = LabelledRows(counts, sets, tuple("abcdefg"), class_weight=np.linspace(1, 2, 7))
    whole = fit_linear(rows, settings)
    monkeypatch.setattr("assay.learners.solvers.each_label.BLOCK", 3)
    blocks = fit_linear(rows, settings)
    assert blocks.of_sets
    assert blocks.weights.dtype == np.float32
    np.testing.assert_allclose(blocks.weights, whole.weights, rtol=1e-3, atol=1e-4)  # solvers end at 1e-4
    np.testing.assert_allclose(blocks.intercept, whole.intercept, rtol=1e-3, atol=1e-4)
