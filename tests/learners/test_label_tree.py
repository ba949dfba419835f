"""The label tree: balanced parts, the search against brute force, the same bits, labels that cannot be learned."""

import warnings

import numpy as np
import pytest
from scipy import sparse

from assay import TextClassifier, _native
from assay.errors import DataError, ParameterError
from assay.label_sets import LabelSets
from assay.label_tree import UNREACHED, LabelTree, ReachedLabels, way_score
from assay.learners import LabelTreeClassifier, LinearSVC
from assay.learners.solvers.solution import Solution, tree_search


def rows_and_sets(n_rows=300, n_labels=40, n_columns=60, seed=0):
    random = np.random.default_rng(seed)
    Y = sparse.csr_array((random.random((n_rows, n_labels)) < 0.06).astype(np.int64))
    own = (random.random((n_labels, n_columns)) < 0.1).astype(float)
    X = sparse.csr_array(Y @ own + (random.random((n_rows, n_columns)) < 0.05))
    return X, Y


X, Y = rows_and_sets()


def by_hand(model, row):
    """The score of every label, with no search: all nodes are scored, and ways are put together in Python."""
    linear = np.asarray(model.coef_ @ row).ravel() + model.intercept_
    return np.array([way_score(linear[model.tree_.way(label)]) for label in range(model.tree_.n_labels)])


@pytest.mark.parametrize("shape", [(100, 100), (8, 100), (5, 3), (2, 2), (1_000, 2)])
def test_with_a_beam_as_wide_as_the_tree_every_label_has_the_score_of_its_way(shape):
    leaf, branches = shape
    model = LabelTreeClassifier(leaf=leaf, branches=branches, beam=100, most=0).fit(X, Y)
    scores = model.decision_function(X[:20])
    for i in range(20):
        # The same products are added in another order.
        np.testing.assert_allclose(scores[i], by_hand(model, X[[i]].toarray()[0]), atol=1e-5)


def test_a_narrow_beam_answers_with_a_part_of_the_labels_and_the_same_scores():
    wide = LabelTreeClassifier(leaf=5, beam=100, most=0).fit(X, Y)
    narrow = LabelTreeClassifier(leaf=5, beam=2, most=0).fit(X, Y)
    reached = narrow.reached(X)
    assert (reached.sets.sizes == 10).all()
    every = wide.decision_function(X)
    np.testing.assert_array_equal(reached.values, every[reached.sets.texts, reached.sets.members])
    table = narrow.decision_function(X)
    assert (table.min(axis=1) == UNREACHED).all()


def test_the_best_labels_are_kept_and_of_equal_scores_the_lowest():
    wide = LabelTreeClassifier(leaf=5, beam=100, most=0).fit(X, Y)
    few = LabelTreeClassifier(leaf=5, beam=100, most=3).fit(X, Y)
    expected = np.sort(np.argsort(-wide.decision_function(X), axis=1, kind="stable")[:, :3], axis=1)
    np.testing.assert_array_equal(few.reached(X).sets.members.reshape(-1, 3), expected)


def test_one_leaf_scores_as_a_support_vector_machine_for_each_label():
    tree = LabelTreeClassifier(prune=0, tol=1e-8, most=0).fit(X, Y)
    machine = LinearSVC(tol=1e-8).fit(X, Y)
    # Two solutions of one problem, each within 1e-8 of the optimum.
    np.testing.assert_allclose(tree.decision_function(X), machine.decision_function(X), atol=2e-3)


@pytest.mark.parametrize("n_parts", [1, 2, 7, 16, 40])
def test_parts_differ_by_one_row_at_most_and_the_larger_come_first(n_parts):
    given = (X.shape[1], X.indptr[:42], X.indices[: X.indptr[41]], X.data[: X.indptr[41]].astype(np.float64))
    parts = _native.balanced_parts(*given, n_parts=n_parts, max_iterations=20, seed=3, n_threads=2)
    sizes = np.bincount(parts, minlength=n_parts)
    assert sizes.sum() == 41
    assert sizes.max() - sizes.min() <= 1
    assert (np.diff(sizes) <= 0).all()


def test_rows_that_are_alike_come_into_one_part():
    rows = sparse.csr_array(np.repeat(np.eye(4), 5, axis=0)[np.random.default_rng(0).permutation(20)])
    parts = _native.balanced_parts(
        4, rows.indptr, rows.indices, rows.data, n_parts=4, max_iterations=20, seed=0, n_threads=1
    )
    assert len({(int(part), int(column)) for part, column in zip(parts, rows.indices, strict=True)}) == 4


def test_more_parts_than_rows_are_refused():
    with pytest.raises(ValueError, match="2 rows cannot be divided into 3 parts"):
        _native.balanced_parts(
            2, np.array([0, 0, 0]), np.zeros(0, np.int64), np.zeros(0), n_parts=3, max_iterations=1, seed=0, n_threads=1
        )


