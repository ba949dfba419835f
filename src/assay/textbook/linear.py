"""Linear models: a score is a weighted sum of features.

    many classes   score(x, c) = w_c · x + b_c              ŷ = the class with the highest score
    joint form     score(x, c) = θ · φ(x, c)                φ(x, c): x in the block of class c, else zeros
    two classes    score(x)    = (w₊ - w₋) · x + (b₊ - b₋)  ŷ = Yes if above 0, else No

The three are one: θ is the w_c written one after the other, and two classes need only the difference.

References
----------
Zhang, *Natural Language Processing*, chapter 3.2.1 (output-based features as a Cartesian product) and 3.3.2;
McDonald, *Classification* (AthNLP 2024), linear classifiers and "George Washington Bridge".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.textbook.arithmetic import add, dot
from assay.textbook.inputs import InputError, Label, Vector, as_label, as_vector
from assay.textbook.steps import Step, Steps

__all__ = ["BinaryLinear", "MulticlassLinear", "joint_features", "linear_scores_steps", "output_features"]


@dataclass(frozen=True)
class BinaryLinear:
    """A hyperplane: weights, bias, and the names of its two sides.

    Examples
    --------
    >>> model = BinaryLinear((2.0,), -4.0, "Positive", "Negative")
    >>> model.score([3]), model.predict([3]), model.predict([2])
    (2.0, 'Positive', 'Negative')
    """

    w: tuple[float, ...]
    b: float
    positive: Label
    negative: Label

    def score(self, x: Vector) -> float:
        """Give w · x + b."""
        return dot(self.w, x) + self.b

    def predict(self, x: Vector) -> Label:
        """Give the side on which x lies; exactly on the boundary is No."""
        return self.positive if self.score(x) > 0 else self.negative


@dataclass(frozen=True)
class MulticlassLinear:
    """One weight vector and one bias a class.

    Examples
    --------
    >>> model = MulticlassLinear(
    ...     ("per", "loc"), ((0.3, 1.2, -5.4, 3.8, -0.09), (-0.6, 2.4, 4.0, -2.1, 0.1)), (0.0, 0.0)
    ... )
    >>> {label: round(score, 1) for label, score in model.scores([1, 1, 1, 0, 0]).items()}
    {'per': -3.9, 'loc': 5.8}
    >>> model.predict([1, 1, 1, 0, 0])
    'loc'
    """

    classes: tuple[Label, ...]
    W: tuple[tuple[float, ...], ...]
    b: tuple[float, ...]

    def scores(self, x: Vector) -> dict[Label, float]:
        """Give w_c · x + b_c for each class c."""
        return {c: dot(w, x) + b for c, w, b in zip(self.classes, self.W, self.b, strict=True)}

    def predict(self, x: Vector) -> Label:
        """Give the class with the highest score; of several, the first."""
        scores = self.scores(x)
        return max(self.classes, key=lambda c: scores[c])

    @property
    def theta(self) -> tuple[float, ...]:
        """All weight vectors in one: θ = (w_1, w_2, …)."""
        return tuple(value for w in self.W for value in w)

    def as_binary(self, positive: Label | None = None) -> BinaryLinear:
        """Give the difference of the two weight vectors: half the parameters, the same decisions.

        With equal scores the binary model says No; the other takes the first class.
        """
        if len(self.classes) != 2:
            raise InputError(f"A difference needs two classes, and there are {len(self.classes)}.")
        yes = self.classes.index(self.classes[0] if positive is None else as_label(positive, self.classes))
        no = 1 - yes
        w = add(self.W[yes], self.W[no], times=-1)
        return BinaryLinear(tuple(w), self.b[yes] - self.b[no], self.classes[yes], self.classes[no])


def linear_scores_steps(
    x: Vector, model: MulticlassLinear, names: Sequence[str] | None = None
) -> Steps[dict[Label, float]]:
    """Add up each class's score, one feature after the other; see `MulticlassLinear.scores`."""
    features = as_vector(x)
    if len(features) != len(model.W[0]):
        raise InputError(f"x has {len(features)} features and each class {len(model.W[0])} weights. Give as many.")
    totals: dict[Label, float] = dict(zip(model.classes, model.b, strict=True))
    for j, value in enumerate(features):
        parts = {c: w[j] * value for c, w in zip(model.classes, model.W, strict=True)}
        totals = {c: totals[c] + part for c, part in parts.items()}
        leader = max(model.classes, key=lambda c: totals[c])
        yield Step(
            j + 1,
            seen=f"x{j + 1}" if names is None else names[j],
            score=value,
            decision=f"{leader} leads",
            update="add w · x" if value else "none",
            parameters={f"score({c})": total for c, total in totals.items()},
            why=", ".join(f"{part:+.4g} {c}" for c, part in parts.items()) if value else "the feature is 0",
        )
    return totals


def joint_features(x: Vector, c: Label, classes: Sequence[Label]) -> list[float]:
    """Give φ(x, c): the Cartesian product of features and classes, x in the block of c and zeros elsewhere.

    Examples
    --------
    >>> joint_features([1, 2], "b", classes=["a", "b", "c"])
    [0, 0, 1, 2, 0, 0]
    """
    as_label(c, classes, "c")
    return [value if block == c else 0 for block in classes for value in x]


def output_features(tokens: str | Sequence[str], c: Label) -> Mapping[tuple[str, Label], int]:
    """Count each word together with the class: the non-zero part of φ(d, c), by name.

    Examples
    --------
    >>> output_features("to be or not to be", "Shakespeare")[("to", "Shakespeare")]
    2
    """
    words = tokens.split() if isinstance(tokens, str) else tokens
    return Counter((word, c) for word in words)
