"""Settings of naive Bayes; the learners of `assay.learners` explain them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["NaiveBayesSettings"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NaiveBayesSettings:
    """What a document is, and how its counts are smoothed.

    Attributes
    ----------
    events
        "multinomial": words drawn from the class; "complement": from everything but the class; "bernoulli": every
        feature is there or not.
    alpha
        Pseudo-count: one number, or one for each feature.
    norm
        Complement: divide the weights of each class by their sum.
    """

    events: Literal["multinomial", "complement", "bernoulli"]
    alpha: Floats
    norm: bool = False
