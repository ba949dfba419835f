from __future__ import annotations

import numpy as np
import pytest

from assay.errors import ParameterError
from assay.learners import AveragedPerceptron, Perceptron

X = np.array([[1.0], [10], [2], [20]])
Y = [0, 1, 0, 1]
# The weight and bias after each of the sixteen examples that the perceptron meets (four passes).
PASSED = [(0, 0), (10, 1), (8, 0), (8, 0), (7, -1), (7, -1), (5, -2), (5, -2), (4, -3), (4, -3)] + [(2, -4)] * 6


def test_mean_over_examples_of_the_worked_example():
    model = AveragedPerceptron(shuffle=False).fit(X, Y)
    np.testing.assert_allclose([model.coef_[0, 0], model.intercept_[0]], np.mean(PASSED, axis=0), rtol=1e-12)


def test_mean_over_updates_of_the_worked_example():
    model = AveragedPerceptron(average="updates", shuffle=False).fit(X, Y)
    before_each_update = [(0, 0), (10, 1), (8, 0), (7, -1), (5, -2), (4, -3)]
    np.testing.assert_allclose(
        [model.coef_[0, 0], model.intercept_[0]], np.mean(before_each_update, axis=0), rtol=1e-12
    )


def test_mistakes_and_last_weights_are_those_of_the_perceptron():
    averaged, plain = AveragedPerceptron().fit(X, Y), Perceptron().fit(X, Y)
    np.testing.assert_array_equal(averaged.last_coef_, plain.coef_)
    np.testing.assert_array_equal(averaged.last_intercept_, plain.intercept_)
    np.testing.assert_array_equal(averaged.mistakes_, plain.mistakes_)
    assert averaged.separable_


def test_mean_is_steadier_than_the_last_weights_on_noisy_data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 30))
    y = (X[:, 0] + 1.5 * rng.normal(size=600) > 0).astype(int)
    model = AveragedPerceptron(max_iter=5).fit(X[:300], y[:300])
    last = (X[300:] @ model.last_coef_[0] + model.last_intercept_[0] > 0).astype(int)
    assert model.score(X[300:], y[300:]) > np.mean(last == y[300:])


def test_unknown_average_is_refused_with_the_nearest_name():
    with pytest.raises(ParameterError, match=r"must be one of 'updates', 'examples'\. Got 'update' instead"):
        AveragedPerceptron(average="update").fit(X, Y)
