"""What a learner goes on from when more rows come, beside its weights: these alone do not say it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from assay.learners.solvers.averaged_perceptron import AveragedWeights
    from assay.learners.solvers.class_counts import ClassCounts

__all__ = ["CountedRows", "LearnedState", "PassedRows"]


@dataclass(frozen=True, eq=False)
class CountedRows:
    """Naive Bayes: the sums of the features by class, and how much the rows of each class count together."""

    counts: ClassCounts
    class_sizes: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PassedRows:
    """The averaged perceptron: all of its weights, and how often it has passed over the rows."""

    weights: AveragedWeights
    passes: int


LearnedState = CountedRows | PassedRows
