"""Linear classifiers in scikit-learn's manners, on native sparse solvers."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.learners.averaged_perceptron import AveragedPerceptron
    from assay.learners.linear_svm import LinearSVC
    from assay.learners.logistic import LogisticRegression
    from assay.learners.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
    from assay.learners.nbsvm import NBSVM
    from assay.learners.perceptron import Perceptron
    from assay.learners.voted_perceptron import VotedPerceptron

__all__ = [
    "NBSVM",
    "AveragedPerceptron",
    "BernoulliNB",
    "ComplementNB",
    "LinearSVC",
    "LogisticRegression",
    "MultinomialNB",
    "Perceptron",
    "VotedPerceptron",
]

_HOME_OF = {
    "AveragedPerceptron": "assay.learners.averaged_perceptron",
    "BernoulliNB": "assay.learners.naive_bayes",
    "ComplementNB": "assay.learners.naive_bayes",
    "LinearSVC": "assay.learners.linear_svm",
    "LogisticRegression": "assay.learners.logistic",
    "MultinomialNB": "assay.learners.naive_bayes",
    "NBSVM": "assay.learners.nbsvm",
    "Perceptron": "assay.learners.perceptron",
    "VotedPerceptron": "assay.learners.voted_perceptron",
}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'assay.learners' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
