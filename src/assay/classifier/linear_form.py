"""A fitted vectorizer and a fitted learner as one linear model over features of texts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.features.columns.blocks import FeatureBlock
from assay.features.ngrams.text_features import Hashing, TextFeatures, Weighting
from assay.prediction.decision_rule import DecisionRule
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.probabilities import Link
from assay.prediction.weights import compact

__all__ = ["is_linear", "linear_model", "link_of", "rule_of"]


def is_linear(learner: Any) -> bool:
    """Whether it decides by one weight for each feature and class."""
    from assay.learners import VotedPerceptron

    return not isinstance(learner, VotedPerceptron)


def linear_model(vectorizer: Any, learner: Any, labels: tuple[str, ...], dtype: np.dtype[Any]) -> LinearTextModel:
    """The model that decides as `learner` does on the rows of `vectorizer`."""
    weights, bias = _weights(learner, dtype)
    features = tuple(_presence(block, learner) for block in vectorizer.text_features())
    return LinearTextModel(features, compact(weights), bias, labels, link_of(learner), rule=rule_of(learner, labels))


def link_of(learner: Any) -> Link | None:
    """What makes probabilities of the learner's scores; None if they are only scores."""
    from assay.learners import NBSVM, LogisticRegression
    from assay.learners.counting import CountingLearner

    learner = getattr(learner, "linear_learner_", learner)  # what an adaptation has made
    if isinstance(learner, CountingLearner):
        return "posterior"
    if isinstance(learner, LogisticRegression):
        return "softmax" if learner._is_multinomial(len(learner.classes_)) else "sigmoid"
    return "sigmoid" if isinstance(learner, NBSVM) and learner.base == "logistic" else None


def rule_of(learner: Any, labels: tuple[str, ...]) -> DecisionRule | None:
    """The threshold that a logistic regression of two classes was given."""
    threshold = getattr(getattr(learner, "linear_learner_", learner), "threshold", 0.5)
    if threshold == 0.5 or len(labels) != 2:
        return None
    return DecisionRule(labels, "threshold", np.array([float(threshold)]), 1)


def _weights(learner: Any, dtype: np.dtype[Any]) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """(n_features, n_outputs) and (n_outputs,): of two classes, what speaks for the second and against the first."""
    weights, bias = learner.coef_.T, np.asarray(learner.intercept_, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        if len(learner.classes_) == 2 and len(bias) == 2:
            weights, bias = weights[:, 1:] - weights[:, :1], bias[1:] - bias[:1]
        if dtype == np.float32:
            weights = weights.astype(np.float32)
    if not (np.isfinite(weights).all() and np.isfinite(bias).all()):
        raise ParameterError(
            f"{type(learner).__name__} learned weights that are not finite: without smoothing, what was never seen is "
            "impossible. Raise alpha above 0, and give every class a prior above 0."
        )
    return np.ascontiguousarray(weights), bias


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
