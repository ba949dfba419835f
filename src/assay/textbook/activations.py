"""What makes a network more than one big linear model: a bend after each layer.

    sigmoid   f(z) = 1 / (1 + e⁻ᶻ)                 f' = f (1 - f)
    tanh      f(z) = (eᶻ - e⁻ᶻ) / (eᶻ + e⁻ᶻ)       f' = 1 - f²
    relu      f(z) = max(0, z)                     f' = 1 where z > 0, else 0
    linear    f(z) = z                             f' = 1

References
----------
McDonald, *Classification* (AthNLP 2024), "Activation functions".
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.textbook.inputs import as_label
from assay.textbook.logistic_functions import sigmoid

__all__ = ["ACTIVATIONS", "activate", "slope"]

Matrix = npt.NDArray[np.float64]

ACTIVATIONS = ("tanh", "relu", "sigmoid", "linear")


def activate(name: str, z: Matrix) -> Matrix:
    """Give f(z) for each number.

    Examples
    --------
    >>> activate("relu", np.array([-1.0, 2.0])).tolist()
    [0.0, 2.0]
    """
    as_label(name, ACTIVATIONS, "activation")
    if name == "tanh":
        return np.tanh(z)
    if name == "relu":
        return np.maximum(z, 0.0)
    if name == "sigmoid":
        return np.array([sigmoid(value) for value in z.ravel()]).reshape(z.shape)
    return z


def slope(name: str, z: Matrix) -> Matrix:
    """Give f'(z) for each number.

    Examples
    --------
    >>> slope("tanh", np.array([0.0])).tolist(), slope("relu", np.array([-1.0, 2.0])).tolist()
    ([1.0], [0.0, 1.0])
    """
    f = activate(name, z)
    if name == "tanh":
        return 1 - f**2
    if name == "relu":
        return np.where(z > 0, 1.0, 0.0)
    if name == "sigmoid":
        return f * (1 - f)
    return np.ones_like(z)
