"""Several labels a text: one perceptron a label, each against the rest.

    s_A = w_A · x + b_A      one score for each label A
    decision                 every label with s_A > 0: a set, which may be empty

    w = 0
    repeat until a whole pass makes no mistake
        for each example x with its set Y of labels
            for each label A
                if A is in Y and s_A ≤ 0:       w_A = w_A + x,  b_A = b_A + 1
                if A is not in Y and s_A > 0:   w_A = w_A - x,  b_A = b_A - 1

Nothing that one label learns is known to another: n labels are n classifiers of two classes that look at the same
examples. Where a text has one label only, the class with the highest score would be taken instead.

References
----------
Tsoumakas & Katakis (2007), Multi-label classification: an overview, where it is called binary relevance.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from assay.textbook.arithmetic import add, dot
from assay.textbook.inputs import InputError, Label, Points, as_count, as_points, as_vector
from assay.textbook.steps import Step, Steps, finish

__all__ = ["LabelSetPerceptron", "as_label_sets", "label_set_perceptron", "label_set_perceptron_steps", "show_set"]

LabelSet = frozenset[Label]


@dataclass(frozen=True)
class LabelSetPerceptron:
    """One weight vector and one bias a label.

    Examples
    --------
    >>> model = label_set_perceptron([[1, 0], [0, 1], [1, 1]], [{"a"}, {"b"}, {"a", "b"}])
    >>> sorted(model.predict([1, 1])), sorted(model.predict([0, 0]))
    (['a', 'b'], [])
    """

    labels: tuple[Label, ...]
    W: tuple[tuple[float, ...], ...]
    b: tuple[float, ...]
    mistakes: tuple[int, ...] = ()
    converged: bool = False

    def scores(self, x: Sequence[float]) -> dict[Label, float]:
        """Give the score of each label."""
        numbers = as_vector(x)
        return {label: dot(w, numbers) + b for label, w, b in zip(self.labels, self.W, self.b, strict=True)}

    def predict(self, x: Sequence[float]) -> LabelSet:
        """Give every label whose score is above 0."""
        return frozenset(label for label, score in self.scores(x).items() if score > 0)


def label_set_perceptron_steps(
    X: Points, Y: Iterable[Collection[Label]], epochs: int = 100
) -> Steps[LabelSetPerceptron]:
    """Look at one example after the other; see `label_set_perceptron`."""
    points = as_points(X)
    sets = as_label_sets(Y, len(points))
    labels = sorted(frozenset().union(*sets), key=str)
    if not labels:
        raise InputError("No example has a label. Give at least one.")
    W, b = {label: [0.0] * len(points[0]) for label in labels}, dict.fromkeys(labels, 0.0)
    mistakes: list[int] = []
    number = 0
    for epoch in range(1, as_count(epochs, "epochs") + 1):
        mistakes.append(0)
        for i, (x, truth) in enumerate(zip(points, sets, strict=True)):
            number += 1
            scores = {label: dot(W[label], x) + b[label] for label in labels}
            said = frozenset(label for label in labels if scores[label] > 0)
            for label in truth ^ said:  # those that are in one of the two sets
                sign = 1 if label in truth else -1
                W[label] = add(W[label], x, times=sign)
                b[label] += sign
            mistakes[-1] += len(truth ^ said)
            missed, spurious = show_set(truth - said), show_set(said - truth)
            done = [f"+x to {missed}" if truth - said else "", f"-x to {spurious}" if said - truth else ""]
            yield Step(
                number,
                seen=f"#{i + 1}: {show_set(truth)}",
                score={str(label): score for label, score in scores.items()},
                decision=show_set(said),
                update=", ".join(part for part in done if part) or "none",
                parameters={f"w[{label}]": (*W[label], b[label]) for label in labels},
                why="right: leave it" if truth == said else f"it is {show_set(truth)}",
                right=truth == said,
                loss=float(len(truth ^ said)),
                epoch=epoch,
            )
        if not mistakes[-1]:
            break
    weights = tuple(tuple(W[label]) for label in labels)
    return LabelSetPerceptron(tuple(labels), weights, tuple(b.values()), tuple(mistakes), mistakes[-1] == 0)


def label_set_perceptron(X: Points, Y: Iterable[Collection[Label]], epochs: int = 100) -> LabelSetPerceptron:
    """Find a weight vector a label so that its own examples score above 0 and the others do not, if there are such.

    Parameters
    ----------
    X
        One example a row.
    Y
        A set of labels an example; it may be empty.
    epochs
        Where to stop if there are still mistakes.

    Examples
    --------
    >>> label_set_perceptron([[1, 0], [0, 1], [1, 1]], [{"a"}, {"b"}, {"a", "b"}]).W
    ((2.0, -1.0), (-1.0, 2.0))
    """
    return finish(label_set_perceptron_steps(X, Y, epochs))


def as_label_sets(Y: Iterable[Collection[Label]], n_examples: int | None = None) -> list[LabelSet]:
    """Give the sets of labels, one an example, or say which one is none."""
    sets = []
    for i, labels in enumerate(Y):
        if isinstance(labels, str) or not isinstance(labels, Iterable):
            raise InputError(
                f"Y[{i}] is {labels!r}, not a set of labels. Give one set an example, such as {{'a', 'b'}}."
            )
        sets.append(frozenset(labels))
    if n_examples is not None and len(sets) != n_examples:
        raise InputError(f"There are {n_examples} examples and {len(sets)} sets of labels. Give one for each example.")
    return sets


def show_set(labels: Iterable[Label]) -> str:
    """Write a set as ``{a, b}``, and the empty one as ``{}``."""
    return "{" + ", ".join(sorted(str(label) for label in labels)) + "}"
