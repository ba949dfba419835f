"""Training a classifier: vectorize, learn, calibrate, choose a rule, and note what it was made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.classifier.adjustment import fit_adjustment
from assay.classifier.learned_novelty import learn_novelty
from assay.classifier.linear_form import is_linear, learner_link, learner_model, learner_rule
from assay.classifier.training_data import label_arrays, training_corpus
from assay.errors import DataError, ParameterError
from assay.modelfile.attachment import Attachment
from assay.modelfile.kept_state import KeptState
from assay.modelfile.provenance import Component, MadeBy, Provenance, data_provenance
from assay.modelfile.record import ModelRecord
from assay.prediction.calibration import METHODS
from assay.prediction.decision import Decision
from assay.prediction.decision_rule import DecisionRule
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.set_decision import decision_of
from assay.prediction.set_rule import SetRule

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier
    from assay.data.corpus.corpus import Corpus

__all__ = ["Trained", "fresh_parts", "train"]


@dataclass(frozen=True)
class Trained:
    """What training made."""

    vectorizer: Any
    learner: Any
    model: LinearTextModel | None  # None: the learner is not linear
    decision: Decision
    record: ModelRecord


def train(classifier: TextClassifier, texts: Any, labels: Any, sample_weight: Any = None, **columns: Any) -> Trained:
    """Train by the settings of a classifier, which is left as it is; `columns` are text= and label=."""
    _check_settings(classifier)
    vectorizer, learner = fresh_parts(classifier)
    corpus = training_corpus(texts, labels, **columns)
    if classifier.learn_novelty and corpus.task == "label-sets":
        raise ParameterError(
            "learn_novelty=True trains without some of the classes, and a text with several labels is of many at a "
            "time: it is for one label a text. Leave it out."
        )
    names, y = label_arrays(corpus)
    weights = _weights(sample_weight, learner, corpus)
    X = vectorizer.fit_transform(corpus.texts, y)
    if (X.nnz if hasattr(X, "nnz") else np.count_nonzero(X)) == 0:
        raise DataError(
            f"{corpus.source}: none of the {len(corpus)} texts has a feature: they are empty, or hold nothing that the "
            "vectorizer takes for a token. Look at the texts, and at the tokenizer."
        )
    adjustment = fit_adjustment(classifier, vectorizer, learner, corpus, names, weights)
    if corpus.task == "label-sets":
        learner.label_names = names
    learner.fit(X, y) if weights is None else learner.fit(X, y, sample_weight=weights)
    decision = decision_of(corpus.task)(
        names,
        learner_link(learner, corpus.task),
        adjustment.calibration,
        adjustment.rule or learner_rule(learner, names, corpus.task),
        adjustment.cap,
        corpus.label_type,
    )
    model = None
    if is_linear(learner):
        model = learner_model(vectorizer, learner, names, X.dtype, corpus.task)
        after = {name: getattr(decision, name) for name in ("calibration", "rule", "cap", "label_type")}
        model = replace(model, **after)
    provenance = Provenance(
        data_provenance(corpus),
        [Component(MadeBy.of(learner), MadeBy.of(vectorizer))],
        classifier.seed,
        classifier.calibration,
        None if decision.rule is None else decision.rule.kind,
    )
    record = ModelRecord(provenance.to_dict())
    if classifier.learn_novelty:
        how: dict[str, Any] = {"seed": classifier.seed, "threads": classifier.threads}
        record.novelty = Attachment.of_novelty(learn_novelty(vectorizer, learner, corpus, y, **how))
    state = getattr(learner, "learned_state", lambda: None)()
    if model is not None and state is not None:
        record.state = KeptState(state).to_attachment(model.weights.dtype)
    if classifier.sketch:
        record.remember(corpus.texts, classifier.threads)
    return Trained(vectorizer, learner, model, decision, record)


def _weights(given: Any, learner: Any, corpus: Corpus) -> NDArray[np.float64] | None:
    from sklearn.utils.validation import has_fit_parameter

    from assay.learners.estimators.labels import check_sample_weight

    if given is None:
        return None
    if not has_fit_parameter(learner, "sample_weight"):
        raise ParameterError(f"{type(learner).__name__} takes no weights of texts. Leave sample_weight out.")
    return check_sample_weight(given, len(corpus))


def _check_settings(classifier: TextClassifier) -> None:
    if classifier.calibration is not None and classifier.calibration not in METHODS:
        raise ParameterError(
            f"The 'calibration' parameter of TextClassifier must be None or one of {', '.join(map(repr, METHODS))}. "
            f"Got {classifier.calibration!r} instead."
        )
    if not isinstance(classifier.rule, (DecisionRule, SetRule, Mapping, type(None))):
        raise ParameterError(
            "The 'rule' parameter of TextClassifier must be None, a DecisionRule, or settings of "
            "assay.evaluation.choose_rule such as {'metric': 'macro_f1'}; for sets of labels a SetRule, or settings of "
            f"choose_set_thresholds. Got {classifier.rule!r} instead."
        )
    for name in ("learn_novelty", "sketch"):
        if not isinstance(getattr(classifier, name), (bool, np.bool_)):
            raise ParameterError(
                f"The '{name}' parameter of TextClassifier must be True or False. Got {getattr(classifier, name)!r} "
                "instead."
            )
    if isinstance(classifier.seed, bool) or not isinstance(classifier.seed, (int, np.integer)) or classifier.seed < 0:
        raise ParameterError(
            f"The 'seed' parameter of TextClassifier must be a whole number of at least 0. Got {classifier.seed!r} "
            "instead."
        )


def fresh_parts(classifier: TextClassifier) -> tuple[Any, Any]:
    """Fresh copies of the vectorizer and the learner, with the seed and the threads of the classifier."""
    from sklearn.base import clone

    from assay.features import TfidfVectorizer
    from assay.learners.estimators.base import Learner
    from assay.learners.names import named_learner

    vectorizer, learner = classifier.vectorizer, classifier.learner
    if vectorizer is None:
        vectorizer = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, dtype=np.float32)
    elif not hasattr(vectorizer, "text_features"):
        raise ParameterError(
            "The 'vectorizer' parameter of TextClassifier must be a vectorizer of assay.features, or None. Got "
            f"{vectorizer!r} instead. Those of scikit-learn have the same names and parameters there."
        )
    if learner is None or isinstance(learner, str):
        learner = named_learner(learner or "svm")
    elif not isinstance(learner, Learner):
        raise ParameterError(
            "The 'learner' parameter of TextClassifier must be a learner of assay.learners, its short name, or None. "
            f"Got {learner!r} instead."
        )
    parts = clone(vectorizer), clone(learner)
    for part in parts:
        settings = part.get_params(deep=False)
        if "random_state" in settings and settings["random_state"] is None:
            part.set_params(random_state=classifier.seed)
        if "n_jobs" in settings and classifier.threads is not None:
            part.set_params(n_jobs=classifier.threads)
    return parts
