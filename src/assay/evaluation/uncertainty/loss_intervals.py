"""Intervals of log loss and Brier score: means of losses of which a few are large.

Hall's transformation takes the skewness γ out of Student's statistic: with a = γ/√n, the ends are
θ̂ - s (3/a)(∛(1 + a(t - a/6)) - 1) at both quantiles t.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.evaluation.metrics.catalogue import DocumentMetric, metric_range
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.uncertainty.intervals import Floats
from assay.evaluation.uncertainty.resampling import Documents, Resampling

__all__ = ["LOSSES", "hall_interval", "loss_intervals"]

LOSSES = ("log_loss", "brier")

# Degrees of freedom of a loss's variance, over those that its kurtosis gives: few large losses raise the mean with the
# variance, and much of that Hall's skewness has taken out. With 1, intervals of heavy tails covered in .97 to .98.
FREEDOM = 2.5


def loss_intervals(
    outcomes: Outcomes, metrics: Sequence[DocumentMetric], plan: Resampling, level: float
) -> dict[str, tuple[float, float]]:
    """Ends of the interval of each mean loss, by its name.

    References
    ----------
    Hall (1992), On the removal of skewness by transformation.
    """
    documents = Documents([outcomes], metrics, plan)
    left_out = documents.left_out()[0][:, 0]
    found = {}
    for m, metric in enumerate(metrics):
        value = float(documents.observed[0, m])
        least, most = metric_range(metric.name)
        low, high = hall_interval(value, left_out[:, m], level, FREEDOM)
        found[metric.name] = max(least, min(low, value)), min(most, max(high, value))
    return found


def hall_interval(value: float, left_out: Floats, level: float, certainty: float = 1.0) -> tuple[float, float]:
    """Ends of the interval of a mean, from its values with one document, or one block of them, left out.

    `certainty` is what the degrees of freedom of its variance are multiplied by.
    """
    from scipy.special import stdtrit

    n = left_out.size
    deviations = left_out.mean() - left_out
    squares = float((deviations**2).sum())
    if squares <= 0:
        return value, value
    spread = np.sqrt((n - 1) / n * squares)
    a = float((deviations**3).sum() / squares**1.5)  # γ/√n
    # The variance of few large values varies more than that of as many alike: as if of 2n/(κ - 1) documents.
    kurtosis = n * float((deviations**4).sum()) / squares**2
    freedom = min(n - 1.0, max(1.0, certainty * 2 * n / max(kurtosis - 1, 1e-9)))
    quantile = float(stdtrit(freedom, 0.5 + level / 2))

    def straightened(t: float) -> float:
        return t if abs(a) < 1e-6 else float(np.cbrt(1 + a * (t - a / 6)) - 1) * 3 / a

    return value - spread * straightened(quantile), value - spread * straightened(-quantile)