def test_threads_and_a_refit_change_no_bit():
    first = LabelTreeClassifier(leaf=6, branches=3, n_jobs=1).fit(X, Y)
    for other in (LabelTreeClassifier(leaf=6, branches=3, n_jobs=3).fit(X, Y), first.fit(X, Y)):
        np.testing.assert_array_equal(first.tree_.parents, other.tree_.parents)
        np.testing.assert_array_equal(first.tree_.labels, other.tree_.labels)
        np.testing.assert_array_equal(first.coef_.toarray(), other.coef_.toarray())
        np.testing.assert_array_equal(first.intercept_, other.intercept_)
        np.testing.assert_array_equal(first.decision_function(X), other.decision_function(X))


def test_a_label_that_no_row_has_is_never_given_and_is_said():
    some = Y.tolil()
    some[:, 7] = 0
    with pytest.warns(UserWarning, match="Label 7 of Y: no row"):
        model = LabelTreeClassifier(leaf=5, beam=100, most=0).fit(X, some.tocsr())
    assert (model.decision_function(X)[:, 7] == UNREACHED).all()
    assert model.predict(X)[:, [7]].sum() == 0


def test_one_label_is_a_tree_of_one_node():
    model = LabelTreeClassifier().fit(X, sparse.csr_array(Y.toarray()[:, :1]))
    assert model.tree_.n_nodes == 1
    assert model.predict(X).shape == (300, 1)


def test_every_row_is_answered_in_the_form_that_was_given():
    model = LabelTreeClassifier(C=10).fit(X, Y.toarray())
    assert isinstance(model.predict(X), np.ndarray)
    assert isinstance(LabelTreeClassifier(C=10).fit(X, Y).predict(X), sparse.csr_array)
    matrix = LabelTreeClassifier(C=10).fit(X, sparse.csr_matrix(Y)).predict(X)
    assert isinstance(matrix, sparse.csr_matrix)
    np.testing.assert_array_equal(matrix.toarray(), model.predict(X))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"leaf": 1}, "'leaf' parameter of LabelTreeClassifier must be a whole number at least 2"),
        ({"branches": 0}, "'branches' parameter of LabelTreeClassifier must be a whole number at least 2"),
        ({"beam": 0}, "'beam' parameter of LabelTreeClassifier must be a whole number at least 1"),
        ({"most": -1}, "0 is for all"),
        ({"prune": -0.1}, "0 keeps all weights"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, message):
    with pytest.raises(ParameterError, match=message):
        LabelTreeClassifier(**settings).fit(X, Y)


@pytest.mark.parametrize(
    ("parents", "labels", "message"),
    [
        ([0], [0], "begin with -1"),
        ([-1, 1], [-1, 0], "come before their children"),
        ([-1, -1], [0, 0], "the numbers from 0 to 1, each once"),
        ([-1, 0], [0, 1], "Node 0 of a label tree must have either children or a label"),
        ([-1, -1], [0, -1], "Node 1 of a label tree must have either children or a label"),
        ([-1], [0, 1], "1 parents and 2 labels"),
    ],
)
def test_what_is_no_tree_is_refused(parents, labels, message):
    with pytest.raises(ParameterError, match=message):
        LabelTree(np.array(parents, np.int32), np.array(labels, np.int32), 10)


def test_a_beam_and_a_number_of_labels_are_looked_at():
    one = np.array([-1], np.int32), np.array([0], np.int32)
    with pytest.raises(ParameterError, match=r"beam of a label tree must be a whole number of at least 1\. Got 0"):
        LabelTree(*one, 0)
    with pytest.raises(ParameterError, match=r"0 for all\. Got -1"):
        LabelTree(*one, 1, -1)
    with pytest.raises(ParameterError, match=r"must be (a|one) row of int32"):
        LabelTree(np.array([-1.0]), one[1], 1)


def test_the_native_search_looks_at_what_it_is_given():
    begin, nodes, weights = np.array([0, 2]), np.array([1, 0], np.int32), np.ones(2)
    rest = np.zeros(2), np.array([0, 2, 2, 2], np.int32), np.array([0, 1], np.int32)
    with pytest.raises(ValueError, match="nodes of the weights of feature 0 do not rise"):
        _native.tree_of_models(begin, nodes, weights, *rest)
    with pytest.raises(ValueError, match="comes after its children"):
        _native.tree_of_models(
            np.array([0]), np.zeros(0, np.int32), np.zeros(0), np.zeros(2), np.array([0, 0, 2, 2], np.int32), rest[2]
        )
    with pytest.raises(ValueError, match="either children or a label"):
        _native.tree_of_models(
            np.array([0]), np.zeros(0, np.int32), np.zeros(0), np.zeros(2), rest[1], np.array([0, -1], np.int32)
        )
    good = _native.tree_of_models(np.array([0, 0]), np.zeros(0, np.int32), np.zeros(0), *rest)
    row = np.array([0, 1]), np.array([3]), np.ones(1)
    with pytest.raises(ValueError, match="column index 3 is outside a matrix of 1 columns"):
        good.search(*row, beam=1, most=0, n_threads=1)
    with pytest.raises(ValueError, match="beam must be 1 or more; it is 0"):
        good.search(np.array([0, 0]), np.zeros(0, np.int64), np.zeros(0), beam=0, most=0, n_threads=1)


