"""Maximum likelihood of a multinomial logistic regression by Newton's method.

P(class k | x) = exp(x·β[k]) / Σ_j exp(x·β[j]) with β[0] = 0: class 0 is the reference, and two classes are the
ordinary logistic regression. Columns are centred and scaled while solving, so that years and shares may stand side by
side; coefficients, log-likelihood and covariance are those of the columns as given.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Floats", "LogisticFit", "fit_logistic", "log_likelihoods"]

Floats = NDArray[np.float64]
Classes = NDArray[np.intp]

_MAX_STEPS = 200
_FAR = 30.0  # |x·β| beyond which a probability is 1 to the last bits: the likelihood has no maximum


@dataclass(frozen=True)
class LogisticFit:
    """The maximum of a likelihood.

    Attributes
    ----------
    coefficients
        (n_columns, n_classes - 1).
    covariance
        Of the coefficients, class by class, (n_columns · (n_classes - 1)) squared: the inverse information.
    log_likelihood
        At the maximum (without the penalty).
    far
        Whether a linear predictor ran away, as it does where classes are separated.
    """

    coefficients: Floats
    covariance: Floats
    log_likelihood: float
    n_steps: int
    far: bool

    @property
    def standard_errors(self) -> Floats:
        """(n_columns, n_classes - 1)."""
        columns, classes = self.coefficients.shape
        return np.sqrt(np.clip(np.diag(self.covariance), 0.0, None)).reshape(classes, columns).T


def fit_logistic(X: Floats, classes: Classes, n_classes: int, *, ridge: float = 0.0) -> LogisticFit:
    """Fit by Newton's method with step halving.

    Parameters
    ----------
    X
        (n, n_columns), the first column all ones; of full rank unless `ridge` is above 0.
    classes
        Class of each row, 0 the reference.
    n_classes
        How many there are.
    ridge
        λ of a penalty λ/2 Σ γ² on the coefficients γ of the scaled columns, the intercept left out.

    Examples
    --------
    >>> X = np.column_stack([np.ones(6), [0.0, 1, 2, 3, 4, 5]])
    >>> fit = fit_logistic(X, np.array([0, 0, 1, 0, 1, 1]), 2)
    >>> fit.coefficients.ravel().round(4).tolist(), round(fit.log_likelihood, 4)
    ([-3.0351, 1.214], -2.478)
    """
    centre, scale = X.mean(axis=0), X.std(axis=0)
    centre[0], scale[0] = 0.0, 1.0
    scale[scale == 0] = 1.0
    Z = (X - centre) / scale
    n_columns, n_free = X.shape[1], n_classes - 1
    penalty = np.full(n_columns, ridge)
    penalty[0] = 0.0
    targets = np.eye(n_classes)[classes][:, 1:]
    gamma = np.zeros((n_columns, n_free))
    objective, likelihood, P = _objective(Z, classes, gamma, penalty)
    far, step_number = False, 0
    for step_number in range(1, _MAX_STEPS + 1):  # noqa: B007
        gradient = Z.T @ (targets - P) - penalty[:, None] * gamma
        step = np.linalg.lstsq(_information(Z, P, penalty), gradient.T.ravel(), rcond=None)[0]
        step = step.reshape(n_free, n_columns).T
        size = 1.0
        while True:
            moved = gamma + size * step
            new_objective, new_likelihood, new_P = _objective(Z, classes, moved, penalty)
            if new_objective >= objective - 1e-12 * (1 + abs(objective)) or size < 1e-8:
                break
            size /= 2
        gain = float((step * gradient).sum())  # Newton's decrement: twice the gain that is left
        gamma, objective, likelihood, P = moved, new_objective, new_likelihood, new_P
        far = float(np.abs(Z @ gamma).max(initial=0.0)) > _FAR and ridge == 0
        if far or gain < 1e-22 * (1 + abs(objective)):
            break
    back = np.diag(1 / scale)
    back[0] -= centre / scale
    back[0, 0] = 1.0
    wide = np.kron(np.eye(n_free), back)
    inverse = np.linalg.pinv(_information(Z, P, penalty), hermitian=True)
    return LogisticFit(back @ gamma, wide @ inverse @ wide.T, likelihood, step_number, far)


def log_likelihoods(X: Floats, classes: Classes, coefficients: Floats) -> Floats:
    """Logarithm of P(class | x) of each row."""
    scores = np.column_stack([np.zeros(len(X)), X @ coefficients])
    top = scores.max(axis=1)
    normaliser = top + np.log(np.exp(scores - top[:, None]).sum(axis=1))
    chosen: Floats = scores[np.arange(len(X)), classes] - normaliser
    return chosen


def _objective(Z: Floats, classes: Classes, gamma: Floats, penalty: Floats) -> tuple[float, float, Floats]:
    """Penalised log-likelihood, log-likelihood, and probabilities of the classes but the reference."""
    scores = np.column_stack([np.zeros(len(Z)), Z @ gamma])
    scores -= scores.max(axis=1, keepdims=True)
    exponentials = np.exp(scores)
    sums = exponentials.sum(axis=1)
    likelihood = float((scores[np.arange(len(Z)), classes] - np.log(sums)).sum())
    return likelihood - float((penalty[:, None] * gamma**2).sum()) / 2, likelihood, exponentials[:, 1:] / sums[:, None]


def _information(Z: Floats, P: Floats, penalty: Floats) -> Floats:
    """Minus the Hessian, class by class."""
    n_free, n_columns = P.shape[1], Z.shape[1]
    blocks = np.empty((n_free, n_columns, n_free, n_columns))
    for j in range(n_free):
        for k in range(j, n_free):
            weights = P[:, j] * ((j == k) - P[:, k])
            blocks[j, :, k, :] = blocks[k, :, j, :] = Z.T @ (Z * weights[:, None])
        blocks[j, :, j, :] += np.diag(penalty)
    return blocks.reshape(n_free * n_columns, n_free * n_columns)
