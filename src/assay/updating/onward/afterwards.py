"""What follows the scores of a model that went onward: made again where the new texts are enough, else kept.

Calibrations and rules are fitted to scores of texts that a model has not learned from. Here these are the new texts,
each scored by a step without its fold. Texts that a person was shown for a doubt are learned from in every fold and are
no part of it: on those, any model looks unsure. Few texts tell less than the many that the old ones were fitted to, so
that they must be a good part of these, unless labels are new.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.corpus.corpus import Corpus
from assay.errors import AssayError
from assay.evaluation.decisions.adjusted_outcomes import choose_cap
from assay.evaluation.decisions.calibration import fit_calibration
from assay.evaluation.decisions.thresholds import choose_rule
from assay.evaluation.metrics.catalogue import LabelMetric, parse_metric
from assay.evaluation.metrics.outcomes import Outcomes
from assay.prediction.calibration import Calibration
from assay.prediction.decision_rule import DecisionRule
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.probabilities import Floats, link_scores
from assay.prediction.probability_cap import ProbabilityCap
from assay.suggest import counted
from assay.updating.onward.learning import Step

__all__ = ["ENOUGH", "finished"]

ENOUGH = 200  # texts to fit a calibration or a rule to
EACH = 5  # of them for each label
SHARE = 0.2  # of the old texts, to take the place of what was fitted to them
_FOLDS = 5


@dataclass(frozen=True)
class _After:
    calibration: Calibration | None
    rule: DecisionRule | None
    cap: ProbabilityCap | None


def finished(
    made: LinearTextModel, step: Step, learned: Corpus, usable: NDArray[np.bool_]
) -> tuple[LinearTextModel, list[str]]:
    """The model with calibration, rule and cap, and what to say of them.

    Parameters
    ----------
    made
        The new model without them.
    step, learned, usable
        How it was made, of what, and which of the texts may tell how sure it is.
    """
    old = step.classifier.model
    if old.calibration is None and old.rule is None:
        if old.cap is None:
            return made, []
        return _with(made, _After(None, None, _wider_cap(old.cap, made.labels))), []
    parts = " and ".join(
        name for name, part in (("calibration", old.calibration), ("decision rule", old.rule)) if part is not None
    )
    numbers = _numbers(learned, made.labels)
    sizes = np.bincount(numbers[usable], minlength=len(made.labels))
    more_labels = len(made.labels) > len(old.labels)
    needed = ENOUGH if more_labels else max(ENOUGH, round(SHARE * step.told.n_texts))
    if usable.sum() >= needed and sizes.min() >= EACH:
        after, kept = _again(made, step, learned, numbers, usable)
        said = [f"the {parts} of the model was fitted again to {counted(int(usable.sum()), 'new text', 'new texts')}"]
        return _with(made, after), said if not kept else [f"{said[0]}, but {kept}"]
    after, lost = _kept(made, old)
    why = (
        f"{counted(int(usable.sum()), 'new text', 'new texts')} without a reason why they were shown; {needed:,} are "
        f"needed, and {EACH} of each label"
    )
    notes = [f"the {parts} is that of the old model: there are {why}"] if len(lost) < parts.count(" and ") + 1 else []
    return _with(made, after), notes + lost


def _numbers(corpus: Corpus, labels: tuple[str, ...]) -> NDArray[np.int32]:
    place = {label: k for k, label in enumerate(labels)}
    return np.array([place.get(name, -1) for name in corpus.label_names], np.int32)[corpus.classes]


def _with(made: LinearTextModel, after: _After) -> LinearTextModel:
    return replace(made, calibration=after.calibration, rule=after.rule, cap=after.cap)


def _again(
    made: LinearTextModel, step: Step, learned: Corpus, numbers: NDArray[np.int32], usable: NDArray[np.bool_]
) -> tuple[_After, str]:
    """Fitted to the new texts; and what could only be kept."""
    old, labels = step.classifier.model, made.labels
    rows = np.flatnonzero(usable)
    fold = np.full(len(learned), -1)
    order = rows[np.argsort(numbers[rows], kind="stable")]
    fold[order] = np.arange(len(order)) % _FOLDS
    fold = np.where(usable, fold[learned.near_copies.first], -1)
    scores = np.zeros((len(learned), len(labels)))
    for k in range(_FOLDS):
        inside = fold == k
        if inside.any():
            said = step.learned(learned.select(~inside)).model.decision_function(learned.select(inside))
            scores[inside] = np.column_stack([-said, said]) if said.ndim == 1 else said
    rows = np.flatnonzero(fold >= 0)
    scores, truth = scores[rows], numbers[rows]
    calibration, table = None, None
    if old.calibration is not None:
        own = old.calibration
        given = link_scores(scores, made.link) if own.of_probabilities and made.link else scores
        calibration = fit_calibration(given, truth, labels, own.method, own.of_probabilities)
        table = calibration.apply(given)
    elif made.link is not None:
        one = scores[:, 1] if len(labels) == 2 else scores
        table = link_scores(one, made.link)
    if table is None:
        return _After(calibration, None, None), ""
    held_out: Any = SimpleNamespace(outcomes=Outcomes(labels, truth, table.argmax(axis=1).astype(np.int32), table))
    cap = choose_cap(held_out) if old.cap is not None else None
    if old.rule is None:
        return _After(calibration, None, cap), ""
    rule = _rule_again(old.rule, held_out, cap, step.classifier.provenance.get("metric"))
    if rule is not None:
        return _After(calibration, rule, cap), ""
    return _After(calibration, _wider_rule(old.rule, labels), cap), (
        f"the rule ({old.rule.kind}) is the old one: what it was chosen for is not in the file"
    )


def _rule_again(old: DecisionRule, held_out: Any, cap: ProbabilityCap | None, metric: Any) -> DecisionRule | None:
    """A rule for the metric of the training, if that is one of labels."""
    labels = held_out.outcomes.labels
    if old.kind not in ("threshold", "weights") or not isinstance(metric, str):
        return None
    try:
        if not isinstance(parse_metric(metric, labels), LabelMetric):
            return None
        positive = old.labels[old.positive] if old.kind == "threshold" else None
        found = choose_rule(held_out, metric=metric, positive=positive, cap=cap)
    except AssayError:
        return None
    return replace(found, abstain_below=old.abstain_below)


def _kept(made: LinearTextModel, old: LinearTextModel) -> tuple[_After, list[str]]:
    """What the old model had, for labels that may be more; and what could not be kept."""
    labels, lost = made.labels, []
    calibration, rule = old.calibration, old.rule
    if len(labels) > len(old.labels):
        if calibration is not None and calibration.method != "temperature":
            calibration = None
            lost.append(f"the {old.calibration.method} calibration has no curve for the new labels, and is gone")  # type: ignore[union-attr]
        elif calibration is not None:
            calibration = replace(calibration, labels=labels)
        if isinstance(rule, DecisionRule):
            rule = _wider_rule(rule, labels)
            if rule is None:
                lost.append("the rule of costs has none for the new labels, and is gone")
    cap = None if old.cap is None else _wider_cap(old.cap, labels)
    if calibration is None and made.link is None:
        if rule is not None or cap is not None:
            lost.append("without a calibration there are no probabilities, and no decision rule over them")
        return _After(None, None, None), lost
    return _After(calibration, rule, cap), lost  # type: ignore[arg-type]


def _wider_rule(rule: DecisionRule, labels: tuple[str, ...]) -> DecisionRule | None:
    """The same rule where there may be more labels: a new one weighs as much as its probability."""
    place = [labels.index(str(label)) for label in rule.labels]
    positive = place[rule.positive] if rule.kind == "threshold" else rule.positive
    if len(labels) == len(rule.labels):
        return rule.reordered(labels)
    if rule.kind == "costs":
        return None
    values: Floats = rule.values
    if rule.kind == "weights":
        values = np.ones(len(labels))
        values[place] = rule.values
    return DecisionRule(labels, rule.kind, values, positive, rule.abstain_below)


def _wider_cap(cap: ProbabilityCap, labels: tuple[str, ...]) -> ProbabilityCap:
    """The same cap; a new label gets the lowest of the others."""
    known = dict(zip(cap.labels, cap.values.tolist(), strict=True))
    return ProbabilityCap(labels, np.array([known.get(label, float(cap.values.min())) for label in labels]))
