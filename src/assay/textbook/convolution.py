"""Convolution over n-grams: one small linear model slides over the text, and pooling keeps what it found.

    window    (x_i, …, x_{i+n-1})      the vectors of n neighbouring words, one after the other
    filter    a_i = f(W · window + b)  the same W and b at every position; each row of W is one filter
    max       p_j = max_i a_ij         did filter j find its pattern anywhere?
    average   p_j = mean_i a_ij        how much of it is there?

Texts of any length come out as vectors of one length: one number a filter. A text that is shorter than the
window is filled up with zeros.

References
----------
McDonald, *Classification* (AthNLP 2024), "Convolutional neural networks" (receptive field, filter, stride,
pooling).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from assay.textbook.activations import activate
from assay.textbook.inputs import InputError, Points, Vector, as_count, as_points, as_vector
from assay.textbook.steps import Step, Steps, finish

__all__ = ["average_pooling", "convolve", "convolve_steps", "max_pooling"]

Matrix = npt.NDArray[np.float64]


def convolve_steps(
    X: Points,
    W: Points,
    b: Vector | None = None,
    n: int = 2,
    activation: str = "relu",
    stride: int = 1,
    words: list[str] | None = None,
) -> Steps[Matrix]:
    """Apply the filters to one window after the other; see `convolve`."""
    x = np.array(as_points(X))  # (length, dimensions)
    filters = np.array(as_points(W, "W"))  # (n_filters, n · dimensions)
    biases = np.array([0.0] * len(filters) if b is None else as_vector(b, "b"))
    if filters.shape[1] != as_count(n, "n") * x.shape[1] or len(biases) != len(filters):
        raise InputError(
            f"A filter over {n} vectors of {x.shape[1]} numbers has {n * x.shape[1]} weights and one bias; "
            f"W has {filters.shape[1]} weights a filter and {len(biases)} biases for {len(filters)} filters. "
            "Give matching ones."
        )
    if len(x) < n:
        x = np.vstack([x, np.zeros((n - len(x), x.shape[1]))])
    names = [*(words or [f"x{i + 1}" for i in range(len(x))]), *["·"] * n]
    found = []
    for number, i in enumerate(range(0, len(x) - n + 1, as_count(stride, "stride")), start=1):
        window = x[i : i + n].ravel()
        z = filters @ window + biases
        found.append(activate(activation, z))
        seen: dict[str, Any] = {f"a{j}": value for j, value in enumerate(found[-1].tolist(), start=1)}
        yield Step(
            number,
            seen=" ".join(names[i : i + n]),
            score=z,
            decision=f"{int(np.sum(found[-1] > 0))} of {len(filters)} filters fire",
            update=f"{activation}(W · window + b)",
            parameters={**seen, "max so far": np.max(found, axis=0)},
            why="the same filters at every position",
        )
    return np.array(found)


def convolve(
    X: Points,
    W: Points,
    b: Vector | None = None,
    n: int = 2,
    activation: str = "relu",
    stride: int = 1,
    words: list[str] | None = None,
) -> Matrix:
    """Give what each filter finds at each position: a row a window, a column a filter.

    Parameters
    ----------
    X
        The text: one word vector a row.
    W
        The filters: one a row, as long as n word vectors.
    b
        One bias a filter; zeros by default.
    n
        How many words a window holds.
    activation
        "tanh", "relu", "sigmoid" or "linear".
    stride
        How far the window moves.
    words
        The words, for the steps to show.

    Examples
    --------
    >>> convolve([[1], [2], [-5]], W=[[1, 1]], n=2).tolist()
    [[3.0], [0.0]]
    """
    return finish(convolve_steps(X, W, b, n, activation, stride, words))


def max_pooling(found: Matrix) -> list[float]:
    """Give for each filter the most that it found anywhere.

    Examples
    --------
    >>> max_pooling(np.array([[3.0, 0.0], [1.0, 2.0]]))
    [3.0, 2.0]
    """
    pooled: list[float] = np.max(found, axis=0).tolist()
    return pooled


def average_pooling(found: Matrix) -> list[float]:
    """Give for each filter the mean of what it found.

    Examples
    --------
    >>> average_pooling(np.array([[3.0, 0.0], [1.0, 2.0]]))
    [2.0, 1.0]
    """
    pooled: list[float] = np.mean(found, axis=0).tolist()
    return pooled
