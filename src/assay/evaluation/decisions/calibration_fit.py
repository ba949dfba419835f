"""Fitting the three calibrations: two numbers by Newton's method, a rising function, one number.

None of them aims at 1 and 0: n texts that were all right show a probability of (n + 1)/(n + 2), not of 1 (Platt 1999).
So scores that separate the classes perfectly do not make a calibration run away.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["fit_isotonic", "fit_sigmoid", "fit_temperature", "smoothed_targets"]

Floats = NDArray[np.float64]


def fit_sigmoid(scores: Floats, positive: NDArray[np.bool_]) -> tuple[float, float]:
    """Slope a and intercept b of P(positive) = 1 / (1 + exp(-(a s + b))) (Platt's scaling).

    Minimises the cross-entropy to the targets (N₊ + 1)/(N₊ + 2) and 1/(N₋ + 2), which stand for the uncertainty of
    labels, by Newton's method with backtracking.

    References
    ----------
    Lin, Lin & Weng (2007), algorithm 1 (with the signs of a and b turned round).
    """
    # Sums, not dot products: of long rows these are cut up among threads, whose number would change the last bits, and
    # on a busy machine they wait for each other.
    targets = smoothed_targets(positive)
    # Scores of any size: fit on their own scale, so that the ridge below means the same for all.
    scale = float(np.abs(scores).max()) or 1.0
    s = scores / scale

    def loss(a: float, b: float) -> float:
        z = a * s + b
        return float(np.sum(np.logaddexp(0.0, z) - targets * z))

    n_positive = int(positive.sum())
    a, b = 0.0, float(np.log((n_positive + 1) / (positive.size - n_positive + 1)))
    value = loss(a, b)
    for _ in range(100):
        p = 1 / (1 + np.exp(-np.clip(a * s + b, -500, 500)))
        error, weight = p - targets, p * (1 - p)
        gradient = np.array([(error * s).sum(), error.sum()])
        if np.abs(gradient).max() < 1e-10 * positive.size:
            break
        ridge = 1e-12 * positive.size
        weighted = weight * s
        mixed = weighted.sum()
        hessian = np.array([[(weighted * s).sum() + ridge, mixed], [mixed, weight.sum() + ridge]])
        direction = -np.linalg.solve(hessian, gradient)
        slope, step = float(gradient @ direction), 1.0
        while step > 1e-10 and (trial := loss(a + step * direction[0], b + step * direction[1])) > (
            value + 1e-4 * step * slope
        ):
            step /= 2
        if step <= 1e-10:
            break
        a, b, value = a + step * float(direction[0]), b + step * float(direction[1]), trial
    return a / scale, b


def smoothed_targets(positive: NDArray[np.bool_]) -> Floats:
    """(N₊ + 1)/(N₊ + 2) for those that are positive, 1/(N₋ + 2) for the others."""
    n_positive = int(positive.sum())
    n_negative = positive.size - n_positive
    return np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))


def fit_isotonic(scores: Floats, positive: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Points of the rising function that is nearest to the smoothed targets; only the corners of its steps are kept."""
    from scipy.optimize import isotonic_regression

    points, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    means = np.bincount(inverse, smoothed_targets(positive)) / counts
    values = np.asarray(isotonic_regression(means, weights=counts.astype(np.float64)).x)
    corner = np.ones(points.size, bool)
    corner[1:-1] = (values[1:-1] != values[:-2]) | (values[1:-1] != values[2:])
    return points[corner], np.clip(values[corner], 0.0, 1.0)


def fit_temperature(logits: Floats, classes: NDArray[np.integer]) -> float:
    """The number T for which softmax(logits / T) has the smallest cross-entropy to smoothed targets.

    The target of the true class is (n + 1)/(n + 2), n being all texts, as all of them share the one number; the other
    classes share the rest evenly. And T is never so small that the likeliest classes are given more than that on
    average: n texts that are all right cannot show more.
    """
    n, n_classes = logits.shape
    rows = np.ascontiguousarray(logits.T)  # (n_classes, n): sums over a few classes run along the texts
    centred = rows - rows.max(axis=0)
    size = float(np.abs(centred).mean()) or 1.0
    centred = centred / size
    most = float((n + 1) / (n + 2))
    true = centred[classes, np.arange(n)]
    aim = float(most * true.sum() + (1 - most) / (n_classes - 1) * (centred.sum() - true.sum()))

    def slope_and_curvature(inverse: float) -> tuple[float, float]:
        p = _softmax_of_centred(inverse * centred)
        weighted = p * centred
        means = weighted.sum(axis=0)
        return float(means.sum()) - aim, float(
            np.einsum("kn,kn->", weighted, centred) - np.einsum("n,n->", means, means)
        )

    def excess(inverse: float) -> float:
        return float(_softmax_of_centred(inverse * centred).max(axis=0).mean()) - most

    found = _rising_root(slope_and_curvature)
    if excess(found) > 0:
        found = _rising_root(lambda inverse: (excess(inverse), 0.0), highest=found)
    return float(size / found)


def _softmax_of_centred(scores: Floats) -> Floats:
    """The softmax of columns whose largest number is 0."""
    powers = np.exp(scores)
    return np.asarray(powers / powers.sum(axis=0))


def _rising_root(
    function: Callable[[float], tuple[float, float]], lowest: float = np.exp(-8.0), highest: float = np.exp(8.0)
) -> float:
    """Where a rising function, which comes with its slope, is 0: Newton's steps, or halves of what is left of log x."""
    x = min(1.0, highest)
    for _ in range(200):
        value, slope = function(x)
        if value > 0:
            highest = x
        else:
            lowest = x
        step = x - value / slope if slope > 0 else np.inf
        following = step if lowest < step < highest else float(np.sqrt(lowest * highest))
        if value == 0 or abs(following - x) <= 1e-12 * x:
            break
        x = following
    return float(x)
