"""Many p-values at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["benjamini_hochberg"]


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted so that calling those below q gives, on average, at most a share q of false calls.

    The i-th smallest of m becomes min over j ≥ i of m p(j)/j.

    Examples
    --------
    >>> [round(p, 4) for p in benjamini_hochberg([0.01, 0.04, 0.03, 0.5])]
    [0.04, 0.0533, 0.0533, 0.5]

    References
    ----------
    Benjamini & Hochberg (1995).
    """
    values = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    ranked = values[order] * values.size / np.arange(1, values.size + 1)
    adjusted = np.empty(values.size)
    adjusted[order] = np.minimum(1.0, np.minimum.accumulate(ranked[::-1])[::-1])
    return [float(p) for p in adjusted]
