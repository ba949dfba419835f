"""p-values adjusted for their number.

Each adjusted value lies between its p-value and 1, a larger p-value never has a smaller adjusted one, and Benjamini and
Hochberg's values are nowhere above Holm's. That holds to the last bit on every processor: a p-value is multiplied once,
by a factor that is at least 1 after rounding too, and in both exactly 1 for the largest and m for the smallest.
"""

from __future__ import annotations

from collections.abc import Sequence

from assay.arguments import in_our_words

__all__ = ["benjamini_hochberg", "holm"]


@in_our_words
def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted so that calling those below α makes a false call with a chance of at most α.

    The i-th smallest of m becomes the max over j ≤ i of (m - j + 1) p(j), at most 1.

    Examples
    --------
    >>> [round(p, 10) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]

    References
    ----------
    Holm (1979).
    """
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = largest
    return adjusted


@in_our_words
def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted so that calling those below q gives, on average, at most a share q of false calls.

    The i-th smallest of m becomes the min over j ≥ i of (m/j) p(j), at most 1.

    Examples
    --------
    >>> [round(p, 4) for p in benjamini_hochberg([0.01, 0.04, 0.03, 0.5])]
    [0.04, 0.0533, 0.0533, 0.5]

    References
    ----------
    Benjamini & Hochberg (1995).
    """
    from scipy.stats import false_discovery_control

    return [float(p) for p in false_discovery_control([float(p) for p in p_values])]
