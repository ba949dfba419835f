"""What was learned as one linear model over features of texts, by whichever way it was learned."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from assay.errors import ParameterError
from assay.features.columns.blocks import FeatureBlock
from assay.features.ngrams.text_features import Hashing, TextFeatures, Weighting
from assay.label_sets import Task
from assay.learners.solvers.fit import SolverSettings
from assay.learners.solvers.logistic_settings import LogisticSettings
from assay.learners.solvers.naive_bayes import NaiveBayesSettings
from assay.learners.solvers.nbsvm import NbsvmSettings
from assay.learners.solvers.solution import Solution, one_output
from assay.prediction.decision_rule import DecisionRule
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.probabilities import Link
from assay.prediction.set_rule import SetRule
from assay.prediction.weights import SparseWeights, compact

__all__ = ["is_linear", "learner_link", "learner_model", "learner_rule", "linear_model", "link_of"]


def linear_model(
    features: tuple[FeatureBlock, ...],
    solution: Solution,
    labels: tuple[str, ...],
    link: Link | None,
    task: Task = "labels",
) -> LinearTextModel:
    """The weights that a solver found, over the features that they are of."""
    if solution.tree is not None and task == "labels":
        raise ParameterError(
            "A label tree gives each text a set of labels, and the texts have one label each. Use 'svm', or read the "
            "labels as sets."
        )
    if hasattr(solution.weights, "indptr") and (solution.tree is not None or solution.weights.shape[1] > 1):
        kept = solution.weights.tocsr()
        lists = kept.indptr.astype(np.int64), kept.indices.astype(np.int32), kept.data
        listed = SparseWeights(*lists, kept.shape[1])
        return LinearTextModel(features, listed, solution.intercept, labels, link, task=task, tree=solution.tree)
    table = solution.weights.toarray() if hasattr(solution.weights, "indptr") else solution.weights
    weights, bias = np.ascontiguousarray(table), solution.intercept
    if not (np.isfinite(weights).all() and np.isfinite(bias).all()):
        raise ParameterError(
            "The learned weights are not finite: without smoothing, what was never seen is impossible. Raise alpha "
            "above 0, and give every class a prior above 0."
        )
    return LinearTextModel(features, compact(weights), bias, labels, link, task=task)


def link_of(settings: SolverSettings | None, n_classes: int, task: Task = "labels") -> Link | None:
    """What makes probabilities of the scores; None if they are only scores."""
    if task == "label-sets":
        probable = isinstance(settings, (NaiveBayesSettings, LogisticSettings))
        return "independent" if probable or (isinstance(settings, NbsvmSettings) and settings.logistic) else None
    match settings:
        case NaiveBayesSettings():
            return "posterior"
        case LogisticSettings():
            return "softmax" if settings.is_multinomial(n_classes) else "sigmoid"
        case NbsvmSettings(logistic=True):
            return "sigmoid"
    return None


def is_linear(learner: Any) -> bool:
    """Whether it decides by one weight for each feature and class."""
    from assay.learners import VotedPerceptron

    return not isinstance(learner, VotedPerceptron)


def learner_model(
    vectorizer: Any, learner: Any, labels: tuple[str, ...], dtype: np.dtype[Any], task: Task = "labels"
) -> LinearTextModel:
    """The model that decides as a fitted learner does on the rows of a fitted vectorizer."""
    weights, bias = learner.coef_.T, np.asarray(learner.intercept_, dtype=np.float64)
    if task == "labels" and len(learner.classes_) == 2 and len(bias) == 2:
        weights, bias = one_output(weights, bias)
    if dtype == np.float32:
        weights = weights.astype(np.float32, copy=False)
    features = tuple(_presence(block, learner) for block in vectorizer.text_features())
    found = Solution(weights, bias, tree=getattr(learner, "tree_", None))
    model = linear_model(features, found, labels, learner_link(learner, task), task)
    return replace(model, rule=learner_rule(learner, labels, task))


def learner_link(learner: Any, task: Task = "labels") -> Link | None:
    """What makes probabilities of a fitted learner's scores."""
    learner = getattr(learner, "linear_learner_", learner)  # what an adaptation has made
    settings = learner.solver_settings() if hasattr(learner, "solver_settings") else None
    return link_of(settings, len(learner.classes_), task)


def learner_rule(learner: Any, labels: tuple[str, ...], task: Task = "labels") -> DecisionRule | SetRule | None:
    """The threshold that a logistic regression of two classes, or of sets of labels, was given."""
    threshold = getattr(getattr(learner, "linear_learner_", learner), "threshold", 0.5)
    if threshold != 0.5 and task == "label-sets":
        return SetRule(labels, "shared", np.array([float(threshold)]))
    if threshold == 0.5 or len(labels) != 2:
        return None
    return DecisionRule(labels, "threshold", np.array([float(threshold)]), 1)


def _presence(block: FeatureBlock, learner: Any) -> FeatureBlock:
    """The block as the learner sees it: one that binarizes asks only whether a feature is there."""
    threshold = getattr(learner, "binarize", None)
    if threshold is None:
        return block
    if not isinstance(block, TextFeatures):
        raise ParameterError(
            f"{type(learner).__name__} asks only whether a feature is there, and hand-made features have values. Use "
            "binarize=None with features that are 0 or 1, or another learner."
        )
    weighting = block.weighting
    signed = isinstance(block.columns, Hashing) and block.columns.alternate_sign
    plain = weighting.norm is None and not len(weighting.idf)
    if signed or not (threshold == 0 or (plain and threshold < 1)):
        way_out = "HashingVectorizer(alternate_sign=False)" if signed else "binarize=0.0"
        raise ParameterError(
            f"{type(learner).__name__}(binarize={threshold:g}) does not ask whether a feature is in a text, but for a "
            f"value of its {'signed sum' if signed else 'weight'}: that is no linear model. Use {way_out}."
        )
    return replace(block, weighting=Weighting(binary=True))
