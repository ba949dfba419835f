"""Weights of classes: by label, balanced, or none; checked once, against the labels that there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.suggest import nearest_first, quote, quoted
from assay.wording import learner_parameter, parameter

__all__ = ["ClassWeight", "class_factors", "resolved_class_weight"]

#: One factor a class, or "balanced" for what the rows say, or None for all alike.
ClassWeight = NDArray[np.float64] | Literal["balanced"] | None


def resolved_class_weight(
    class_weight: Mapping[Any, float] | str | None, labels: Sequence[Any], owner: str
) -> ClassWeight:
    """Factors in the order of the labels, from a mapping of labels; `owner` is whose setting it is."""
    if class_weight is None:
        return None
    if isinstance(class_weight, str) and class_weight == "balanced":
        return "balanced"
    if not isinstance(class_weight, Mapping):
        raise ParameterError(
            f"{learner_parameter('class_weight', of=owner)} must be None, 'balanced' or a dict from label to weight. "
            f"Got {class_weight!r} instead."
        )
    strangers = [label for label in class_weight if label not in set(labels)]
    # Extra labels are harmless once every class has its weight, as in a fold that misses a class.
    if strangers and not set(labels) <= set(class_weight):
        known = quoted(nearest_first(str(strangers[0]), map(str, labels)))
        raise ParameterError(
            f"{parameter('class_weight')} names the label {quote(strangers[0])}, which the data does not have. Labels "
            f"are {known}."
        )
    factors = np.array([float(class_weight.get(label, 1.0)) for label in labels])
    if (bad := ~(np.isfinite(factors) & (factors >= 0))).any():
        label = labels[int(np.argmax(bad))]
        raise ParameterError(
            f"{parameter('class_weight')} gives the label {quote(label)} the weight {quote(class_weight[label])}. A "
            "weight is a finite number of 0 or more."
        )
    return factors


def class_factors(
    class_weight: ClassWeight, totals: NDArray[np.float64], of_all: float | None = None
) -> NDArray[np.float64]:
    """The factor of each class, of which the rows weigh `totals`; balanced: all / (n_classes · that of the class).

    Where a row may have several classes, all rows weigh `of_all`. Each class is then a problem of its own, which rows
    have it, and balanced is what makes the two sides weigh the same: those without / those with.

    Examples
    --------
    >>> class_factors("balanced", np.array([30.0, 10.0])).round(3).tolist()
    [0.667, 2.0]
    >>> class_factors("balanced", np.array([30.0, 10.0]), of_all=60.0).tolist()
    [1.0, 5.0]
    """
    if class_weight is None:
        return np.ones(len(totals))
    if not isinstance(class_weight, str):
        return class_weight
    factors = np.zeros(len(totals))
    if of_all is not None:
        np.divide(of_all - totals, totals, out=factors, where=totals > 0)
        return factors
    np.divide(totals.sum(), len(totals) * totals, out=factors, where=totals > 0)
    return factors
