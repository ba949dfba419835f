"""A model made of scikit-learn's own parts: for whoever has to go on without assay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import ParameterError, warn
from assay.features.columns.blocks import FeatureBlock
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.text_features import Hashing, TextFeatures
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.weights import SparseWeights

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

__all__ = ["to_pipeline"]


def to_pipeline(model: LinearTextModel) -> Pipeline:
    """A fitted scikit-learn pipeline with the same scores, probabilities and labels, up to rounding.

    Its probabilities have no cap: where the model has one, a warning says so.
    """
    from sklearn.pipeline import FeatureUnion, make_pipeline

    others = {"calibration": model.calibration, "decision rule": model.rule}
    found = next((name for name, part in others.items() if part is not None), None)
    if found is not None:
        raise ParameterError(
            f"This model has a {found}, for which scikit-learn's pipelines have no part of their own. Train it "
            "without, or wrap the classifier itself: it has scikit-learn's methods."
        )
    if model.cap is not None:
        warn(
            f"This model gives no label more than {model.cap.values.max():.4g}; scikit-learn's pipelines have no part "
            "for that, and say more where the scores are high. Labels are the same."
        )
    parts = [_vectorizer(block) for block in model.features]
    if len(parts) == 1:
        return make_pipeline(parts[0], _classifier(model))
    return make_pipeline(FeatureUnion([(f"block{i}", part) for i, part in enumerate(parts)]), _classifier(model))


def _vectorizer(block: FeatureBlock) -> Any:
    from sklearn.feature_extraction.text import HashingVectorizer, TfidfVectorizer

    if not isinstance(block, TextFeatures):
        raise ParameterError(
            "This model has hand-made features, for which scikit-learn has no part of its own. Wrap the classifier "
            "itself: it has scikit-learn's methods."
        )
    settings = _text_settings(block.analysis)
    weighting = block.weighting
    if isinstance(block.columns, Hashing):
        return HashingVectorizer(
            **settings,
            n_features=block.columns.n_columns,
            alternate_sign=block.columns.alternate_sign,
            binary=weighting.binary,
            norm=weighting.norm,
        )
    vectorizer = TfidfVectorizer(
        **settings,
        vocabulary=block.columns.terms(),
        binary=weighting.binary,
        sublinear_tf=weighting.sublinear,
        norm=weighting.norm,
        use_idf=bool(len(weighting.idf)),
    ).fit([""])  # the vocabulary is given: this only marks it as fitted
    if len(weighting.idf):
        vectorizer.idf_ = weighting.idf
    return vectorizer


def _text_settings(analysis: Analysis) -> dict[str, Any]:
    settings: dict[str, Any] = {
        "ngram_range": analysis.ngrams,
        "lowercase": analysis.lowercase,
        "strip_accents": None if analysis.accents == "keep" else analysis.accents,
    }
    if analysis.unit != "word":
        return settings | {"analyzer": analysis.unit}
    word = rf"\b\w{{{analysis.min_token_length},}}\b"
    patterns = {"words": word, "words_and_punctuation": rf"{word}|[^\w\s]", "not_space": r"\S+"}
    pattern = f"(?u){patterns[analysis.tokens]}"
    return settings | {"token_pattern": pattern, "stop_words": list(analysis.stop_words) or None}


def _classifier(model: LinearTextModel) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.svm import LinearSVC

    if model.tree is not None:
        raise ParameterError("scikit-learn has no label tree: a model with one cannot be made of its parts.")
    table = model.weights.to_table() if isinstance(model.weights, SparseWeights) else model.weights
    coef = np.ascontiguousarray(table.T, dtype=np.float64)
    labels = model.decision.values
    if model.link == "sigmoid" and len(labels) > 2:
        separate = OneVsRestClassifier(LogisticRegression())
        separate.estimators_ = [
            _filled(LogisticRegression(), coef[k : k + 1], model.bias[k : k + 1], np.array([0, 1]))
            for k in range(len(labels))
        ]
        from sklearn.preprocessing import LabelBinarizer

        separate.label_binarizer_ = LabelBinarizer(sparse_output=True).fit(labels)
        separate.classes_ = labels
        separate.n_features_in_ = coef.shape[1]
        return separate
    return _filled(LinearSVC() if model.link is None else LogisticRegression(), coef, model.bias, labels)


def _filled(classifier: Any, coef: Any, intercept: Any, labels: Any) -> Any:
    classifier.coef_, classifier.intercept_, classifier.classes_ = coef, intercept, labels
    classifier.n_features_in_ = coef.shape[1]
    return classifier
