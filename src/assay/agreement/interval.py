"""Intervals of coefficients of agreement, by leaving out one text after the other.

With d = 1 - coefficient, the disagreement as a part of what chance would make, log d is nearly normal where a handful
of texts disagree: its spread is that of the jackknife over texts, and the interval d · exp(± t · spread) never says
more than perfect agreement. Simulations (`benchmarks/agreement.py`) show where it holds; elsewhere it is withheld.
"""

from __future__ import annotations

from math import isnan

import numpy as np

from assay.agreement.coefficients import Coefficient
from assay.evaluation.uncertainty.estimate import Estimate

__all__ = ["FEWEST_TEXTS", "FEWEST_VARIED", "with_interval"]

FEWEST_TEXTS = 20
FEWEST_VARIED = 5  # texts of which another value than the commonest was said: chance is reckoned from them


def with_interval(found: Coefficient, level: float = 0.95) -> Estimate:
    """The coefficient with its interval, or with the reason why it has none.

    Examples
    --------
    >>> from assay.agreement.coefficients import cohen
    >>> from assay.agreement.ratings import Ratings
    >>> first, second = list("ab" * 30), list("ab" * 24 + "bbabaabababa")
    >>> print(with_interval(cohen(Ratings.of_columns([first, second]))))
    0.733 [0.463, 0.868]
    """
    value = found.value if found.counts.size else float("nan")
    if isnan(value):
        return Estimate(value, reason="one label was said throughout, so that chance alone explains all agreement")
    n, apart = int(found.counts.sum()), int(found.counts[found.disagreed].sum())
    if n < FEWEST_TEXTS:
        return Estimate(value, reason=f"{n} texts that were labelled twice are too few for an interval")
    if not apart:
        return Estimate(value, reason="no text shows a disagreement, so nothing shows how often there would be one")
    if apart == n:
        return Estimate(value, reason="every text shows a disagreement, so nothing shows how often there would be none")
    varied = int(found.counts[found.varied].sum())
    if varied < FEWEST_VARIED:
        return Estimate(value, reason=f"in all but {varied} of {n} texts nothing but one label was said")
    from scipy.stats import t

    left_out = found.counts - np.eye(len(found.counts))
    distances = np.log(np.maximum(1 - found.of(left_out), 1e-12))
    if not np.isfinite(distances).all():
        return Estimate(value, reason="it hangs on a single text: without it, one label was said throughout")
    share = found.counts / n
    mean = float(share @ distances)
    spread = float(np.sqrt((n - 1) * (share @ (distances - mean) ** 2)))
    reach = float(t.ppf(0.5 + level / 2, n - 1)) * spread
    apart_by = np.log(1 - value)
    low, high = 1 - np.exp(apart_by + reach), 1 - np.exp(apart_by - reach)
    return Estimate(value, max(float(low), -1.0), float(high), "jackknife")
