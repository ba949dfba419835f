"""The support vector machine: of all hyperplanes that separate, the one with the widest street.

    distance      of a point to the hyperplane  |w · x + b| / ‖w‖
    margin        1 / ‖w‖ on each side, when the nearest points, the support vectors, score exactly ±1
    hinge loss    max(0, 1 - y (w · x + b))                      y is +1 or -1; zero outside the street
    cost          ½ ‖w‖² + C Σ hinge                             C: what it costs to stand in the street
    sub-gradient  w - C Σ y x  and  - C Σ y,  the sums over the points with y (w · x + b) < 1
    update        step t goes the length rate / √t against the sub-gradient, in w and b together

The hinge has a kink, so a step may go uphill: the best weights so far are kept and returned. Steps that get
shorter, but not too fast, come as near to the lowest cost as one likes.

References
----------
Zhang, *Natural Language Processing*, chapter 3.1.4 (distance, margin) and 3.3.4 (slack, hinge); McDonald,
*Classification* (AthNLP 2024), "Support vector machines" (sub-gradient: a perceptron with a margin).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from assay.textbook.arithmetic import add, dot, norm
from assay.textbook.inputs import (
    InputError,
    Label,
    Points,
    Vector,
    as_count,
    as_labels,
    as_points,
    as_positive,
    two_classes,
)
from assay.textbook.linear import BinaryLinear
from assay.textbook.steps import Step, Steps, finish

__all__ = ["LinearSVM", "distance_to_hyperplane", "hinge_loss", "linear_svm", "linear_svm_steps", "margin"]


@dataclass(frozen=True)
class LinearSVM(BinaryLinear):
    """A hyperplane with a street around it.

    Parameters
    ----------
    cost
        ½ ‖w‖² + C Σ hinge on the training data.
    support_vectors
        The numbers, from 0, of the examples on the street's edge or inside: y (w · x + b) ≤ 1, up to a
        twentieth.
    """

    cost: float = 0.0
    support_vectors: tuple[int, ...] = ()

    @property
    def margin(self) -> float:
        """Half the width of the street."""
        return margin(self.w)


def hinge_loss(score: float, sign: int) -> float:
    """Give max(0, 1 - y · score): nothing for a point that is right by 1 or more.

    Examples
    --------
    >>> hinge_loss(2.0, +1), hinge_loss(0.25, +1), hinge_loss(0.25, -1)
    (0.0, 0.75, 1.25)
    """
    return max(0.0, 1 - sign * score)


def margin(w: Vector) -> float:
    """Give 1 / ‖w‖.

    Examples
    --------
    >>> margin([3, 4])
    0.2
    """
    if not norm(w):
        raise InputError("Every weight is 0: there is no hyperplane, so no margin.")
    return 1 / norm(w)


def distance_to_hyperplane(x: Vector, w: Vector, b: float) -> float:
    """Give |w · x + b| / ‖w‖.

    Examples
    --------
    >>> distance_to_hyperplane([0, 0], w=[3, 4], b=10)
    2.0
    """
    return abs(dot(w, x) + b) * margin(w)


def linear_svm_steps(
    X: Points,
    y: Iterable[Any],
    positive: Label | None = None,
    C: float = 1.0,
    rate: float = 1.0,
    iterations: int = 100,
) -> Steps[LinearSVM]:
    """Take one sub-gradient step after the other; see `linear_svm`."""
    points = as_points(X)
    classes = two_classes(as_labels(y, len(points)), "The support vector machine", positive)
    as_positive(C, "C")
    as_positive(rate, "rate")
    w, b = [0.0] * len(points[0]), 0.0
    best_cost, best_w, best_b = _cost(points, classes.signs, w, b, C), w, b
    for t in range(1, as_count(iterations, "iterations") + 1):
        gradient_w, gradient_b, inside = w, 0.0, []
        for i, (x, sign) in enumerate(zip(points, classes.signs, strict=True)):
            if sign * (dot(w, x) + b) < 1:
                inside.append(i)
                gradient_w = add(gradient_w, x, times=-C * sign)
                gradient_b = gradient_b - C * sign
        length = norm([*gradient_w, gradient_b])
        if length:
            step_size = rate / math.sqrt(t) / length
            w = add(w, gradient_w, times=-step_size)
            b = b - step_size * gradient_b
        cost = _cost(points, classes.signs, w, b, C)
        if cost < best_cost:
            best_cost, best_w, best_b = cost, w, b
        yield Step(
            t,
            seen=f"{len(points)} points",
            score=cost,
            decision=_names(inside) or "nobody",
            update="none" if not length else "move and widen" if inside else "widen",
            parameters={"w": w, "b": b, "margin": margin(w) if any(w) else math.inf},
            why="no slope: done" if not length else "best so far" if cost == best_cost else "not the best",
            loss=cost,
        )
        if not length:
            break
    support = tuple(i for i, x in enumerate(points) if classes.signs[i] * (dot(best_w, x) + best_b) <= 1.05)
    return LinearSVM(tuple(best_w), best_b, classes.positive, classes.negative, best_cost, support)


def linear_svm(
    X: Points,
    y: Iterable[Any],
    positive: Label | None = None,
    C: float = 1.0,
    rate: float = 1.0,
    iterations: int = 100,
) -> LinearSVM:
    """Find the hyperplane with the widest margin, at a price for the points inside.

    Parameters
    ----------
    X
        One example a row.
    y
        One of two labels an example.
    positive
        The label that is +1; by default the one that is usually meant by it.
    C
        The price of slack: larger means a narrower street with fewer points inside.
    rate
        The length of the first step; step t has the length rate / √t.
    iterations
        How many steps to take.

    Examples
    --------
    >>> model = linear_svm([[-1], [1]], ["-", "+"], C=10, iterations=1000)
    >>> round(model.w[0], 2), round(model.b, 2), round(model.margin, 2)
    (1.0, 0.0, 1.0)
    """
    return finish(linear_svm_steps(X, y, positive, C, rate, iterations))


def _cost(points: Points, signs: Iterable[int], w: Vector, b: float, C: float) -> float:
    slack = sum(hinge_loss(dot(w, x) + b, sign) for x, sign in zip(points, signs, strict=True))
    return 0.5 * dot(w, w) + C * slack


def _names(examples: list[int]) -> str:
    return " ".join(f"#{i + 1}" for i in examples[:6]) + (" …" if len(examples) > 6 else "")
