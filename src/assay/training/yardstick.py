"""The metric that a search compares recipes by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.decisions.set_calibration import fit_set_calibration
from assay.evaluation.metrics.catalogue import DocumentMetric, parse_metric
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.metrics.set_catalogue import OF_PROBABILITIES, parse_set_metric
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.uncertainty.metric_value import MetricLike, measure, metric_name, metric_sign
from assay.label_sets import LabelSets, Task
from assay.prediction.probabilities import softmax
from assay.training.combination import fit_weights
from assay.training.likely_sets import sets_by_label, sets_by_shared_threshold

__all__ = ["Yardstick"]

Floats = NDArray[np.float64]
Classes = NDArray[np.int32]


@dataclass(frozen=True)
class Yardstick:
    """A metric, for scores of these labels.

    Where texts have several labels, thresholds that suit the scores best decide which are given: one for all labels,
    or, for averages over labels, one for each. All recipes are flattered alike by that; what is chosen is measured
    with thresholds from other folds.

    Examples
    --------
    >>> measure = Yardstick("accuracy", ("neg", "pos"))
    >>> measure(np.array([0, 1, 1], dtype=np.int32), np.array([[1.0, -1], [-2, 2], [1, -1]]))
    0.6666666666666666
    >>> several = Yardstick("micro_f1", ("sport", "law"), "label-sets")
    >>> several(LabelSets.of_rows([[0], [0, 1]], 2), np.array([[0.9, -0.3], [0.8, 0.1]]))
    1.0
    """

    metric: MetricLike
    labels: tuple[str, ...]
    task: Task = "labels"

    def __post_init__(self) -> None:
        if isinstance(self.metric, str):
            parse = parse_set_metric if self.task == "label-sets" else parse_metric
            parse(self.metric, self.labels)

    @property
    def name(self) -> str:
        """What the metric is called in results."""
        return metric_name(self.metric)

    def __call__(
        self, truth: Classes | LabelSets, scores: Floats, predicted: Classes | LabelSets | None = None
    ) -> float:
        """The metric's value; NaN where it is undefined. Without predictions, those that the scores speak for."""
        return measure(self.metric, self.outcomes(truth, scores, predicted))

    def outcomes(
        self, truth: Classes | LabelSets, scores: Floats, predicted: Classes | LabelSets | None = None
    ) -> Outcomes | SetOutcomes:
        """What is measured."""
        if isinstance(truth, LabelSets):
            said = predicted if isinstance(predicted, LabelSets) else self.likely_sets(truth, scores)
            return SetOutcomes(self.labels, truth, said, self._of_each_label(truth, scores), scores)
        if predicted is None:
            predicted = scores.argmax(axis=1).astype(np.int32)
        assert not isinstance(predicted, LabelSets)
        return Outcomes(self.labels, truth, predicted, self._probabilities(truth, scores), scores)

    def likely_sets(self, truth: LabelSets, scores: Floats) -> LabelSets:
        """The sets by the thresholds that suit these scores best."""
        over_labels = self.name.startswith(("macro_", "weighted_")) or ":" in self.name
        return (sets_by_label if over_labels else sets_by_shared_threshold)(scores, truth)

    def rank(self, values: Floats) -> float:
        """A number that is greater for what is better; an undefined value loses against every other."""
        mean = float(values.mean())
        return -np.inf if np.isnan(mean) else metric_sign(self.metric) * mean

    def _of_each_label(self, truth: LabelSets, scores: Floats) -> Floats | None:
        """For metrics of probabilities: those of the calibration that suits the scores best."""
        if self.name.partition(":")[0] not in OF_PROBABILITIES:
            return None
        return fit_set_calibration(scores, truth, self.labels).apply(scores)

    def _probabilities(self, truth: Classes, scores: Floats) -> Floats | None:
        """For metrics of probabilities: those at the temperature that suits the scores best."""
        parsed = parse_metric(self.metric, self.labels) if isinstance(self.metric, str) else None
        if not isinstance(parsed, DocumentMetric) or not parsed.needs_probabilities:
            return None
        (weight,), _ = fit_weights([scores], truth)
        return softmax(weight * scores)
