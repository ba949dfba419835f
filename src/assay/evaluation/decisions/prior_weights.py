"""A decision rule with one number to choose: how far the classes' shares are taken back.

The most probable label is the best answer where every mistake costs the same, and then a rare class is hardly ever
said. Here a class is weighed by its share to the power of -τ, which adds -τ log(share) to its log-probability: τ = 0 is
the most probable label, τ = 1 the likeliest label if all classes were equally frequent. One number is chosen for all
classes, because a rare class has too few texts to choose a number for it alone.

References
----------
Menon et al. (2021), Long-tail learning via logit adjustment.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.decisions.threshold_search import measured_labels, middle_of_best
from assay.evaluation.metrics.catalogue import LabelMetric
from assay.evaluation.metrics.outcomes import Label
from assay.prediction.decision_rule import DecisionRule
from assay.prediction.probabilities import Floats

__all__ = ["choose_prior_weights"]

POWERS = np.linspace(-1.0, 1.5, 51)
WINDOW = 15  # powers: with few texts of a class the metric jumps, and its highest peak is mostly luck


def choose_prior_weights(
    probabilities: Floats, truth: NDArray[np.int32], labels: Sequence[Label], metric: LabelMetric
) -> DecisionRule:
    """The rule with the largest metric: a threshold for two labels, a weight for each of more.

    Parameters
    ----------
    probabilities
        (n, n_labels), of documents that the model was not trained on.
    truth
        True class index of each.
    labels
        Order of the columns.
    metric
        To be made as large as possible, as a mean over neighboring powers; of equals, the power in the middle of the
        longest run is taken.

    Examples
    --------
    >>> from assay.evaluation.metrics.catalogue import parse_metric
    >>> spam = np.array([0.1, 0.1, 0.1, 0.1, 0.2, 0.1, 0.3, 0.4])
    >>> truth = np.array([0, 0, 0, 0, 0, 0, 1, 1], dtype=np.int32)
    >>> metric = parse_metric("macro_f1", ("ham", "spam"))
    >>> rule = choose_prior_weights(np.column_stack([1 - spam, spam]), truth, ("ham", "spam"), metric)
    >>> rule.kind, rule.predict([[0.75, 0.25]]).tolist()
    ('threshold', ['spam'])
    """
    shares = np.maximum(np.bincount(truth, minlength=len(labels)), 1) / truth.size
    logs = np.log(np.maximum(probabilities.T, 1e-300))  # (n_labels, n)
    steps = np.log(shares)[:, None]
    predicted = (logs - POWERS[0] * steps).argmax(axis=0)
    # A class's line over the powers that is the highest at both ends is the highest between them: few texts change.
    changing = np.flatnonzero(predicted != (logs - POWERS[-1] * steps).argmax(axis=0))
    of_changing = np.ascontiguousarray(logs[:, changing])
    values = np.empty(POWERS.size)
    for k, power in enumerate(POWERS):
        predicted[changing] = (of_changing - power * steps).argmax(axis=0)
        values[k] = measured_labels(truth, predicted, metric, len(labels))
    weights = shares ** -middle_of_best(_smoothed(values), POWERS)
    weights /= weights.sum()
    if len(labels) == 2:
        return DecisionRule(tuple(labels), "threshold", weights[:1], 1)  # p₁ w₁ ≥ p₀ w₀ where p₁ ≥ w₀ / (w₀ + w₁)
    return DecisionRule(tuple(labels), "weights", weights)


def _smoothed(values: Floats) -> Floats:
    padded = np.pad(values, WINDOW // 2, mode="edge")
    return np.convolve(padded, np.full(WINDOW, 1 / WINDOW), "valid")
