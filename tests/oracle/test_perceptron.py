"""The perceptrons against the textbook's rules, written out as plain loops over plain lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.learners import AveragedPerceptron, Perceptron, VotedPerceptron


def dot(w, x):
    total = 0.0
    for w_j, x_j in zip(w, x, strict=True):
        total += w_j * x_j
    return total


class TextbookPerceptron:
    """Every weight vector that the rule passes through, in order, and how long each one stood."""

    def __init__(self, X, y, n_classes, max_epochs):
        self.binary = n_classes == 2
        n_outputs = 1 if self.binary else n_classes
        weights = [[0.0] * X.shape[1] for _ in range(n_outputs)]
        biases = [0.0] * n_outputs
        self.passed = [(np.array(weights), np.array(biases))]
        self.survivals = [0]
        self.after_example = []
        self.mistakes = []
        for _ in range(max_epochs):
            wrong = 0
            for x, truth in zip(X.tolist(), y.tolist(), strict=True):
                predicted = self.decide([dot(w, x) + b for w, b in zip(weights, biases, strict=True)])
                if predicted != truth:
                    wrong += 1
                    for output, sign in self.changes(truth, predicted):
                        weights[output] = [w_j + sign * x_j for w_j, x_j in zip(weights[output], x, strict=True)]
                        biases[output] += sign
                    self.passed.append((np.array(weights), np.array(biases)))
                    self.survivals.append(0)
                self.survivals[-1] += 1
                self.after_example.append(self.passed[-1])
            self.mistakes.append(wrong)
            if not wrong:
                break

    def decide(self, scores):
        return int(scores[0] > 0) if self.binary else scores.index(max(scores))

    def changes(self, truth, predicted):
        return [(0, 1 if truth else -1)] if self.binary else [(truth, 1), (predicted, -1)]

    def votes(self, x, n_classes, min_survival):
        votes = [0] * n_classes
        for (weights, biases), survived in zip(self.passed, self.survivals, strict=True):
            if survived >= min_survival:
                scores = [dot(w, x) + b for w, b in zip(weights.tolist(), biases.tolist(), strict=True)]
                votes[self.decide(scores)] += survived
        return np.array(votes)


@st.composite
def problems(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_classes = draw(st.integers(2, 4))
    n_rows, n_features = draw(st.integers(n_classes, 25)), draw(st.integers(1, 6))
    whole = draw(st.booleans())
    X = rng.integers(-2, 4, (n_rows, n_features)).astype(float) if whole else rng.normal(size=(n_rows, n_features))
    X[0, 0] = X[0, 0] if np.round(X).any() else 1.0  # nothing but zeros is refused
    y = np.concatenate([np.arange(n_classes), rng.integers(n_classes, size=n_rows - n_classes)])
    return X, rng.permutation(y), n_classes, draw(st.integers(1, 6))


def total(models):
    return sum(weights for weights, _ in models), sum(biases for _, biases in models)


@settings(max_examples=60, deadline=None)
@given(problems())
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_perceptron_has_exactly_the_weights_of_the_textbook(problem):
    X, y, n_classes, max_iter = problem
    textbook = TextbookPerceptron(X, y, n_classes, max_iter)
    model = Perceptron(shuffle=False, max_iter=max_iter).fit(X, y)
    weights, biases = textbook.passed[-1]
    np.testing.assert_array_equal(model.coef_, weights)
    np.testing.assert_array_equal(model.intercept_, biases)
    np.testing.assert_array_equal(model.mistakes_, textbook.mistakes)
    assert model.separable_ == (textbook.mistakes[-1] == 0)


@settings(max_examples=40, deadline=None)
@given(problems())
def test_mean_over_examples_is_that_of_all_weights_after_each_example(problem):
    X, y, n_classes, max_iter = problem
    textbook = TextbookPerceptron(X, y, n_classes, max_iter)
    model = AveragedPerceptron(shuffle=False, max_iter=max_iter).fit(X, y)
    weights, biases = total(textbook.after_example)
    # The lazy mean is a difference of two sums; the explicit one adds the vectors up.
    np.testing.assert_allclose(model.coef_, weights / len(textbook.after_example), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(model.intercept_, biases / len(textbook.after_example), rtol=1e-12, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(problems())
def test_mean_over_updates_is_that_of_all_weights_before_each_update(problem):
    X, y, n_classes, max_iter = problem
    textbook = TextbookPerceptron(X, y, n_classes, max_iter)
    model = AveragedPerceptron(average="updates", shuffle=False, max_iter=max_iter).fit(X, y)
    replaced = textbook.passed[:-1] or textbook.passed  # nothing but zeros when nothing was ever replaced
    weights, biases = total(replaced)
    np.testing.assert_allclose(model.coef_, weights / len(replaced), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(model.intercept_, biases / len(replaced), rtol=1e-12, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(problems(), st.integers(0, 3))
def test_votes_are_those_of_all_weight_vectors_written_out(problem, min_survival):
    X, y, n_classes, max_iter = problem
    X = np.round(X)  # whole numbers, so that scores on the boundary are exactly 0 on both sides
    textbook = TextbookPerceptron(X, y, n_classes, max_iter)
    min_survival = min(min_survival, max(textbook.survivals))
    model = VotedPerceptron(shuffle=False, max_iter=max_iter, min_survival=min_survival).fit(X, y)
    np.testing.assert_array_equal(model.survivals_, textbook.survivals)
    votes = np.array([textbook.votes(x, n_classes, min_survival) for x in X.tolist()])
    shares = votes / votes[0].sum()
    expected = shares[:, 1] - shares[:, 0] if n_classes == 2 else shares
    np.testing.assert_allclose(model.decision_function(X), expected, rtol=1e-12)
