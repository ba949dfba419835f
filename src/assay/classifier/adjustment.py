"""What follows the scores of a classifier, fitted on held-out folds where it was asked for."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.classifier.training_data import sorted_sets
from assay.data.arrays import integer_array
from assay.errors import DataError
from assay.label_types import label_texts
from assay.prediction.calibration import Calibration
from assay.prediction.decision_rule import DecisionRule
from assay.prediction.probabilities import Floats
from assay.prediction.probability_cap import ProbabilityCap
from assay.prediction.set_rule import SetRule
from assay.suggest import quote

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

    from assay.classifier.text_classifier import TextClassifier
    from assay.data.corpus.corpus import Corpus

__all__ = ["Adjustment", "fit_adjustment"]

_FOLDS = 5


@dataclass(frozen=True)
class Adjustment:
    """What held-out folds, or the person who trains, have said."""

    calibration: Calibration | None = None
    rule: DecisionRule | SetRule | None = None
    cap: ProbabilityCap | None = None


def fit_adjustment(
    classifier: TextClassifier,
    vectorizer: Any,
    learner: Any,
    corpus: Corpus,
    labels: tuple[str, ...],
    weights: NDArray[np.float64] | None,
) -> Adjustment:
    """Fit what the settings of a classifier ask for, with copies of the vectorizer and the learner."""
    rule = classifier.rule
    if isinstance(rule, (DecisionRule, SetRule)):
        rule = replace(rule, labels=_as_text(rule.labels))
    if classifier.calibration is None and not isinstance(rule, Mapping):
        return Adjustment(None, rule)
    model = _fold_model(vectorizer, learner, corpus, weights)
    fit = _of_sets if corpus.task == "label-sets" else _of_single_labels
    return fit(classifier, rule, *model, labels)


def _of_single_labels(
    classifier: TextClassifier, rule: Any, model: Any, corpus: Corpus, labels: tuple[str, ...]
) -> Adjustment:
    from assay.evaluation import calibrate, choose_cap, choose_rule
    from assay.evaluation.protocols.cross_validation import cross_validate

    held_out = cross_validate(
        model,
        corpus,
        folds=_folds(corpus),
        metrics=["accuracy"],
        seed=classifier.seed,
        threads=classifier.threads,
    )
    calibration = cap = None
    if classifier.calibration is not None:
        calibration = calibrate(held_out, method=classifier.calibration)
        cap = choose_cap(held_out, calibration=calibration)
    if isinstance(rule, Mapping):
        wanted = dict(rule)
        if wanted.get("positive") is not None:
            (wanted["positive"],) = _as_text([wanted["positive"]])
        rule = choose_rule(held_out, calibration=calibration, cap=cap, **wanted).reordered(labels)
    return Adjustment(
        None if calibration is None else calibration.reordered(labels),
        rule,
        None if cap is None else cap.reordered(labels),
    )


def _of_sets(classifier: TextClassifier, rule: Any, model: Any, corpus: Corpus, labels: tuple[str, ...]) -> Adjustment:
    """Each label by itself; a rule needs probabilities, and gets those of the sigmoid where none were asked for."""
    from assay.evaluation.decisions.set_calibration import choose_set_cap, fit_set_calibration
    from assay.evaluation.decisions.set_thresholds import choose_set_thresholds

    sets = sorted_sets(corpus, labels)
    scores = _held_out_scores(model, corpus, len(labels), classifier.seed)
    calibration = fit_set_calibration(scores, sets, labels, classifier.calibration or "sigmoid")
    probabilities = calibration.apply(scores)
    cap = choose_set_cap(probabilities, sets, labels)
    if isinstance(rule, Mapping):
        rule = choose_set_thresholds(cap.apply(probabilities), sets, labels, **rule).rule
    return Adjustment(calibration, rule, cap)


def _held_out_scores(model: Any, corpus: Corpus, n_labels: int, seed: int) -> Floats:
    """What the model, trained on the other folds, scores each text; copies and near-copies are in one fold."""
    from sklearn.base import clone

    from assay.classifier.training_data import label_arrays
    from assay.data.corpus.near_copies import rows_together
    from assay.evaluation.protocols.folds import FoldPlan, make_folds

    together = rows_together(corpus, "together")
    plan = FoldPlan(folds=min(_FOLDS, np.unique(together).size), seed=seed)
    names, y = label_arrays(corpus)
    scores = np.empty((len(corpus), n_labels))
    for fold in make_folds(sorted_sets(corpus, names), names, plan, together=together):
        part = corpus.select(fold.train)
        fitted = model(part) if callable(model) else clone(model).fit(part.texts, y[fold.train])
        scores[fold.test] = fitted.decision_function(corpus.texts.take(integer_array(fold.test)))
    return scores


def _as_text(labels: Sequence[Hashable]) -> tuple[str, ...]:
    return tuple(label_texts(np.array(labels)).tolist())


def _fold_model(
    vectorizer: Any, learner: Any, corpus: Corpus, weights: NDArray[np.float64] | None
) -> tuple[Any, Corpus]:
    """What is trained in every fold, and on what: with weights, each fold's own texts count as much as they weigh."""
    from sklearn.base import clone
    from sklearn.pipeline import make_pipeline

    from assay.classifier.training_data import label_arrays

    if weights is None:
        return make_pipeline(clone(vectorizer), clone(learner)), corpus

    def weighed(part: Corpus) -> Pipeline:
        own = part.column("sample_weight").to_numpy()
        parts = clone(vectorizer), clone(learner)
        _, y = label_arrays(part)
        parts[1].fit(parts[0].fit_transform(part.texts, y), y, sample_weight=own)
        return make_pipeline(*parts)

    return weighed, corpus.with_column("sample_weight", weights)


def _folds(corpus: Corpus) -> int:
    """As many folds as the smallest class can fill, and at most five."""
    counts = corpus.class_counts
    smallest = int(np.argmin(np.where(counts > 0, counts, np.iinfo(np.int64).max)))
    if counts[smallest] < 2:
        raise DataError(
            f"{corpus.source}: the class {quote(corpus.label_names[smallest])} has one example only, which cannot be "
            "both learned from and held out. Calibration and rules need two of each class at least: add examples, "
            "leave the class out, or train without them."
        )
    return int(min(_FOLDS, counts[smallest]))
