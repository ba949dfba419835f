"""Where texts have sets of labels: thresholds, labels taken for others, mistakes that come together, calibration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup

from assay.evaluation.metrics.outcomes import Label
from assay.evaluation.protocols.set_evaluation import SetEvaluation
from assay.evaluation.uncertainty.estimate import Estimate
from assay.prediction.set_rule import SetRule
from assay.report.threshold_figure import threshold_curve, threshold_figure

__all__ = ["LabelCalibration", "LabelCurve", "SetResults", "set_results"]

MOST_PAIRS = 15
MOST_CURVES = 6  # of the worst labels, and as many of the commonest
RULES = {
    "each": "A label is given where its probability reaches a threshold of its own",
    "shared": "A label is given where its probability reaches one threshold for all",
    "top": "The most probable labels are given, always as many",
    "at-least-one": "A label is given where its probability reaches a threshold of its own; where none does, the "
    "label that comes nearest to it",
}


@dataclass(frozen=True)
class LabelCurve:
    """What becomes of a label as its threshold moves."""

    label: str
    documents: int
    threshold: float | None
    figure: Markup


@dataclass(frozen=True)
class LabelCalibration:
    """How far the probabilities of a label are from what came true."""

    label: str
    share: float  # of the texts that have it
    mean: float  # of its probabilities
    error: Estimate
    brier: Estimate
    base_brier: float  # of always saying the share


@dataclass(frozen=True)
class SetResults:
    """What the section shows.

    Attributes
    ----------
    rule
        How a label comes to be given, in a sentence.
    pairs
        Label given, label that is true, texts, those in which the one stands in the other's place, and by chance.
    together
        Two labels that are wrong in the same texts, in how many, and by chance.
    curves, calibration
        Of the worst labels and of the commonest; and of all labels.
    """

    rule: str
    pairs: tuple[tuple[str, str, int, int, float], ...]
    together: tuple[tuple[str, str, int, float], ...]
    curves: tuple[LabelCurve, ...]
    calibration: tuple[LabelCalibration, ...]


def set_results(
    evaluation: SetEvaluation, names: Mapping[Label, str], thresholds: Mapping[Label, float], rule: Any
) -> SetResults:
    """What there is besides the figures.

    Parameters
    ----------
    evaluation
        Of label sets.
    names
        What the page calls the labels.
    thresholds
        Of the labels, as far as the model has them.
    rule
        The model's; None where a label is given from a half on.
    """
    return SetResults(
        _said(rule, evaluation.outcomes.probabilities is not None),
        tuple(
            (names[pair.said], names[pair.true], pair.texts, pair.instead, pair.expected)
            for pair in evaluation.confused_labels(MOST_PAIRS)
        ),
        tuple(
            (names[pair.first], names[pair.second], pair.texts, pair.expected)
            for pair in evaluation.errors_together(MOST_PAIRS)
        ),
        _curves(evaluation, names, thresholds),
        _calibration(evaluation, names),
    )


def _said(rule: Any, has_probabilities: bool) -> str:
    if isinstance(rule, SetRule):
        alike = rule.kind == "each" and len(set(rule.values.tolist())) == 1
        return f"{RULES['shared' if alike else rule.kind]}; this was chosen inside the training texts."
    if has_probabilities:
        return "A label is given where its probability is a half or more."
    return "A label is given where its score is above 0."


def _curves(
    evaluation: SetEvaluation, names: Mapping[Label, str], thresholds: Mapping[Label, float]
) -> tuple[LabelCurve, ...]:
    """The worst labels and the commonest, each once, the worst first."""
    probabilities, counts = evaluation.outcomes.probabilities, evaluation.counts.documents
    if probabilities is None:
        return ()
    present = [label for label in evaluation.worst_first if counts[evaluation.labels.index(label)]]
    commonest = sorted(present, key=lambda label: -counts[evaluation.labels.index(label)])[:MOST_CURVES]
    chosen = {*present[:MOST_CURVES], *commonest}
    found = []
    for label in present:
        if label in chosen:
            k = evaluation.labels.index(label)
            curve = threshold_curve(probabilities[:, k], evaluation.outcomes.truth.having(k))
            threshold = thresholds.get(label)
            figure = threshold_figure(curve, threshold, names[label])
            found.append(LabelCurve(names[label], int(counts[k]), threshold, figure))
    return tuple(found)


def _calibration(evaluation: SetEvaluation, names: Mapping[Label, str]) -> tuple[LabelCalibration, ...]:
    """Of every label that some text has, the one with the largest error first."""
    probabilities = evaluation.outcomes.probabilities
    if probabilities is None:
        return ()
    rows = []
    for k, label in enumerate(evaluation.labels):
        if not (n := int(evaluation.counts.documents[k])):
            continue
        of_label = evaluation.calibration[label]
        rows.append(
            LabelCalibration(
                names[label],
                n / evaluation.n_documents,
                float(probabilities[:, k].mean()),
                of_label["calibration_error"],
                of_label["brier"],
                evaluation.base_brier[label],
            )
        )
    return tuple(sorted(rows, key=lambda row: -np.nan_to_num(row.error.value)))
