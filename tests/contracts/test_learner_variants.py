"""Scikit-learn's own checks for settings that are not the defaults but change what is learned."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import check_estimator

from assay.learners import NBSVM, ComplementNB, VotedPerceptron

VARIANTS = [
    ComplementNB(norm=True),
    VotedPerceptron(min_survival=2),
    NBSVM(base="logistic"),
    NBSVM(binarize=0.0, beta=1.0),
]


@pytest.mark.parametrize("learner", VARIANTS, ids=repr)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # some checks are not separable
def test_variant_passes_every_check_of_scikit_learn(learner):
    results = check_estimator(learner, on_skip=None)
    not_passed = {result["check_name"] for result in results if result["status"] != "passed"}
    assert not_passed <= {"check_array_api_input"}  # runs only where SCIPY_ARRAY_API is set
