"""Fitting the three calibrations: two numbers by Newton's method, a rising function, one number."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["fit_isotonic", "fit_sigmoid", "fit_temperature"]

Floats = NDArray[np.float64]


def fit_sigmoid(scores: Floats, positive: NDArray[np.bool_]) -> tuple[float, float]:
    """Slope a and intercept b of P(positive) = 1 / (1 + exp(-(a s + b))) (Platt's scaling).

    Minimises the cross-entropy to the targets (N₊ + 1)/(N₊ + 2) and 1/(N₋ + 2), which stand for the uncertainty of
    labels, by Newton's method with backtracking.

    References
    ----------
    Lin, Lin & Weng (2007), algorithm 1 (with the signs of a and b turned round).
    """
    n_positive = int(positive.sum())
    n_negative = positive.size - n_positive
    targets = np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))
    # Scores of any size: fit on their own scale, so that the ridge below means the same for all.
    scale = float(np.abs(scores).max()) or 1.0
    s = scores / scale

    def loss(a: float, b: float) -> float:
        z = a * s + b
        return float(np.sum(np.logaddexp(0.0, z) - targets * z))

    a, b = 0.0, float(np.log((n_positive + 1) / (n_negative + 1)))
    value = loss(a, b)
    for _ in range(100):
        p = 1 / (1 + np.exp(-np.clip(a * s + b, -500, 500)))
        error, weight = p - targets, p * (1 - p)
        gradient = np.array([np.dot(error, s), error.sum()])
        if np.abs(gradient).max() < 1e-10 * positive.size:
            break
        ridge = 1e-12 * positive.size
        mixed = np.dot(weight, s)
        hessian = np.array([[np.dot(weight, s * s) + ridge, mixed], [mixed, weight.sum() + ridge]])
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


def fit_isotonic(scores: Floats, positive: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Points of the rising function that is nearest to the labels; only the corners of its steps are kept."""
    from scipy.optimize import isotonic_regression

    points, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    means = np.bincount(inverse, positive) / counts
    values = np.asarray(isotonic_regression(means, weights=counts.astype(np.float64)).x)
    corner = np.ones(points.size, bool)
    corner[1:-1] = (values[1:-1] != values[:-2]) | (values[1:-1] != values[2:])
    return points[corner], np.clip(values[corner], 0.0, 1.0)


def fit_temperature(logits: Floats, classes: NDArray[np.integer]) -> float:
    """The number T for which softmax(logits / T) has the smallest log loss."""
    from scipy.optimize import minimize_scalar

    rows = np.arange(classes.size)
    centred = logits - logits.max(axis=1, keepdims=True)
    # The loss is convex in 1/T and has one minimum in log T; the bounds reach from e⁻⁸ to e⁸.
    size = float(np.abs(centred).mean()) or 1.0

    def loss(log_inverse: float) -> float:
        scaled = centred * (np.exp(log_inverse) / size)
        return float(np.mean(np.log(np.exp(scaled).sum(axis=1)) - scaled[rows, classes]))

    found = minimize_scalar(loss, bounds=(-8.0, 8.0), method="bounded", options={"xatol": 1e-10})
    return float(size / np.exp(found.x))
