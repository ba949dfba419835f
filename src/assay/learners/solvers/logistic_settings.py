"""Settings of a logistic regression; `LogisticRegression` explains them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

__all__ = ["USUAL_ITERATIONS", "Descent", "LogisticSettings"]

USUAL_ITERATIONS = 100


@dataclass(frozen=True, slots=True)
class Descent:
    """How stochastic gradient descent goes about it."""

    learning_rate: Literal["constant", "invscaling", "adagrad", "adam"]
    eta0: float
    power_t: float
    batch_size: int  # 0 for all examples
    shuffle: bool
    validation_fraction: float  # 0 to watch the gradient
    n_iter_no_change: int


@dataclass(frozen=True, slots=True)
class LogisticSettings:
    """What is minimised, and how."""

    C: float = 1.0  # inf for no penalty
    l1_ratio: float = 0.0
    solver: str = "auto"  # "dual", "newton", "coordinate", or "auto" for a choice by shape
    joint: bool = True  # more than two classes: softmax, or each against the rest
    intercept_scale: float = 0.0  # above 0 for a penalised intercept, 0 for a free one, -1 for none
    tolerance: float = 1e-4
    max_iterations: int = USUAL_ITERATIONS
    descent: Descent | None = None  # instead of a solver
    prune: float | None = None  # weights nearer to 0 than this are dropped, and the others listed

    @property
    def penalised(self) -> bool:
        """Whether there is a penalty."""
        return bool(np.isfinite(self.C))

    @property
    def loss_weight(self) -> float:
        """What the losses are multiplied by; without a penalty it is free."""
        return self.C if self.penalised else 1.0

    def is_multinomial(self, n_classes: int) -> bool:
        """Whether the probabilities are a softmax."""
        return self.joint and n_classes > 2
