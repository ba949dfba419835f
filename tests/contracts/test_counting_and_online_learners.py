"""Scikit-learn's own checks, all of them, for naive Bayes, the perceptrons and NBSVM."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import check_estimator

from assay.learners import (
    NBSVM,
    AveragedPerceptron,
    BernoulliNB,
    ComplementNB,
    MultinomialNB,
    Perceptron,
    VotedPerceptron,
)

LEARNERS = [
    MultinomialNB(),
    ComplementNB(),
    ComplementNB(norm=True),
    BernoulliNB(),
    Perceptron(),
    AveragedPerceptron(),
    VotedPerceptron(),
    NBSVM(),
    NBSVM(base="logistic"),
    NBSVM(binarize=0.0),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # some checks are not separable
def test_learner_passes_every_check_of_scikit_learn(learner):
    results = check_estimator(learner, on_skip=None)
    not_passed = {result["check_name"] for result in results if result["status"] != "passed"}
    assert not_passed <= {"check_array_api_input"}  # runs only where SCIPY_ARRAY_API is set
    assert len(results) > 50
