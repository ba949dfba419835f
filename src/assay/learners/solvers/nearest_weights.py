"""The weights nearest to old ones that fit new rows: what is learned where the old rows are gone.

With scores z = z_old + X D + d of the new rows, the change D, d minimises

    ½ Σⱼ pullⱼ ‖Dⱼ‖² + ½ pull_b ‖d‖² + Σᵢ costᵢ loss(zᵢ, yᵢ),

a convex problem with one solution. In D √pull it is an ordinary ridge, whose Hessian is the identity and a part of low
rank: Newton's method with conjugate gradients takes a few passes over the rows. The solvers of `assay._native` begin
with scores of zero and are not used: an offset of each row and output is what this is about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["Loss", "NewRows", "nearest_weights"]

Floats = NDArray[np.float64]
#: Each output for itself by a squared hinge or a logistic loss, or all together by a softmax.
Loss = Literal["squared_hinge", "logistic", "multinomial"]

_STEPS, _PASSES, _PRECISION = 100, 200, 1e-12


@dataclass(frozen=True, eq=False)
class NewRows:
    """Rows to fit.

    Attributes
    ----------
    X
        CSR, (n, n_features).
    positive
        (n, n_outputs), whether a row is to score high there; with a softmax, just one of a row is.
    scores
        (n, n_outputs), by the old weights.
    cost
        (n, n_outputs) of each loss; with a softmax, the same for all outputs of a row.
    """

    X: Any
    positive: NDArray[np.bool_]
    scores: Floats
    cost: Floats


def nearest_weights(rows: NewRows, loss: Loss, pull: Floats, bias_pull: float) -> tuple[Floats, Floats]:
    """The change of the weights, (n_features, n_outputs), and of the biases, (n_outputs,).

    Parameters
    ----------
    rows, loss
        What is to be fitted.
    pull
        Above 0, (n_features,): what it costs to move the weights of a feature.
    bias_pull
        The same of the biases; infinite: they stay.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> X = csr_array(np.array([[1.0, 0.0], [1.0, 1.0]]))
    >>> rows = NewRows(X, np.array([[True], [True]]), np.array([[2.0], [-1.0]]), np.ones((2, 1)))
    >>> change, _ = nearest_weights(rows, "squared_hinge", np.array([100.0, 1.0]), np.inf)
    >>> change.round(2).tolist()  # the second row is wrong, and the second feature moves more easily
    [[0.01], [1.32]]
    """
    from scipy.sparse import csr_array

    n_features, n_outputs = rows.X.shape[1], rows.scores.shape[1]
    scale, of_bias = 1 / np.sqrt(pull), float(1 / np.sqrt(bias_pull))
    scaled = csr_array((rows.X.data * scale[rows.X.indices], rows.X.indices, rows.X.indptr), shape=rows.X.shape)
    back = csr_array(scaled.T)

    def forward(u: Floats) -> Floats:
        found: Floats = np.asarray(scaled @ u[:-1]) + of_bias * u[-1]
        return found

    def backward(z: Floats) -> Floats:
        return np.vstack([np.asarray(back @ z), of_bias * z.sum(axis=0)])

    u, change = np.zeros((n_features + 1, n_outputs)), np.zeros_like(rows.scores)
    terms = _Terms(rows, loss, rows.scores)
    value = begin = terms.value
    for _ in range(_STEPS):
        gradient = u + backward(terms.slope)
        size = float((gradient * gradient).sum())
        if size <= _PRECISION * begin:
            break
        step = _conjugate_gradients(lambda p, at=terms: p + backward(at.bent(forward(p))), -gradient, size)
        along, slope, length = forward(step), float((gradient * step).sum()), 1.0
        while length > 1e-10:
            trial, moved = u + length * step, change + length * along
            further = _Terms(rows, loss, rows.scores + moved)
            found = further.value + 0.5 * float((trial * trial).sum())
            if found <= value + 1e-4 * length * slope:
                break
            length /= 2
        else:
            break
        u, change, terms, value = trial, moved, further, found
    return u[:-1] * scale[:, None], u[-1] * of_bias


class _Terms:
    """The losses at some scores: their sum, their slopes, and their curvature as a product."""

    def __init__(self, rows: NewRows, loss: Loss, scores: Floats) -> None:
        self._joint, self._cost = loss == "multinomial", rows.cost
        if loss == "multinomial":
            highest = scores.max(axis=1, keepdims=True)
            powers = np.exp(scores - highest)
            sums = powers.sum(axis=1, keepdims=True)
            self._p = powers / sums
            each = highest[:, 0] + np.log(sums[:, 0]) - scores[rows.positive]
            self.value = float((rows.cost[:, 0] * each).sum())
            self.slope: Floats = rows.cost * (self._p - rows.positive)
            return
        sign = np.where(rows.positive, 1.0, -1.0)
        if loss == "squared_hinge":
            short = np.maximum(0.0, 1.0 - sign * scores)
            self.value = float((rows.cost * short * short).sum())
            self.slope = -2 * rows.cost * sign * short
            self._bend = 2 * rows.cost * (short > 0)
            return
        margin = sign * scores
        small = np.exp(-np.abs(margin))
        wrong = np.where(margin >= 0, small, 1.0) / (1.0 + small)
        self.value = float((rows.cost * (np.maximum(0.0, -margin) + np.log1p(small))).sum())
        self.slope = -rows.cost * sign * wrong
        self._bend = rows.cost * wrong * (1 - wrong)

    def bent(self, v: Floats) -> Floats:
        """The curvature times v."""
        if not self._joint:
            return self._bend * v
        weighed = self._p * v
        return np.asarray(self._cost * (weighed - self._p * weighed.sum(axis=1, keepdims=True)))


def _conjugate_gradients(product: Any, right: Floats, size: float) -> Floats:
    """Solve product(x) = right as far as a Newton step needs, the further the nearer the solution is."""
    x, rest, direction = np.zeros_like(right), right, right
    left, enough = size, min(0.01, size**0.5) * size
    for _ in range(_PASSES):
        image = product(direction)
        length = left / float((direction * image).sum())
        x, rest = x + length * direction, rest - length * image
        before, left = left, float((rest * rest).sum())
        if left <= enough:
            break
        direction = rest + left / before * direction
    return x
