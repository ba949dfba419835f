"""Passes over examples that learn from mistakes, and the averaged perceptron's weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.errors import DataError
from assay.learners.solvers.examples import Examples
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.learned_state import PassedRows
from assay.learners.solvers.solution import Solution
from assay.memory_room import require_room_for_weights

__all__ = ["AveragedPerceptronSettings", "AveragedWeights", "fit_averaged_perceptron", "run_epoch", "run_epochs"]

Floats = NDArray[np.float64]

#: Presents rows in an order, and tells the number of mistakes.
Learn = Callable[[Examples, NDArray[np.int64]], int]


@dataclass(frozen=True, slots=True)
class AveragedPerceptronSettings:
    """Settings of the averaged perceptron; `AveragedPerceptron` explains them."""

    epochs: int = 10
    average: Literal["examples", "updates"] = "examples"
    fit_intercept: bool = True
    shuffle: bool = True


@dataclass
class AveragedWeights:
    """The weights after the last update, and Σ (clock at the update)·(change): mean = last - sums / clock."""

    last: Floats  # (n_features, n_outputs)
    last_intercept: Floats
    sums: Floats
    intercept_sums: Floats
    clock: float = 0.0

    @classmethod
    def zeros(cls, n_features: int, n_outputs: int) -> AveragedWeights:
        """Where learning begins."""
        require_room_for_weights(n_features, n_outputs, 16)
        shape = n_features, n_outputs
        return cls(np.zeros(shape), np.zeros(n_outputs), np.zeros(shape), np.zeros(n_outputs))

    def learn(self, examples: Examples, order: NDArray[np.int64], settings: AveragedPerceptronSettings) -> int:
        """Present the rows in `order`, and return the number of mistakes."""
        mistakes, self.clock = _native.averaged_perceptron_epoch(
            *examples.arrays,
            order,
            settings.fit_intercept,
            self.last,
            self.last_intercept,
            self.sums,
            self.intercept_sums,
            self.clock,
            settings.average == "updates",
            examples.label_offsets,
        )
        return int(mistakes)

    def mean(self) -> Solution:
        """The mean of all the weights so far, in double."""
        clock = self.clock or 1.0  # no update: nothing to average but zeros
        return Solution(
            self.last - self.sums / clock, self.last_intercept - self.intercept_sums / clock, converged=True
        )


def fit_averaged_perceptron(rows: LabelledRows, settings: AveragedPerceptronSettings) -> Solution:
    """Pass over the rows until a pass makes no mistake, or `epochs` times."""
    examples = Examples.prepare(rows, shuffle=settings.shuffle)
    weights = AveragedWeights.zeros(rows.X.shape[1], rows.n_outputs)
    mistakes = run_epochs(
        lambda some, order: weights.learn(some, order, settings), examples, rows.seed, settings.epochs
    )
    solution = weights.mean()
    solution.of_sets = rows.have_sets
    if not rows.have_sets:
        solution.state = PassedRows(weights, len(mistakes))
    return solution


def run_epochs(learn: Learn, examples: Examples, seed: int, most: int, first: int = 0) -> list[int]:
    """Epochs until one passes without a mistake, `most` of them at most; returns the mistakes of each."""
    mistakes: list[int] = []
    while len(mistakes) < most and (not mistakes or mistakes[-1] > 0):
        mistakes.append(run_epoch(learn, examples, seed, first + len(mistakes)))
    return mistakes


def run_epoch(learn: Learn, examples: Examples, seed: int, epoch: int) -> int:
    """One pass, in the order that the seed has for this epoch."""
    try:
        return learn(examples, examples.order(seed, epoch))
    except OverflowError as error:
        raise DataError(
            f"{error} is no longer a finite number: the values in X are too large to be added up. Scale X, for example "
            "to rows of length 1."
        ) from None
