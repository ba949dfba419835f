"""The metric that a search compares recipes by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.metrics.catalogue import DocumentMetric, LabelMetric, parse_metric
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.uncertainty.resampling import Cells, Documents, Resampling
from assay.prediction.probabilities import softmax
from assay.training.combination import fit_weights

__all__ = ["Yardstick"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Yardstick:
    """A metric by name, for scores of these labels.

    Examples
    --------
    >>> measure = Yardstick("accuracy", ("neg", "pos"))
    >>> measure(np.array([0, 1, 1], dtype=np.int32), np.array([[1.0, -1], [-2, 2], [1, -1]]))
    0.6666666666666666
    """

    name: str
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        parse_metric(self.name, self.labels)

    def __call__(self, truth: NDArray[np.int32], scores: Floats) -> float:
        """The metric's value; NaN where it is undefined."""
        metric = parse_metric(self.name, self.labels)
        predicted = scores.argmax(axis=1).astype(np.int32)
        once = Resampling(1, threads=1)
        if isinstance(metric, LabelMetric):
            return float(Cells([Outcomes(self.labels, truth, predicted)], [metric], once).observed[0, 0])
        probabilities = self._probabilities(metric, truth, scores)
        outcomes = Outcomes(self.labels, truth, predicted, probabilities, scores)
        return float(Documents([outcomes], [metric], once).observed[0, 0])

    def rank(self, values: Floats) -> float:
        """A number that is greater for what is better; an undefined value loses against every other."""
        mean = float(values.mean())
        return -np.inf if np.isnan(mean) else parse_metric(self.name, self.labels).sign * mean

    def _probabilities(self, metric: DocumentMetric, truth: NDArray[np.int32], scores: Floats) -> Floats | None:
        """For metrics of probabilities: those at the temperature that suits the scores best."""
        if not metric.needs_probabilities:
            return None
        (weight,), _ = fit_weights([scores], truth)
        return softmax(weight * scores)
