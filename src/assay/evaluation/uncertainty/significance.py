"""Tests of whether one system is better than another on the same documents.

Each test takes δ(x), the lead of the first system, or the counts of documents on which the two differ, and
gives the p-value for one of three alternatives: ``"greater"`` (the first is better), ``"less"`` or
``"two-sided"``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.arguments import in_our_words
from assay.errors import ParameterError
from assay.evaluation.metrics.outcomes import choices
from assay.wording import parameter

__all__ = ["ALTERNATIVES", "bootstrap_p_value", "mcnemar_p_value", "randomization_p_value"]

ALTERNATIVES = ("greater", "less", "two-sided")
_ROUNDING = 1e-12  # δ of equal counts may differ in the last bit

Floats = NDArray[np.float64]


def check_alternative(alternative: str) -> str:
    """Complain about an unknown alternative."""
    if alternative not in ALTERNATIVES:
        raise ParameterError(
            f"{parameter('alternative')} must be one of {choices(alternative, ALTERNATIVES)}. Got {alternative!r} "
            "instead."
        )
    return alternative


def bootstrap_p_value(lead: float, resampled: Floats, alternative: str = "greater") -> float:
    """Share of resamples whose lead is at least twice the observed one: δ(x⁽ⁱ⁾) ≥ 2δ(x).

    Resamples are centred on δ(x), not on 0, so δ(x⁽ⁱ⁾) - δ(x) ≥ δ(x) asks how often chance alone gives such a
    lead. Two-sided: |δ(x⁽ⁱ⁾) - δ(x)| ≥ |δ(x)|. A resample on which the metric is undefined counts as a
    success of chance.

    Examples
    --------
    >>> bootstrap_p_value(0.2, np.array([0.0, -0.1, 0.4, 0.3]))
    0.25

    References
    ----------
    Berg-Kirkpatrick, Burkett & Klein (2012).
    """
    check_alternative(alternative)
    chance = resampled - lead
    if alternative == "two-sided":
        short = np.abs(chance) < abs(lead) - _ROUNDING
    else:
        direction = 1.0 if alternative == "greater" else -1.0
        short = direction * chance < direction * lead - _ROUNDING
    return float(np.mean(~short))


def randomization_p_value(lead: float, shuffled: Floats, alternative: str = "two-sided") -> float:
    """(1 + shuffles whose lead is at least the observed one) / (1 + shuffles).

    References
    ----------
    Noreen (1989).
    """
    check_alternative(alternative)
    if alternative == "two-sided":
        short = np.abs(shuffled) < abs(lead) - _ROUNDING
    else:
        direction = 1.0 if alternative == "greater" else -1.0
        short = direction * shuffled < direction * lead - _ROUNDING
    return float((1 + np.count_nonzero(~short)) / (1 + shuffled.size))


@in_our_words
def mcnemar_p_value(only_first: int, only_second: int, alternative: str = "two-sided", mid_p: bool = False) -> float:
    """Exact test on the documents that one system alone got right.

    If neither is better, each of them is a toss of a fair coin. The mid-p value counts the observed outcome
    half, which takes away most of the exact test's caution.

    Examples
    --------
    >>> round(mcnemar_p_value(4, 2), 4)
    0.6875

    References
    ----------
    McNemar (1947); Fagerland, Lydersen & Laake (2013) for mid-p.
    """
    from scipy.special import bdtr, bdtrc

    check_alternative(alternative)
    n = only_first + only_second
    if n == 0:
        return 1.0

    def upper_tail(successes: int) -> float:
        """P(X ≥ successes), the observed value counted half for mid-p."""
        at_least = 1.0 if successes == 0 else float(bdtrc(successes - 1, n, 0.5))
        exactly = float(bdtr(successes, n, 0.5)) - (0.0 if successes == 0 else float(bdtr(successes - 1, n, 0.5)))
        return at_least - exactly / 2 if mid_p else at_least

    if alternative == "greater":
        return upper_tail(only_first)
    if alternative == "less":
        return upper_tail(only_second)
    return min(1.0, 2 * upper_tail(max(only_first, only_second)))
