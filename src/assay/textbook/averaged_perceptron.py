"""The averaged perceptron: predict with the mean of the weights that learning passed through.

There are two means, and they differ:

    over updates     before each update, add w and b to the totals; divide by the number of updates
                     (the book's Algorithm 3: the last weights are never added, the first zeros are)
    over examples    after each example, add w and b to the totals; divide by the number of examples seen
                     (what is done in practice: weights that live longer weigh more)

References
----------
Surdeanu & Valenzuela-Escárcega, section 2.6, Algorithm 3; Freund & Schapire (1999) for the mean over
examples.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from assay.textbook.arithmetic import add
from assay.textbook.inputs import Label, Points, as_points
from assay.textbook.linear import BinaryLinear
from assay.textbook.perceptron import Order, perceptron_steps
from assay.textbook.steps import Run, Steps, finish

__all__ = [
    "average_over_examples",
    "average_over_examples_steps",
    "average_over_updates",
    "average_over_updates_steps",
]


def average_over_updates_steps(
    X: Points,
    y: Iterable[Any],
    positive: Label | None = None,
    epochs: int = 100,
    stop_early: bool = True,
    order: Order | None = None,
) -> Steps[BinaryLinear]:
    """Show the totals over updates grow; see `average_over_updates`."""
    w, b = [0.0] * len(as_points(X)[0]), 0.0
    total_w, total_b, updates = w, b, 0
    run = Run(perceptron_steps(X, y, positive, epochs, stop_early, order))
    for step in run:
        if not step.right:
            total_w, total_b, updates = add(total_w, w), total_b + b, updates + 1  # w and b before the update
        w, b = step.parameters["w"], step.parameters["b"]
        yield replace(
            step,
            parameters={"w": w, "b": b, "totalW": total_w, "totalB": total_b, "updates": updates},
            why="right: leave it" if step.right else "mistake: add old",
        )
    return _average(total_w, total_b, updates, run.result)


def average_over_examples_steps(
    X: Points,
    y: Iterable[Any],
    positive: Label | None = None,
    epochs: int = 100,
    stop_early: bool = True,
    order: Order | None = None,
) -> Steps[BinaryLinear]:
    """Show the totals over examples grow; see `average_over_examples`."""
    total_w, total_b, examples = [0.0] * len(as_points(X)[0]), 0.0, 0
    run = Run(perceptron_steps(X, y, positive, epochs, stop_early, order))
    for step in run:
        w, b = step.parameters["w"], step.parameters["b"]
        total_w, total_b, examples = add(total_w, w), total_b + b, examples + 1  # w and b after the update
        yield replace(
            step,
            parameters={"w": w, "b": b, "totalW": total_w, "totalB": total_b, "examples": examples},
            why="right: add again" if step.right else "mistake: add new",
        )
    return _average(total_w, total_b, examples, run.result)


def average_over_updates(
    X: Points,
    y: Iterable[Any],
    positive: Label | None = None,
    epochs: int = 100,
    stop_early: bool = True,
    order: Order | None = None,
) -> BinaryLinear:
    """Average the weights that were given up, one for each update: the book's Algorithm 3.

    The parameters are those of `perceptron`.

    Examples
    --------
    >>> model = average_over_updates([[1], [10], [2], [20]], ["-", "+", "-", "+"])
    >>> round(model.w[0] * 6), round(model.b * 6)
    (34, -5)
    """
    return finish(average_over_updates_steps(X, y, positive, epochs, stop_early, order))


def average_over_examples(
    X: Points,
    y: Iterable[Any],
    positive: Label | None = None,
    epochs: int = 100,
    stop_early: bool = True,
    order: Order | None = None,
) -> BinaryLinear:
    """Average the weights after each example: what is done in practice.

    The parameters are those of `perceptron`.

    Examples
    --------
    >>> model = average_over_examples([[1], [10], [2], [20]], ["-", "+", "-", "+"])
    >>> round(model.w[0] * 16), round(model.b * 16)
    (70, -35)
    """
    return finish(average_over_examples_steps(X, y, positive, epochs, stop_early, order))


def _average(total_w: list[float], total_b: float, n: int, last: BinaryLinear) -> BinaryLinear:
    n = n or 1  # no update at all: the zeros that learning began with
    return BinaryLinear(tuple(total / n for total in total_w), total_b / n, last.positive, last.negative)
