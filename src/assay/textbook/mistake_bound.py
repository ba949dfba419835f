"""How many mistakes a perceptron can make at most.

If some weights U, ‖U‖ = 1, give each example's right class a lead of at least γ,

    u_y · x ≥ u_z · x + γ   for every example (x, y) and every other class z,

and no example is longer than R, then the perceptron makes at most 2 R² / γ² mistakes, however many examples
there are and in whatever order they come. ‖U‖ is the length of all the u_c written one after the other. A
bias is a feature that is always 1, and counts in R.

For two classes with one weight vector u, ‖u‖ = 1, and y · (u · x) ≥ γ the same bound reads R² / γ²: with u₊ =
u / √2 and u₋ = -u / √2 the lead is √2 γ.

References
----------
McDonald, *Classification* (AthNLP 2024), "Perceptron's mistake bound"; Novikoff (1962); Beygelzimer et al.
(2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.textbook.arithmetic import dot, norm
from assay.textbook.inputs import InputError, Label, Points, as_points

__all__ = ["lead", "mistake_bound", "radius"]


def radius(X: Points, bias: bool = True) -> float:
    """Give R, the length of the longest example, counting the always-1 feature of a bias.

    Examples
    --------
    >>> radius([[3, 4], [0, 1]], bias=False)
    5.0
    """
    return max(norm([*x, 1.0] if bias else x) for x in as_points(X))


def lead(W: Points, X: Points, y: Sequence[Any], classes: Sequence[Label], bias: bool = True) -> float:
    """Give γ, the smallest lead of a right class, with W scaled to length 1; negative if W makes a mistake.

    Parameters
    ----------
    W
        One weight vector a class, in the order of `classes`; with a bias, its last weight.
    X
        One example a row.
    y
        One label an example.
    classes
        The labels.
    bias
        Whether each example gets one more feature that is always 1.

    Examples
    --------
    >>> round(lead([[1], [-1]], [[2], [-3]], ["a", "b"], classes=["a", "b"], bias=False), 3)
    2.828
    """
    length = norm([value for w in W for value in w])
    if not length:
        raise InputError("Every weight is 0, which separates nothing. Give weights that do.")
    gamma = float("inf")
    for x, label in zip(as_points(X), y, strict=True):
        features = [*x, 1.0] if bias else x
        scores = [dot(w, features) / length for w in W]
        right = classes.index(label)
        gamma = min(gamma, scores[right] - max(s for k, s in enumerate(scores) if k != right))
    return gamma


def mistake_bound(R: float, gamma: float) -> float:
    """Give 2 R² / γ².

    Examples
    --------
    >>> mistake_bound(R=1.0, gamma=0.5)
    8.0
    """
    if gamma <= 0:
        raise InputError(f"gamma is {gamma!r}. The bound holds for data that is separable with a lead above 0.")
    return 2 * R**2 / gamma**2
