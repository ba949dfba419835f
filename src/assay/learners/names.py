"""Learners by short names."""

from __future__ import annotations

from typing import Any, NamedTuple

from assay.errors import ParameterError
from assay.suggest import nearest_first, quoted
from assay.wording import parameter

__all__ = ["LEARNERS", "TRAINED", "named_learner"]


class LearnerName(NamedTuple):
    """What a short name stands for."""

    estimator: str  # class in `assay.learners`
    title: str  # in sentences


LEARNERS = {
    "svm": LearnerName("LinearSVC", "linear SVM"),
    "logistic": LearnerName("LogisticRegression", "logistic regression"),
    "nbsvm": LearnerName("NBSVM", "NBSVM"),
    "nb": LearnerName("MultinomialNB", "naive Bayes"),
    "complement-nb": LearnerName("ComplementNB", "complement naive Bayes"),
    "bernoulli-nb": LearnerName("BernoulliNB", "Bernoulli naive Bayes"),
    "perceptron": LearnerName("Perceptron", "perceptron"),
    "averaged-perceptron": LearnerName("AveragedPerceptron", "averaged perceptron"),
    "voted-perceptron": LearnerName("VotedPerceptron", "voted perceptron"),
    "label-tree": LearnerName("LabelTreeClassifier", "label tree"),
}

#: Those that `assay train` takes and searches among.
TRAINED = ("svm", "logistic", "nbsvm", "nb", "complement-nb", "averaged-perceptron", "label-tree")


def named_learner(name: str) -> Any:
    """A new learner with default settings.

    Examples
    --------
    >>> named_learner("nb")
    MultinomialNB()
    """
    import assay.learners

    if name not in LEARNERS:
        raise ParameterError(
            f"{parameter('learner')} must be one of {quoted(nearest_first(name, LEARNERS))}, or an object of "
            f"assay.learners. Got {name!r} instead."
        )
    return getattr(assay.learners, LEARNERS[name].estimator)()
