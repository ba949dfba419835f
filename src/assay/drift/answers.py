"""Whether the model answers new texts as it answered those of before: which labels it gives, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.prediction.probabilities import Floats

__all__ = ["LabelTest", "SurenessTest", "compare_given", "compare_sureness"]

_LEAST_EXPECTED = 5  # texts in a cell of the table that is tested; rarer labels are taken together


@dataclass(frozen=True)
class LabelTest:
    """How the labels that are given have changed.

    Attributes
    ----------
    before, new
        Share of each label.
    distance
        Half the sum of the differences: which share of the texts would have to change its label.
    p_value
        Pearson's χ² of both counts, rare labels taken together.
    could_be_seen
        Change of the commonest label's share that would have been found in four of five cases.
    """

    before: Floats
    new: Floats
    distance: float
    p_value: float
    could_be_seen: float


def compare_given(before: NDArray[np.int64], new: NDArray[np.int64]) -> LabelTest:
    """Test whether labels are given as often as before, from the counts of each.

    Examples
    --------
    >>> found = compare_given(np.array([500, 300, 200]), np.array([100, 60, 40]))
    >>> found.distance, round(found.p_value, 3)
    (0.0, 1.0)
    """
    from scipy.stats import chi2_contingency

    shares = [counts / counts.sum() for counts in (before, new)]
    together = before + new
    expected = together * min(before.sum(), new.sum()) / together.sum()
    rare = expected < _LEAST_EXPECTED
    table = np.array([before, new])
    grouped = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)])
    grouped = grouped[:, grouped.sum(axis=0) > 0]
    p_value = 1.0 if grouped.shape[1] < 2 else float(chi2_contingency(grouped, correction=False).pvalue)
    most = float(shares[0].max())
    seen = (1.96 + 0.84) * float(np.sqrt(max(most * (1 - most), 0.01) * (1 / before.sum() + 1 / new.sum())))
    distance = float(np.abs(shares[1] - shares[0]).sum() / 2)
    return LabelTest(shares[0], shares[1], distance, p_value, min(seen, 1.0))


@dataclass(frozen=True)
class SurenessTest:
    """How sure the model is of its answers, on average, before and now.

    Attributes
    ----------
    before, new
        Mean probability of the given label.
    p_value
        Of less sure answers than before: Mann and Whitney's test, one-sided. Models of folds have learned from
        fewer texts than the whole model, which is surer for that alone.
    could_be_seen
        Change of the mean that would have been found in four of five cases.
    """

    before: float
    new: float
    p_value: float
    could_be_seen: float


def compare_sureness(before: Floats, new: Floats, n_before: int) -> SurenessTest:
    """Test whether the model is less sure than before.

    Parameters
    ----------
    before
        Probabilities of the labels that texts of before were given, or their quantiles.
    new
        Those of new texts.
    n_before
        How many texts of before there were.
    """
    from scipy.stats import mannwhitneyu

    shown = np.interp((np.arange(n_before) + 0.5) / n_before, np.linspace(0, 1, before.size), np.sort(before))
    p_value = (
        float(mannwhitneyu(new, shown, alternative="less", method="asymptotic").pvalue)
        if np.ptp(np.r_[shown, new]) > 0
        else 1.0
    )
    spread = float(np.sqrt(shown.var() / n_before + new.var() / new.size))
    return SurenessTest(float(shown.mean()), float(new.mean()), p_value, (1.645 + 0.84) * spread)
