"""Differences between groups of probe sentences, within units, with intervals and paired tests."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from numpy.typing import NDArray

from assay.audit.people.probes import Probe
from assay.evaluation.uncertainty.estimate import Estimate

__all__ = ["Gap", "group_gaps"]

Floats = NDArray[np.float64]
_FEWEST_TERMS = 3  # of each group, to ask whether other terms would give the same
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Gap:
    """How a group fares against the others in the same units.

    Attributes
    ----------
    mean, other_mean
        Over units.
    difference
        mean - other_mean, with a t interval over units.
    p_units
        Paired t test over units: would it show in other sentences with these terms?
    p_terms
        t test over terms: would it show for other terms of these groups? NaN where groups have too few.
    error
        The larger of the standard errors of the two tests.
    """

    group: str
    against: str
    mean: float
    other_mean: float
    difference: Estimate
    p_units: float
    p_terms: float
    n_units: int
    n_terms: int
    error: float

    def detectable(self, alpha: float, least: float = 0.0, power: float = 0.8) -> float:
        """The true difference of which such sentences show one that is clear and large with this chance.

        Clear: its p-value is below alpha, which is so from t_{1 - α/2} errors on. Large: it is `least` or more. A true
        difference of just that size shows as a smaller one every other time, so t_power errors are added to either.
        """
        from scipy.special import stdtrit

        degrees = self.n_units - 1 if np.isnan(self.p_terms) else self.n_terms - 1
        clear = float(stdtrit(degrees, 1 - alpha / 2)) * self.error
        return max(clear, least) + float(stdtrit(degrees, power)) * self.error

    @property
    def p_value(self) -> float:
        """The larger of the two: a gap has to hold for other sentences and for other terms."""
        return self.p_units if np.isnan(self.p_terms) else max(self.p_units, self.p_terms)


def group_gaps(values: Floats, probe: Probe, level: float = 0.95, rows: NDArray[np.bool_] | None = None) -> list[Gap]:
    """The gap of every group against all others; of two groups, of the first against the second.

    Parameters
    ----------
    values
        One number a sentence.
    probe
        The sentences.
    level
        Coverage of the intervals.
    rows
        Sentences to look at; None for all.
    """
    keep = np.ones(len(values), bool) if rows is None else rows
    n_units, n_groups = len(probe.units), len(probe.groups)
    means = _means(values[keep], probe.unit[keep] * n_groups + probe.group[keep], n_units * n_groups)
    by_group = means.reshape(n_units, n_groups)
    centred = values - _means(values[keep], probe.unit[keep], n_units)[probe.unit]
    term_means = _means(centred[keep], probe.term[keep], len(probe.terms))
    found = []
    for g in range(1 if n_groups == 2 else n_groups):
        others = np.delete(by_group, g, axis=1)
        counts = np.count_nonzero(~np.isnan(others), axis=1)
        rest = np.where(counts > 0, np.nansum(others, axis=1) / np.maximum(counts, 1), nan)
        both = ~np.isnan(by_group[:, g]) & ~np.isnan(rest)
        if both.sum() < 2:
            continue
        own, other = by_group[both, g], rest[both]
        estimate, p_units = paired_t(own - other, level)
        against = probe.groups[1] if n_groups == 2 else "the others"
        p_terms, n_terms, error_terms = _p_terms(term_means, probe, g)
        error = max(error_terms, float((own - other).std(ddof=1)) / sqrt(own.size))
        found.append(
            Gap(
                probe.groups[g],
                against,
                float(own.mean()),
                float(other.mean()),
                estimate,
                p_units,
                p_terms,
                int(both.sum()),
                n_terms,
                error,
            )
        )
    return found


def paired_t(differences: Floats, level: float) -> tuple[Estimate, float]:
    """Mean with its t interval, and the two-sided p-value of 0."""
    from scipy.special import stdtr, stdtrit

    n, mean = differences.size, float(differences.mean())
    error = float(differences.std(ddof=1)) / sqrt(n)
    half = float(stdtrit(n - 1, 0.5 + level / 2)) * error
    estimate = Estimate(mean, mean - half, mean + half, "paired t")
    if abs(mean) < _ROUNDING:
        return estimate, 1.0
    return estimate, 0.0 if error < _ROUNDING else float(2 * stdtr(n - 1, -abs(mean / error)))


def _means(values: Floats, index: NDArray[np.intp], size: int) -> Floats:
    """Mean of the values at each index; NaN where there are none."""
    counts = np.bincount(index, minlength=size)
    sums = np.bincount(index, values, size)
    return np.where(counts > 0, sums / np.maximum(counts, 1), nan)


def _p_terms(term_means: Floats, probe: Probe, g: int) -> tuple[float, int, float]:
    """T test over means of terms, paired where they correspond, else Welch's; how many terms; the standard error."""
    from scipy.special import stdtr

    of_group = probe.term_groups
    known = ~np.isnan(term_means)
    own, other = term_means[(of_group == g) & known], term_means[(of_group != g) & known]
    sizes = [int(((of_group == k) & known).sum()) for k in range(len(probe.groups))]
    if min(size for size in sizes if size) < _FEWEST_TERMS or own.size < _FEWEST_TERMS:
        return nan, int(own.size), 0.0
    if probe.pairs and len(set(sizes)) == 1:
        places = probe.places
        others = [term_means[(of_group != g) & (places == place)].mean() for place in places[of_group == g]]
        differences = own - np.array(others)
        return paired_t(differences, 0.95)[1], int(own.size), float(differences.std(ddof=1)) / sqrt(own.size)
    a, b = own.var(ddof=1) / own.size, other.var(ddof=1) / other.size
    if a + b < _ROUNDING**2:
        return (1.0 if abs(own.mean() - other.mean()) < _ROUNDING else 0.0), int(own.size), 0.0
    degrees = (a + b) ** 2 / (a**2 / (own.size - 1) + b**2 / (other.size - 1))
    return float(2 * stdtr(degrees, -abs(own.mean() - other.mean()) / sqrt(a + b))), int(own.size), sqrt(a + b)
