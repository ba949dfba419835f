"""Choosing decision rules: from probabilities to labels when the most probable label is not the best answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from assay.arguments import in_our_words
from assay.errors import DataError, ParameterError
from assay.evaluation.decisions.adjusted_outcomes import adjusted_outcomes
from assay.evaluation.decisions.threshold_search import best_cut, best_weights, precision_recall_cut
from assay.evaluation.metrics.catalogue import LabelMetric, parse_metric
from assay.evaluation.metrics.outcomes import Label, Outcomes, choices
from assay.prediction.calibration import Calibration
from assay.prediction.decision_rule import DecisionRule
from assay.prediction.probabilities import Floats
from assay.prediction.probability_cap import ProbabilityCap
from assay.suggest import quote

__all__ = ["choose_rule"]


@in_our_words
def choose_rule(
    source: Any,
    *,
    metric: str | None = None,
    positive: Label | None = None,
    costs: Any = None,
    min_precision: float | None = None,
    min_recall: float | None = None,
    abstain: float | None = None,
    calibration: Calibration | None = None,
    cap: ProbabilityCap | None = None,
) -> DecisionRule:
    """Choose a decision rule on held-out documents.

    Ask for one of `metric`, `costs`, `min_precision` and `min_recall`, or for none of them; `abstain` can be added.

    Parameters
    ----------
    source
        A `CrossValidation` or `Evaluation` with probabilities of documents that the model was not trained on.
    metric
        Name of a metric of labels to make as large as possible: by a threshold for `positive` where that is given or
        there are two labels, else by a weight for each class.
    positive
        The label that a threshold is for. Default: the second of two.
    costs
        `costs[i][j]`: what it costs to answer `labels[j]` where `labels[i]` is true.
    min_precision
        The lowest threshold whose precision reaches this: as much recall as that allows.
    min_recall
        The highest threshold whose recall reaches this: as much precision as that allows.
    abstain
        Share of documents that may be left without an answer: those with the smallest confidence.
    calibration, cap
        Applied to the probabilities or scores first.

    Examples
    --------
    >>> import assay
    >>> result = assay.evaluate([0, 0, 1, 1], [0, 0, 0, 1], [0.1, 0.3, 0.4, 0.9])
    >>> rule = choose_rule(result, min_recall=1.0)
    >>> rule.values.tolist(), rule.apply([0.35, 0.4]).tolist()
    ([0.4], [0, 1])
    """
    outcomes = adjusted_outcomes(source, calibration, cap)
    asked = {"metric": metric, "costs": costs, "min_precision": min_precision, "min_recall": min_recall}
    given = [name for name, value in asked.items() if value is not None]
    if len(given) > 1 or (not given and abstain is None):
        raise ParameterError(
            "choose_rule needs one of metric, costs, min_precision and min_recall, or abstain. Got "
            f"{' and '.join(given) or 'none of them'}."
        )
    if costs is not None:
        rule = DecisionRule(outcomes.labels, "costs", _checked_costs(costs, len(outcomes.labels)))
    elif metric is not None:
        rule = _for_metric(outcomes, metric, positive)
    elif given:
        rule = _for_share(outcomes, positive, min_precision, min_recall)
    else:
        rule = DecisionRule(outcomes.labels)
    return rule if abstain is None else replace(rule, abstain_below=_abstention(outcomes, abstain))


def _for_metric(outcomes: Outcomes, name: str, positive: Label | None) -> DecisionRule:
    metric = parse_metric(name, outcomes.labels)
    if not isinstance(metric, LabelMetric):
        raise ParameterError(
            f"A decision rule changes labels, and {quote(name)} is a metric of probabilities. Use a metric of labels "
            "such as 'macro_f1'."
        )
    if positive is None and len(outcomes.labels) > 2:
        assert outcomes.probabilities is not None
        return DecisionRule(outcomes.labels, "weights", best_weights(outcomes.probabilities, outcomes.truth, metric))
    k = _positive_class(outcomes, positive)
    return DecisionRule(outcomes.labels, "threshold", np.array([best_cut(outcomes, k, metric)]), k)


def _for_share(
    outcomes: Outcomes, positive: Label | None, min_precision: float | None, min_recall: float | None
) -> DecisionRule:
    for name, share in (("min_precision", min_precision), ("min_recall", min_recall)):
        if share is not None and not 0 < share <= 1:
            raise ParameterError(f"{name} must be above 0 and at most 1. Got {share!r} instead.")
    k = _positive_class(outcomes, positive)
    threshold, best = precision_recall_cut(outcomes, k, min_precision, min_recall)
    if threshold is None:
        raise DataError(
            f"No threshold gives {quote(outcomes.labels[k])} a precision of {min_precision:g}: the highest on these "
            f"documents is {best:.3f}. Ask for less, or improve the model."
        )
    return DecisionRule(outcomes.labels, "threshold", np.array([threshold]), k)


def _positive_class(outcomes: Outcomes, positive: Label | None) -> int:
    if positive is None:
        if len(outcomes.labels) != 2:
            raise ParameterError(
                f"Say which label the threshold is for: positive= one of {choices('', outcomes.labels)}."
            )
        positive = outcomes.labels[1]
    if positive not in outcomes.labels:
        known = choices(positive, outcomes.labels)
        raise ParameterError(f"There is no label {quote(positive)}. Labels are {known}.")
    k = outcomes.labels.index(positive)
    if not (outcomes.truth == k).any():
        raise DataError(f"No held-out document is {quote(positive)}: no threshold can be chosen for it. Add some.")
    return k


def _checked_costs(costs: Any, n: int) -> Floats:
    matrix = np.asarray(costs, dtype=np.float64)
    if matrix.shape != (n, n) or not np.isfinite(matrix).all():
        raise ParameterError(
            f"costs must be {n} rows (true labels) of {n} finite numbers (answers). Got shape {matrix.shape} instead."
        )
    return matrix


def _abstention(outcomes: Outcomes, share: float) -> float:
    """The confidence below which at most this share of the documents lies."""
    if not 0 <= share < 1:
        raise ParameterError(f"abstain must be a share from 0 to below 1. Got {share!r} instead.")
    assert outcomes.probabilities is not None
    confidence = np.sort(outcomes.probabilities.max(axis=1))
    return float(confidence[int(np.floor(share * confidence.size))])
