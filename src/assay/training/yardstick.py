"""The metric that a search compares recipes by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.metrics.catalogue import DocumentMetric, parse_metric
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.uncertainty.metric_value import MetricLike, measure, metric_name, metric_sign
from assay.prediction.probabilities import softmax
from assay.training.combination import fit_weights

__all__ = ["Yardstick"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Yardstick:
    """A metric, for scores of these labels.

    Examples
    --------
    >>> measure = Yardstick("accuracy", ("neg", "pos"))
    >>> measure(np.array([0, 1, 1], dtype=np.int32), np.array([[1.0, -1], [-2, 2], [1, -1]]))
    0.6666666666666666
    """

    metric: MetricLike
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        if isinstance(self.metric, str):
            parse_metric(self.metric, self.labels)

    @property
    def name(self) -> str:
        """What the metric is called in results."""
        return metric_name(self.metric)

    def __call__(self, truth: NDArray[np.int32], scores: Floats, predicted: NDArray[np.int32] | None = None) -> float:
        """The metric's value; NaN where it is undefined. Without predictions, those of the highest scores."""
        if predicted is None:
            predicted = scores.argmax(axis=1).astype(np.int32)
        return measure(self.metric, Outcomes(self.labels, truth, predicted, self._probabilities(truth, scores), scores))

    def rank(self, values: Floats) -> float:
        """A number that is greater for what is better; an undefined value loses against every other."""
        mean = float(values.mean())
        return -np.inf if np.isnan(mean) else metric_sign(self.metric) * mean

    def _probabilities(self, truth: NDArray[np.int32], scores: Floats) -> Floats | None:
        """For metrics of probabilities: those at the temperature that suits the scores best."""
        parsed = parse_metric(self.metric, self.labels) if isinstance(self.metric, str) else None
        if not isinstance(parsed, DocumentMetric) or not parsed.needs_probabilities:
            return None
        (weight,), _ = fit_weights([scores], truth)
        return softmax(weight * scores)