def test_reached_labels_are_taken_joined_and_ranked():
    reached = ReachedLabels(LabelSets.of_rows([[0, 2], [1], []], 3), np.array([0.1, 0.9, 0.5]))
    assert reached.ranks().tolist() == [1, 0, 0]
    turned = reached.take(np.array([2, 0]))
    assert [row.tolist() for row in turned.sets] == [[], [0, 2]]
    assert turned.values.tolist() == [0.1, 0.9]
    assert ReachedLabels.joined([turned, reached]).table(0.0).shape == (5, 3)


def test_a_solution_scores_all_labels():
    found = LabelTreeClassifier(leaf=5).fit(X, Y)
    solution = Solution(found.coef_.T.tocsr(), found.intercept_, tree=found.tree_)
    np.testing.assert_array_equal(solution.scores(X), found.decision_function(X))
    assert tree_search(found.tree_, found.coef_.T, found.intercept_) is not None


TEXTS = [f"{a} {b} {c}" for a in ("goal", "vote", "rain") for b in ("ball", "law", "wind") for c in "xyz"]
TOPICS = [[word for word in ("goal", "vote", "rain", "ball", "law", "wind") if word in text] for text in TEXTS]


def test_a_classifier_of_texts_is_saved_and_answers_with_the_same_bits(tmp_path):
    import assay

    model = TextClassifier(learner=LabelTreeClassifier(leaf=2, beam=2, C=10)).fit(TEXTS, TOPICS)
    model.save(tmp_path / "m.assay")
    loaded = assay.load(tmp_path / "m.assay")
    assert loaded.predict(TEXTS).tolist() == model.predict(TEXTS).tolist() == [tuple(sorted(t)) for t in TOPICS]
    np.testing.assert_array_equal(loaded.decision_function(TEXTS), model.decision_function(TEXTS))
    loaded.save(tmp_path / "again.assay")
    assert (tmp_path / "again.assay").read_bytes() == (tmp_path / "m.assay").read_bytes()


def test_texts_are_scored_as_the_learner_scores_their_rows():
    learner = LabelTreeClassifier(leaf=2, beam=2, C=10)
    model = TextClassifier(learner=learner).fit(TEXTS, TOPICS)
    of_rows = model.learner_.decision_function(model.vectorizer_.transform(TEXTS))
    # Rows of texts are made in double precision for prediction, and in single for learning.
    np.testing.assert_allclose(model.decision_function(TEXTS), of_rows, atol=1e-5)


def test_one_label_a_text_is_refused_with_the_way_out():
    with pytest.raises(ParameterError, match=r"A label tree gives each text a set of labels.*Use 'svm'"):
        TextClassifier(learner="label-tree").fit(TEXTS, [topics[0] for topics in TOPICS])


def test_an_explanation_shows_the_nodes_on_the_way_and_adds_up():
    model = TextClassifier(learner=LabelTreeClassifier(leaf=2, beam=10, C=10)).fit(TEXTS, TOPICS)
    found = model.explain("goal and wind")
    steps = found.way("goal")
    assert len(steps) == model.model.tree.depth == 2
    at = found.labels.index("goal")
    assert found.scores[at] == pytest.approx(way_score(np.array([step.score for step in steps])))
    total = found.contributions_to("goal").sum() + found.bias_for("goal")
    assert found.score_for("goal") == pytest.approx(total) == pytest.approx(sum(step.score for step in steps))
    assert steps[-1].features[0][0] == "goal"
    assert TextClassifier(learner="svm").fit(TEXTS, TOPICS).explain("goal").way("goal") == ()


def test_calibration_and_rules_work_on_the_labels_that_were_reached():
    settings = {"calibration": "sigmoid", "rule": {"metric": "micro_f1"}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model = TextClassifier(learner=LabelTreeClassifier(leaf=2, beam=2, C=10), **settings).fit(TEXTS, TOPICS)
    probabilities = model.predict_proba(TEXTS)
    reached = model.model.reached(TEXTS)
    assert (probabilities > 0).sum() == len(reached.values)
    assert model.predict(["goal wind"]).tolist() == [("goal", "wind")]


def test_scikit_learn_has_no_tree():
    model = TextClassifier(learner="label-tree").fit(TEXTS, TOPICS)
    with pytest.raises(ParameterError, match="scikit-learn has no label tree"):
        model.to_sklearn()


def test_the_solver_refuses_one_label_a_row_and_weights_of_classes():
    from assay.learners.solvers.label_tree import LabelTreeSettings, fit_label_tree
    from assay.learners.solvers.labelled_rows import LabelledRows

    with pytest.raises(DataError, match="each row has one label here"):
        fit_label_tree(LabelledRows(X, np.zeros(300, np.int32), ("a",)), LabelTreeSettings())
    weighed = LabelledRows(X, LabelSets.of_table(Y), range(40), class_weight="balanced")
    with pytest.raises(ParameterError, match="no weights of classes"):
        fit_label_tree(weighed, LabelTreeSettings())
