"""From scores to probabilities, and from probabilities to a loss.

    sigmoid         σ(z) = 1 / (1 + e⁻ᶻ)                    its slope is σ(z) (1 - σ(z)), and 1 - σ(z) = σ(-z)
    logit           logit(p) = ln(p / (1 - p))              the inverse of the sigmoid: the log odds
    softmax         softmax(z)ᵢ = e^zᵢ / Σⱼ e^zⱼ            the sigmoid for many classes
    cross-entropy   L(ŷ, y) = -[y ln ŷ + (1 - y) ln(1 - ŷ)]    two classes, y is 0 or 1
                    L(ŷ, c) = -ln ŷ_c                          many classes, c the right one

References
----------
Jurafsky & Martin, *Speech and Language Processing*, chapter 4: equations 4.4, 4.6, 4.7, 4.19, 4.33, 4.39.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.textbook.inputs import InputError, Vector, as_vector
from assay.textbook.steps import Step, Steps, finish

__all__ = [
    "cross_entropy",
    "logit",
    "negative_log_likelihood",
    "probability",
    "probability_steps",
    "sigmoid",
    "softmax",
    "softmax_steps",
]


def sigmoid(z: float) -> float:
    """Squash a score into a probability.

    Examples
    --------
    >>> sigmoid(0), round(sigmoid(0.833), 2)
    (0.5, 0.7)
    """
    # e to a large positive power overflows, so the power is kept negative
    return 1 / (1 + math.exp(-z)) if z >= 0 else math.exp(z) / (1 + math.exp(z))


def logit(p: float) -> float:
    """Give the log odds of a probability.

    Examples
    --------
    >>> logit(0.5), round(logit(sigmoid(0.833)), 3)
    (0.0, 0.833)
    """
    if not 0 < p < 1:
        raise InputError(f"p is {p!r}. The log odds exist only for a probability between 0 and 1, both excluded.")
    return math.log(p / (1 - p))


def probability_steps(x: Vector, w: Vector, b: float, names: Sequence[str] | None = None) -> Steps[float]:
    """Add up the evidence of one feature after the other; see `probability`."""
    features, weights = as_vector(x), as_vector(w, "w")
    if len(features) != len(weights):
        raise InputError(f"There are {len(features)} features and {len(weights)} weights. Give one weight a feature.")
    shown = [f"x{j + 1}" for j in range(len(features))] if names is None else list(names)
    z = 0.0
    parts = [*zip(shown, features, weights, strict=True), ("bias", 1.0, float(b))]
    for number, (name, value, weight) in enumerate(parts, start=1):
        z += weight * value
        yield Step(
            number,
            seen=name,
            score=weight * value,
            decision="for" if weight * value > 0 else "against" if weight * value < 0 else "neither",
            update=f"{weight:.4g} · {value:.4g}",
            parameters={"z": z, "σ(z)": sigmoid(z)},
            why="the bias" if number == len(parts) else "weight × feature",
        )
    return sigmoid(z)


def probability(x: Vector, w: Vector, b: float, names: Sequence[str] | None = None) -> float:
    """Give P(y = 1 | x) = σ(w · x + b).

    Parameters
    ----------
    x
        The features.
    w
        One weight a feature.
    b
        The bias.
    names
        Names of the features, for the steps to show.

    Examples
    --------
    >>> probability([3, 2], [0, 0], 0)
    0.5
    """
    return finish(probability_steps(x, w, b, names))


def softmax_steps(z: Vector, names: Sequence[str] | None = None) -> Steps[list[float]]:
    """Give each class its share, one after the other; see `softmax`."""
    if not len(z):
        raise InputError("z is empty. Softmax needs at least one score.")
    highest = max(z)  # subtracted from all, which changes nothing but keeps e^z from overflowing
    if highest == -math.inf:
        raise InputError("Every score is minus infinity: no class is possible. Use smoothing.")
    exponentials = [math.exp(value - highest) for value in z]
    total = sum(exponentials)
    shares = []
    for number, (value, part) in enumerate(zip(z, exponentials, strict=True), start=1):
        shares.append(part / total)
        yield Step(
            number,
            seen=f"class {number}" if names is None else names[number - 1],
            score=value,
            decision="the most" if value == highest else "",
            update="e^z / Σ e^z",
            parameters={
                "e^z": math.exp(value) if value < 700 else math.inf,
                "share": shares[-1],
                "given out": sum(shares),
            },
            why="larger scores take more than their part",
        )
    return shares


def softmax(z: Vector) -> list[float]:
    """Turn scores into probabilities that sum to one.

    Examples
    --------
    >>> [round(p, 2) for p in softmax([0.6, 1.1, -1.5, 1.2, 3.2, -1.1])]
    [0.05, 0.09, 0.01, 0.1, 0.74, 0.01]
    """
    return finish(softmax_steps(z))


def cross_entropy(y_hat: float, y: float) -> float:
    """Give the loss of a probability ŷ when the truth is y, 0 or 1.

    Examples
    --------
    >>> round(cross_entropy(0.7, 1), 2), round(cross_entropy(0.7, 0), 1)
    (0.36, 1.2)
    """
    if y not in (0, 1):
        raise InputError(f"y is {y!r}. The truth is 0 or 1.")
    return negative_log_likelihood([1 - y_hat, y_hat], int(y))


def negative_log_likelihood(probabilities: Vector, right: int) -> float:
    """Give -ln of the probability that was given to the right class; infinite if that was 0.

    Examples
    --------
    >>> round(negative_log_likelihood([0.25, 0.5, 0.25], right=1), 4)
    0.6931
    """
    p = as_vector(probabilities, "probabilities")[right]
    if not 0 <= p <= 1:
        raise InputError(f"A probability is {p!r}. It must lie between 0 and 1.")
    return -math.log(p) if p else math.inf
