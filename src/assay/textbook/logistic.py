"""Logistic regression: a linear score, squashed into a probability, learned by gradient descent.

    probability   ŷ = σ(w · x + b)
    cost          the mean over a batch of  -[y ln ŷ + (1 - y) ln(1 - ŷ)],  plus  l2 · Σ wⱼ² + l1 · Σ |wⱼ|
    gradient      ∂cost/∂wⱼ = mean of (ŷ - y) xⱼ, plus 2 · l2 · wⱼ         ∂cost/∂b = mean of (ŷ - y)
    update        w = w - η · gradient,  b = b - η · gradient

One example a batch is stochastic gradient descent, all examples batch training, anything between mini-batch
training. The penalties never touch the bias. |w| has no slope at zero, so L1 moves each weight η · l1 towards
zero and stops there: weights become exactly 0.

References
----------
Jurafsky & Martin, *Speech and Language Processing*, chapter 4: equations 4.5, 4.26, 4.28, 4.31, Figure 4.5
and section 4.14 (regularization); Surdeanu & Valenzuela-Escárcega, Algorithms 4 and 5 (where η is called α).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from assay.textbook.arithmetic import add, dot, mean, norm
from assay.textbook.inputs import (
    Label,
    Points,
    Vector,
    as_count,
    as_labels,
    as_not_negative,
    as_points,
    as_positive,
    two_classes,
)
from assay.textbook.linear import BinaryLinear
from assay.textbook.logistic_functions import cross_entropy, sigmoid
from assay.textbook.steps import Step, Steps, finish

__all__ = ["LogisticRegression", "batches", "logistic_regression", "logistic_regression_steps", "shrink"]


@dataclass(frozen=True)
class LogisticRegression(BinaryLinear):
    """A hyperplane whose score is a log odds."""

    def probability(self, x: Vector) -> float:
        """Give P(y = positive | x)."""
        return sigmoid(self.score(x))


def logistic_regression_steps(
    X: Points,
    y: Iterable[Any],
    positive: Label | None = None,
    rate: float = 0.1,
    epochs: int = 10,
    batch_size: int | None = 1,
    l1: float = 0.0,
    l2: float = 0.0,
    seed: int | None = None,
    tolerance: float = 0.0,
) -> Steps[LogisticRegression]:
    """Learn from one batch after the other; see `logistic_regression`."""
    points = as_points(X)
    classes = two_classes(as_labels(y, len(points)), "Logistic regression", positive)
    truth = [1 if sign > 0 else 0 for sign in classes.signs]
    as_positive(rate, "rate")
    as_not_negative(l1, "l1")
    as_not_negative(l2, "l2")
    w, b = [0.0] * len(points[0]), 0.0
    for number, (epoch, batch) in enumerate(batches(len(points), epochs, batch_size, seed), start=1):
        y_hat = [sigmoid(dot(w, points[i]) + b) for i in batch]
        loss = sum(cross_entropy(p, truth[i]) for p, i in zip(y_hat, batch, strict=True)) / len(batch)
        errors = [p - truth[i] for p, i in zip(y_hat, batch, strict=True)]
        gradient_w = mean([[error * x for x in points[i]] for error, i in zip(errors, batch, strict=True)])
        gradient_w = add(gradient_w, w, times=2 * l2)  # the slope of l2 · Σ wⱼ²
        gradient_b = sum(errors) / len(batch)
        w = shrink(add(w, gradient_w, times=-rate), by=rate * l1)
        b = b - rate * gradient_b
        size = norm([*gradient_w, gradient_b])
        yield Step(
            number,
            seen=" ".join(f"#{i + 1}" for i in batch) if len(batch) <= 6 else f"{len(batch)} examples",
            score=y_hat[0] if len(batch) == 1 else None,
            decision=str(classes.name(y_hat[0] - 0.5)) if len(batch) == 1 else f"{len(batch)} probabilities",
            update=f"{rate:g} × gradient",
            parameters={"w": w, "b": b},
            why=f"ŷ - y = {errors[0]:+.4g}" if len(batch) == 1 else f"mean ŷ - y = {gradient_b:+.4g}",
            right=(y_hat[0] > 0.5) == (truth[batch[0]] == 1) if len(batch) == 1 else None,
            loss=loss,
            epoch=epoch,
        )
        if size < tolerance:
            break
    return LogisticRegression(tuple(w), b, classes.positive, classes.negative)


def logistic_regression(
    X: Points,
    y: Iterable[Any],
    positive: Label | None = None,
    rate: float = 0.1,
    epochs: int = 10,
    batch_size: int | None = 1,
    l1: float = 0.0,
    l2: float = 0.0,
    seed: int | None = None,
    tolerance: float = 0.0,
) -> LogisticRegression:
    """Fit a probability to two classes.

    Parameters
    ----------
    X
        One example a row.
    y
        One of two labels an example.
    positive
        The label that is 1; by default the one that is usually meant by it.
    rate
        The learning rate η.
    epochs
        Passes over the data.
    batch_size
        How many examples make one update; None for all of them.
    l1, l2
        How much large weights cost.
    seed
        Shuffles the examples before each epoch; None leaves them as they stand.
    tolerance
        Stop when a batch's gradient is shorter than this.

    Examples
    --------
    >>> model = logistic_regression([[3, 2]], [1], rate=0.1, epochs=1)
    >>> [round(value, 2) for value in (*model.w, model.b)]
    [0.15, 0.1, 0.05]
    """
    return finish(logistic_regression_steps(X, y, positive, rate, epochs, batch_size, l1, l2, seed, tolerance))


def batches(n: int, epochs: int, batch_size: int | None, seed: int | None) -> Iterator[tuple[int, list[int]]]:
    """Give the examples of each batch with its epoch; the last batch of an epoch may be smaller."""
    size = n if batch_size is None else as_count(batch_size, "batch_size")
    shuffler = random.Random(seed)
    for epoch in range(1, as_count(epochs, "epochs") + 1):
        order = list(range(n))
        if seed is not None:
            shuffler.shuffle(order)
        for start in range(0, n, size):
            yield epoch, order[start : start + size]


def shrink(w: Sequence[float], by: float) -> list[float]:
    """Move each weight towards zero, and no further than zero.

    Examples
    --------
    >>> shrink([0.5, -0.5, 0.1], by=0.2)
    [0.3, -0.3, 0.0]
    """
    return [math.copysign(max(abs(value) - by, 0.0), value) + 0.0 for value in w]
