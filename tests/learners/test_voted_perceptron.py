from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import sparse

from assay.errors import NotFittedError, ParameterError
from assay.learners import AveragedPerceptron, VotedPerceptron

X = np.array([[1.0], [10], [2], [20]])
Y = ["no", "yes", "no", "yes"]


def test_votes_of_the_worked_example():
    model = VotedPerceptron(shuffle=False).fit(X, Y)
    np.testing.assert_array_equal(model.survivals_, [1, 1, 2, 2, 2, 2, 6])
    assert model.n_vectors_ == 7
    # Of 16 votes on x = 1, (0, 0) and (2, -4) say no with 1 + 6, and the others say yes with 9.
    assert model.decision_function([[1]]) == (9 - 7) / 16


def test_short_lived_vectors_lose_their_vote():
    model = VotedPerceptron(shuffle=False, min_survival=6).fit(X, Y)
    assert model.n_vectors_ == 1
    np.testing.assert_array_equal(model.predict(X), Y)
    np.testing.assert_array_equal(model.decision_function(X), [-1, 1, -1, 1])


def test_no_vector_left_is_refused():
    with pytest.raises(ParameterError, match=r"min_survival=7 .* longest-lived of 7 vectors survived 6 examples"):
        VotedPerceptron(shuffle=False, min_survival=7).fit(X, Y)


def test_all_vectors_come_from_the_mistaken_examples():
    rng = np.random.default_rng(0)
    rows, y = rng.integers(0, 3, (50, 8)).astype(float), rng.integers(0, 3, 50)
    model = VotedPerceptron(max_iter=3).fit(rows, y)
    weights, biases = np.zeros((3, 8)), np.zeros(3)
    support = model.support_vectors_.toarray()
    for row, truth, predicted, step in zip(
        model.mistake_rows_,
        model.mistake_truths_,
        model.mistake_predictions_,
        model.mistake_steps_,
        strict=True,
    ):
        weights[truth] += step * support[row]
        weights[predicted] -= step * support[row]
        biases[truth] += step
        biases[predicted] -= step
    np.testing.assert_array_equal(weights, model.last_coef_)
    np.testing.assert_array_equal(biases, model.last_intercept_)
    assert len(model.survivals_) == model.mistakes_.sum() + 1
    assert model.survivals_.sum() == 3 * 50


def test_vote_is_not_linear():
    # A linear decision on the sum of two rows would be the sum of the decisions.
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(80, 2))
    model = VotedPerceptron(max_iter=3).fit(rows, (rows[:, 0] > 0).astype(int))
    scores = model.decision_function(np.array([[1.0, 0], [0, 1], [1, 1]]))
    assert scores[2] != pytest.approx(scores[0] + scores[1])


def test_mean_and_vote_nearly_agree():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(400, 20))
    y = (rows[:, :5].sum(axis=1) + 0.5 * rng.normal(size=400) > 0).astype(int)
    voted, averaged = VotedPerceptron().fit(rows, y), AveragedPerceptron().fit(rows, y)
    assert np.mean(voted.predict(rows) == averaged.predict(rows)) > 0.95


def test_restored_model_votes_alike_and_goes_on():
    model = VotedPerceptron(shuffle=False, max_iter=1).fit(X, Y)
    restored = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(restored.decision_function(X), model.decision_function(X))
    for _ in range(3):
        restored.partial_fit(X, Y)
    np.testing.assert_array_equal(restored.survivals_, VotedPerceptron(shuffle=False).fit(X, Y).survivals_)


def test_document_without_known_features_is_decided_by_the_biases():
    model = VotedPerceptron(shuffle=False).fit(X, Y)
    # Biases 0, 1, 0, -1, -2, -3, -4 with survivals 1, 1, 2, 2, 2, 2, 6: only the second says yes.
    assert model.decision_function(sparse.csr_array((1, 1))) == (1 - 15) / 16


def test_memory_is_reported_and_bounded():
    rng = np.random.default_rng(0)
    rows, y = rng.normal(size=(200, 50)), rng.integers(0, 2, 200)
    model = VotedPerceptron(max_iter=2).fit(rows, y)
    kept = model.support_vectors_
    arrays = [kept.data, kept.indices, kept.indptr, model.mistake_rows_, model.mistake_truths_]
    arrays += [model.mistake_predictions_, model.mistake_steps_, model.survivals_[1:]]
    assert model.memory_ == sum(array.nbytes for array in arrays)
    with pytest.raises(
        ParameterError,
        match=r"would keep [\d,]+ weight vectors in [\d,]+ bytes after 1 passes, .*AveragedPerceptron",
    ):
        VotedPerceptron(max_memory=10_000).fit(rows, y)
    with pytest.raises(ParameterError, match="would keep"):
        model.set_params(max_memory=10_000).partial_fit(rows, y)
    with pytest.raises(NotFittedError, match="not fitted yet"):  # half a batch is no model
        model.predict(rows)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"min_survival": -1}, "'min_survival' parameter of VotedPerceptron must be a number at least 0"),
        ({"max_memory": 0}, "'max_memory' parameter of VotedPerceptron must be a number above 0"),
    ],
)
def test_bad_setting_is_named(settings, message):
    with pytest.raises(ParameterError, match=message):
        VotedPerceptron(**settings).fit(X, Y)
