"""The perceptron: learn from mistakes only.

    decision   Yes if w · x + b > 0, else No (a point exactly on the boundary is No)

    w = 0, b = 0
    repeat until a whole pass makes no mistake
        for each example x with label y
            if the decision is wrong:  w = w + x, b = b + 1   when y is Yes
                                       w = w - x, b = b - 1   when y is No

References
----------
Surdeanu & Valenzuela-Escárcega, section 2.4, Algorithms 1 and 2; Zhang, *Natural Language Processing*,
chapter 3.1.5; Rosenblatt (1958).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from assay.textbook.arithmetic import add, dot
from assay.textbook.inputs import Label, Points, Vector, as_count, as_labels, as_points, two_classes
from assay.textbook.linear import BinaryLinear
from assay.textbook.steps import Step, Steps, finish

__all__ = ["Order", "Perceptron", "decide", "passes", "perceptron", "perceptron_steps"]

Order = Callable[[int], Sequence[int]]
"""Gives for each epoch, from 1, the order in which the examples are seen."""


@dataclass(frozen=True)
class Perceptron(BinaryLinear):
    """A hyperplane and how it was found.

    Parameters
    ----------
    mistakes
        The number of mistakes in each epoch.
    converged
        Whether the last epoch made none: the data is linearly separable, and these parameters separate it.
    """

    mistakes: tuple[int, ...] = ()
    converged: bool = False


def decide(x: Vector, w: Vector, b: float) -> bool:
    """Say Yes above the boundary, No below it and on it (Algorithm 1).

    Examples
    --------
    >>> decide([3], [2], -4), decide([2], [2], -4)
    (True, False)
    """
    return dot(w, x) + b > 0


def perceptron_steps(
    X: Points,
    y: Iterable[Any],
    positive: Label | None = None,
    epochs: int = 100,
    stop_early: bool = True,
    order: Order | None = None,
) -> Steps[Perceptron]:
    """Look at one example after the other; see `perceptron`."""
    points = as_points(X)
    labels = two_classes(as_labels(y, len(points)), "The perceptron", positive)
    w, b = [0.0] * len(points[0]), 0.0
    mistakes: list[int] = []
    number = 0
    for epoch, examples in passes(len(points), epochs, order):
        mistakes.append(0)
        for i in examples:
            number += 1
            x, sign = points[i], labels.signs[i]
            score = dot(w, x) + b
            right = decide(x, w, b) == (sign > 0)
            if not right:
                mistakes[-1] += 1
                w = add(w, x, times=sign)
                b = b + sign
            yield Step(
                number,
                seen=f"#{i + 1}",
                score=score,
                decision=str(labels.name(score)),
                update="none" if right else "add" if sign > 0 else "subtract",
                parameters={"w": w, "b": b},
                why="right: leave it" if right else f"mistake: it is {labels.name(sign)}",
                right=right,
                epoch=epoch,
            )
        if stop_early and not mistakes[-1]:
            break
    return Perceptron(tuple(w), b, labels.positive, labels.negative, tuple(mistakes), mistakes[-1] == 0)


def perceptron(
    X: Points,
    y: Iterable[Any],
    positive: Label | None = None,
    epochs: int = 100,
    stop_early: bool = True,
    order: Order | None = None,
) -> Perceptron:
    """Find a hyperplane between two classes, if there is one.

    Parameters
    ----------
    X
        One example a row.
    y
        One of two labels an example.
    positive
        The label that is Yes; by default the one that is usually meant by it.
    epochs
        Where to stop if there are still mistakes.
    stop_early
        Whether to stop after the first epoch without mistakes.
    order
        The order of the examples in each epoch; by default as they stand.

    Examples
    --------
    >>> model = perceptron([[1], [10], [2], [20]], ["-", "+", "-", "+"])
    >>> model.w, model.b, model.mistakes
    ((2.0,), -4.0, (2, 2, 2, 0))
    """
    return finish(perceptron_steps(X, y, positive, epochs, stop_early, order))


def passes(n_examples: int, epochs: int, order: Order | None) -> Iterator[tuple[int, Sequence[int]]]:
    """Give for each epoch its number and the order in which the examples are seen."""
    for epoch in range(1, as_count(epochs, "epochs") + 1):
        yield epoch, range(n_examples) if order is None else order(epoch)
