"""The support vector machine for many classes: the right class must lead by 1.

    hinge loss    max(0, 1 + max_{c ≠ y} s_c - s_y),   s_c = w_c · x + b_c
    cost          ½ Σ ‖w_c‖² + C Σ hinge
    sub-gradient  for each example with a loss: -C x to the right class y, +C x to its strongest rival
    update        step t goes the length rate / √t against W + those, in all weights and biases together

It is the multi-class perceptron with a margin: an update also when the right class leads, but by less than 1.

References
----------
Zhang, *Natural Language Processing*, chapter 3.2.2 and 3.3.4; McDonald, *Classification* (AthNLP 2024),
"Support vector machines", hinge loss.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from assay.textbook.arithmetic import add, dot, norm
from assay.textbook.inputs import Label, Points, Vector, as_count, as_labels, as_points, as_positive
from assay.textbook.linear import MulticlassLinear
from assay.textbook.multiclass_perceptron import all_classes
from assay.textbook.steps import Step, Steps, finish

__all__ = ["MulticlassSVM", "multiclass_hinge_loss", "multiclass_svm", "multiclass_svm_steps"]


@dataclass(frozen=True)
class MulticlassSVM(MulticlassLinear):
    """One weight vector a class, and the cost that was reached."""

    cost: float = 0.0


def multiclass_hinge_loss(scores: Vector, right: int) -> float:
    """Give max(0, 1 + the highest wrong score - the right score).

    Examples
    --------
    >>> multiclass_hinge_loss([3.0, 1.0, 0.0], right=0), multiclass_hinge_loss([3.0, 2.5, 0.0], right=0)
    (0.0, 0.5)
    """
    return max(0.0, 1 + scores[_rival(scores, right)] - scores[right])


def multiclass_svm_steps(
    X: Points,
    y: Iterable[Any],
    classes: Sequence[Label] | None = None,
    C: float = 1.0,
    rate: float = 1.0,
    iterations: int = 100,
) -> Steps[MulticlassSVM]:
    """Take one sub-gradient step after the other; see `multiclass_svm`."""
    points = as_points(X)
    labels = as_labels(y, len(points))
    names = all_classes(labels, classes)
    truth = [names.index(label) for label in labels]
    as_positive(C, "C")
    as_positive(rate, "rate")
    W, b = [[0.0] * len(points[0]) for _ in names], [0.0] * len(names)
    best = MulticlassSVM(tuple(names), (), (), math.inf)
    for t in range(1, as_count(iterations, "iterations") + 1):
        gradient_W, gradient_b, short = list(W), [0.0] * len(names), 0
        for x, right in zip(points, truth, strict=True):
            scores = _scores(W, b, x)
            if multiclass_hinge_loss(scores, right) > 0:
                short += 1
                for k, sign in ((right, -1), (_rival(scores, right), +1)):
                    gradient_W[k] = add(gradient_W[k], x, times=sign * C)
                    gradient_b[k] += sign * C
        length = norm([*(value for gradient in gradient_W for value in gradient), *gradient_b])
        step_size = rate / math.sqrt(t) / (length or 1)
        W = [add(w, gradient, times=-step_size) for w, gradient in zip(W, gradient_W, strict=True)]
        b = add(b, gradient_b, times=-step_size)
        slack = sum(multiclass_hinge_loss(_scores(W, b, x), k) for x, k in zip(points, truth, strict=True))
        cost = 0.5 * sum(dot(w, w) for w in W) + C * slack
        if cost < best.cost:
            best = MulticlassSVM(tuple(names), tuple(tuple(w) for w in W), tuple(b), cost)
        yield Step(
            t,
            seen=f"{len(points)} points",
            score=cost,
            decision=f"{short} of {len(points)} lead by less than 1",
            update="+x to the right, -x to the rival" if short else "shrink the weights",
            parameters={
                **{f"w[{name}]": w for name, w in zip(names, W, strict=True)},
                "b": dict(zip(map(str, names), b, strict=True)),
            },
            why="no slope: done" if not length else "best so far" if cost == best.cost else "not the best",
            loss=cost,
        )
        if not length:
            break
    return best


def multiclass_svm(
    X: Points,
    y: Iterable[Any],
    classes: Sequence[Label] | None = None,
    C: float = 1.0,
    rate: float = 1.0,
    iterations: int = 100,
) -> MulticlassSVM:
    """Find one weight vector a class so that the right one leads by 1, at a price for the examples where not.

    Parameters
    ----------
    X
        One example a row.
    y
        One label an example.
    classes
        All labels; by default those of `y`, sorted.
    C
        The price of slack.
    rate
        The length of the first step; step t has the length rate / √t.
    iterations
        How many steps to take.

    Examples
    --------
    >>> model = multiclass_svm([[1, 0, 0], [0, 1, 0], [0, 0, 1]], ["a", "b", "c"], C=10, iterations=300)
    >>> [model.predict(x) for x in ([2, 0, 1], [0, 1, 0], [0, 1, 3])]
    ['a', 'b', 'c']
    """
    return finish(multiclass_svm_steps(X, y, classes, C, rate, iterations))


def _scores(W: Points, b: Vector, x: Vector) -> list[float]:
    return [dot(w, x) + bias for w, bias in zip(W, b, strict=True)]


def _rival(scores: Vector, right: int) -> int:
    """Give the wrong class with the highest score; of several, the first."""
    return max((k for k in range(len(scores)) if k != right), key=lambda k: scores[k])
