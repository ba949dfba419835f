"""How many of the new texts the model probably gets right, without a label of theirs.

Of held-out texts it is known which share was right, and how sure the model was. The threshold t that this share of them
was above is carried over: the share of new texts of which the model is surer than t is the expected accuracy. It holds
where sureness means the same for the new texts as it did before; where texts are of kinds that the model never met, it
may be far too high.

References
----------
Garg et al. (2022), average thresholded confidence (ATC).
"""

from __future__ import annotations

import numpy as np

from assay.evaluation.uncertainty.estimate import Estimate
from assay.evaluation.uncertainty.shares import newcombe, share
from assay.prediction.probabilities import Floats

__all__ = ["expected_accuracy"]


def expected_accuracy(before: Floats, right: int, n_before: int, new: Floats, *, level: float) -> Estimate:
    """Of probabilities of given labels before, or their quantiles, and now; `right` of the `n_before` texts were right.

    The interval is that of the difference of two shares around the accuracy of before.

    Examples
    --------
    >>> sureness = np.linspace(0.5, 1, 201)
    >>> print(expected_accuracy(sureness, 800, 1000, np.linspace(0.5, 0.9, 400), level=0.95))
    0.749 [0.673, 0.820]
    """
    accuracy = right / n_before
    threshold = float(np.quantile(before, 1 - accuracy))
    above = int((new >= threshold).sum())
    kept = round(float((before >= threshold).mean()) * n_before)
    moved = newcombe(share(above, new.size, level), share(kept, n_before, level))
    value, low, high = (float(np.clip(accuracy + part, 0, 1)) for part in (moved.value, moved.low, moved.high))
    of_before = share(right, n_before, level)
    low -= accuracy - of_before.low
    high += of_before.high - accuracy
    return Estimate(value, max(0.0, low), min(1.0, high), "of both intervals")
