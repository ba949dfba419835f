"""The result on texts that the model has not seen: numbers, classes, confusions, curves."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from markupsafe import Markup

from assay.evaluation.protocols.set_evaluation import SetEvaluation
from assay.evaluation.uncertainty.estimate import Estimate
from assay.explanation.label_decisions import thresholds_of
from assay.report.chart import Drawing
from assay.report.figures import precision_recall_figure, reliability_figure
from assay.report.matrix_figure import matrix_figure
from assay.report.sections.measured import Measured
from assay.report.sections.set_results import SetResults, set_results
from assay.report.wording import METRIC_NAMES, SET_METRIC_NAMES

__all__ = ["ClassResult", "Confusion", "Matrix", "MatrixCell", "MetricRow", "ResultsSection", "results_section"]

LARGEST_TABLE = 25  # classes; of more, the largest confusions are listed and the whole is a drawing
MANY_COLUMNS = 8
MOST_PAIRS, MOST_PAIRS_WITHOUT_TABLE = 10, 25


@dataclass(frozen=True)
class MetricRow:
    """A metric and what it says."""

    name: str
    meaning: str
    estimate: Estimate

    @property
    def on_scale(self) -> bool:
        """Whether it lies between 0 and 1, where higher is better."""
        return "lower is better" not in self.meaning and self.estimate.defined and 0 <= self.estimate.value <= 1


@dataclass(frozen=True)
class ClassResult:
    """How well a class was recognised."""

    label: str
    documents: int
    precision: Estimate
    recall: Estimate
    f1: Estimate
    given: int | None = None  # of a label of sets: texts that were given it, and from which probability on
    threshold: float | None = None


@dataclass(frozen=True)
class MatrixCell:
    """Texts of a class that were given a label."""

    truth: str
    said: str
    count: int
    share: float  # of the texts of the class
    right: bool


@dataclass(frozen=True)
class Confusion:
    """Texts of one class that were taken for another, and their share of the class."""

    truth: str
    said: str
    count: int
    share: float


@dataclass(frozen=True)
class Matrix:
    """The confusion matrix; without rows where there are too many classes for a table."""

    labels: tuple[str, ...]
    rows: tuple[tuple[str, tuple[MatrixCell, ...]], ...]
    many: bool
    figure: Markup | None


@dataclass(frozen=True)
class ResultsSection:
    """What the section shows."""

    measured_on: str  # a sentence
    level: float
    metrics: tuple[MetricRow, ...]
    classes: tuple[ClassResult, ...]
    matrix: Matrix | None  # none where texts have sets of labels
    pairs: tuple[Confusion, ...]
    reliability: Drawing | None
    precision_recall: Drawing | None
    calibration_error: float | None
    sets: SetResults | None = None  # what there is besides where texts have sets of labels


def results_section(on: Measured, model: Any) -> ResultsSection:
    """The result of an evaluation of a model."""
    if on.sets is not None:
        return _of_sets(on, on.sets, model)
    evaluation = on.evaluation
    probabilities = evaluation.outcomes.probabilities is not None
    # A curve needs texts of a class and others.
    curves = evaluation.outcomes.confidence is not None and np.unique(evaluation.outcomes.truth).size > 1
    return ResultsSection(
        on.sentence,
        evaluation.level,
        tuple(MetricRow(*METRIC_NAMES[name], e) for name, e in evaluation.metrics.items() if name in METRIC_NAMES),
        _classes(on),
        _matrix(on),
        _pairs(on),
        reliability_figure(evaluation) if probabilities else None,
        precision_recall_figure(evaluation) if curves else None,
        evaluation["calibration_error"].value if probabilities else None,
    )


def _of_sets(on: Measured, evaluation: SetEvaluation, model: Any) -> ResultsSection:
    """The same where texts have sets of labels."""
    names = dict(zip(evaluation.labels, on.labels, strict=True))
    number = {label: k for k, label in enumerate(evaluation.labels)}
    own = thresholds_of(model.decision)
    order = {label: k for k, label in enumerate(model.labels)}
    thresholds = {label: float(own[order[label]]) for label in number if own is not None and label in order}
    return ResultsSection(
        on.sentence,
        evaluation.level,
        tuple(
            MetricRow(*SET_METRIC_NAMES[name], evaluation.metrics[name])
            for name in SET_METRIC_NAMES
            if name in evaluation.metrics
        ),
        tuple(
            ClassResult(
                names[label],
                int(evaluation.counts.documents[number[label]]),
                evaluation.by_label[label]["precision"],
                evaluation.by_label[label]["recall"],
                evaluation.by_label[label]["f1"],
                given=int(evaluation.counts.predicted[number[label]]),
                threshold=thresholds.get(label),
            )
            for label in evaluation.worst_first
        ),
        None,
        (),
        None,
        None,
        None,
        set_results(evaluation, names, thresholds, model.decision.rule),
    )


def _classes(on: Measured) -> tuple[ClassResult, ...]:
    """The classes, those that are recognised worst first; those of which nothing is known last."""
    evaluation = on.evaluation
    counts = evaluation.confusion.counts
    rows = [
        ClassResult(
            name,
            int(counts[k].sum()),
            *(evaluation.classes[label][kind] for kind in ("precision", "recall", "f1")),
        )
        for k, (name, label) in enumerate(zip(on.labels, evaluation.labels, strict=True))
    ]
    return tuple(sorted(rows, key=lambda row: row.f1.value if row.f1.defined else inf))


def _matrix(on: Measured) -> Matrix:
    evaluation = on.evaluation
    labels = on.labels
    if len(labels) > LARGEST_TABLE:
        return Matrix(labels, (), True, matrix_figure(labels, evaluation.confusion.counts))
    counts = evaluation.confusion.counts
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    rows = tuple(
        (
            truth,
            tuple(
                MatrixCell(truth, said, int(counts[i, j]), float(shares[i, j]), i == j) for j, said in enumerate(labels)
            ),
        )
        for i, truth in enumerate(labels)
    )
    return Matrix(labels, rows, len(labels) > MANY_COLUMNS, None)


def _pairs(on: Measured) -> tuple[Confusion, ...]:
    """The most frequent mistakes, true label first."""
    evaluation = on.evaluation
    wrong = evaluation.confusion.counts * (1 - np.eye(len(evaluation.labels), dtype=np.int64))
    most = MOST_PAIRS if len(evaluation.labels) <= LARGEST_TABLE else MOST_PAIRS_WITHOUT_TABLE
    order = np.argsort(-wrong, axis=None, kind="stable")[:most]
    texts = evaluation.confusion.counts.sum(axis=1)
    places = [np.unravel_index(int(flat), wrong.shape) for flat in order]
    return tuple(
        Confusion(on.labels[i], on.labels[j], int(wrong[i, j]), float(wrong[i, j] / texts[i]))
        for rank, (i, j) in enumerate(places)
        if wrong[i, j] > (0 if rank < MOST_PAIRS else 1)  # a long list of what happened once says nothing
    )
