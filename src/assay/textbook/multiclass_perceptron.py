"""The perceptron for many classes, on output-based features.

    φ(x, c)    the features of x in the block of class c, zeros elsewhere (a Cartesian product)
    decision   z = the class with the highest θ · φ(x, z); of several, the first

    θ = 0
    repeat until a whole pass makes no mistake
        for each example x with class c
            if z ≠ c:  θ = θ + φ(x, c) - φ(x, z)

In blocks: the weights of the right class get x added, those of the wrongly chosen class get x taken away.

References
----------
Zhang, *Natural Language Processing*, chapter 3.2.1 and Algorithm 3.3; McDonald, *Classification* (AthNLP
2024), perceptron algorithm.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from assay.textbook.arithmetic import add, dot
from assay.textbook.inputs import InputError, Label, Points, as_label, as_labels, as_points
from assay.textbook.linear import MulticlassLinear, joint_features
from assay.textbook.perceptron import Order, passes
from assay.textbook.steps import Step, Steps, finish

__all__ = ["MulticlassPerceptron", "all_classes", "multiclass_perceptron", "multiclass_perceptron_steps"]


@dataclass(frozen=True)
class MulticlassPerceptron(MulticlassLinear):
    """One weight vector a class and how they were found; see `Perceptron` for the fields."""

    mistakes: tuple[int, ...] = ()
    converged: bool = False


def multiclass_perceptron_steps(
    X: Points,
    y: Iterable[Any],
    classes: Sequence[Label] | None = None,
    bias: bool = True,
    epochs: int = 100,
    stop_early: bool = True,
    order: Order | None = None,
) -> Steps[MulticlassPerceptron]:
    """Look at one example after the other; see `multiclass_perceptron`."""
    points = [[*x, 1.0] if bias else x for x in as_points(X)]  # a feature that is always 1 is a bias
    labels = as_labels(y, len(points))
    names = all_classes(labels, classes)
    theta = [0.0] * (len(names) * len(points[0]))
    mistakes: list[int] = []
    number = 0
    for epoch, examples in passes(len(points), epochs, order):
        mistakes.append(0)
        for i in examples:
            number += 1
            x, c = points[i], labels[i]
            scores = {z: dot(theta, joint_features(x, z, names)) for z in names}
            z = max(names, key=lambda name: scores[name])
            if z != c:
                mistakes[-1] += 1
                theta = add(theta, joint_features(x, c, names))
                theta = add(theta, joint_features(x, z, names), times=-1)
            yield Step(
                number,
                seen=f"#{i + 1}",
                score={str(name): score for name, score in scores.items()},
                decision=str(z),
                update="none" if z == c else f"+x to {c}, -x to {z}",
                parameters={f"w[{name}]": block for name, block in zip(names, _blocks(theta, names), strict=True)},
                why="right: leave it" if z == c else f"mistake: it is {c}",
                right=z == c,
                epoch=epoch,
            )
        if stop_early and not mistakes[-1]:
            break
    blocks = _blocks(theta, names)
    W, b = ([w[:-1] for w in blocks], [w[-1] for w in blocks]) if bias else (blocks, [0.0] * len(blocks))
    return MulticlassPerceptron(tuple(names), tuple(W), tuple(b), tuple(mistakes), mistakes[-1] == 0)


def multiclass_perceptron(
    X: Points,
    y: Iterable[Any],
    classes: Sequence[Label] | None = None,
    bias: bool = True,
    epochs: int = 100,
    stop_early: bool = True,
    order: Order | None = None,
) -> MulticlassPerceptron:
    """Find one weight vector a class so that the right one scores highest, if there are such.

    Parameters
    ----------
    X
        One example a row.
    y
        One label an example.
    classes
        All labels, in the order in which ties are broken; by default those of `y`, sorted.
    bias
        Whether each example gets one more feature that is always 1.
    epochs
        Where to stop if there are still mistakes.
    stop_early
        Whether to stop after the first epoch without mistakes.
    order
        The order of the examples in each epoch; by default as they stand.

    Examples
    --------
    >>> model = multiclass_perceptron([[1, 0, 0], [0, 1, 0], [0, 0, 1]], ["a", "b", "c"], bias=False)
    >>> model.W
    ((0.0, -1.0, -1.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    """
    return finish(multiclass_perceptron_steps(X, y, classes, bias, epochs, stop_early, order))


def all_classes(y: Sequence[Any], classes: Sequence[Label] | None) -> list[Label]:
    """Give the classes in order: those named, or those of `y`, sorted; two at least."""
    if classes is None:
        distinct = set(y)
        numbers = all(isinstance(label, int | float) for label in distinct)
        classes = sorted(distinct) if numbers else sorted(distinct, key=str)
    for label in dict.fromkeys(y):
        as_label(label, classes, "A label")
    if len(classes) < 2:
        raise InputError(f"There is one class only, {classes[0]!r}. Give examples of at least two.")
    return list(classes)


def _blocks(theta: Sequence[float], classes: Sequence[Label]) -> list[tuple[float, ...]]:
    n = len(theta) // len(classes)
    return [tuple(theta[k * n : (k + 1) * n]) for k in range(len(classes))]
