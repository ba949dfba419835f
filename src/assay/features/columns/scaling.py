"""Features of one size, without writing out the zeros of a sparse matrix.

    z-score     (x - μ) / σ               mean 0, standard deviation 1
    min-max     (x - min) / (max - min)   between 0 and 1
    max-abs     x / max |x|               between -1 and 1
    log         sign(x) · ln(1 + |x|)     large counts matter less

Of a sparse matrix zero stays zero: z-score only divides by σ, and min-max counts 0 among the values, and only divides.
A column that has one value everywhere is left at its distance from that value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

__all__ = ["METHODS", "Scaling", "ScalingMethod"]

ScalingMethod = Literal["z-score", "min-max", "max-abs", "log"]
METHODS: tuple[ScalingMethod, ...] = ("z-score", "min-max", "max-abs", "log")

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Scaling:
    """What is done to each column: (x - shift) / scale, or the logarithm.

    Attributes
    ----------
    method
        Which of the four.
    shift, scale
        One for each column; the shift of a sparse matrix is 0.

    Examples
    --------
    >>> Scaling.of_table("z-score", np.array([[1.0, 5.0], [3.0, 5.0]])).table(np.array([[1.0, 5.0], [5.0, 6.0]]))
    array([[-1.,  0.],
           [ 3.,  1.]])
    """

    method: ScalingMethod
    shift: Floats
    scale: Floats

    @classmethod
    def of_table(cls, method: ScalingMethod, table: Floats) -> Self:
        """Learn from the columns of a table."""
        none, one = np.zeros(table.shape[1]), np.ones(table.shape[1])
        if method == "log" or not len(table):
            return cls(method, none, one)
        if method == "max-abs":
            return cls(method, none, _divisor(np.abs(table).max(axis=0)))
        if method == "min-max":
            least = table.min(axis=0)
            return cls(method, least, _divisor(table.max(axis=0) - least))
        return cls(method, table.mean(axis=0), _divisor(_standard_deviation(table)))

    @classmethod
    def of_sparse(cls, method: ScalingMethod, columns: npt.NDArray[Any], data: Floats, shape: tuple[int, int]) -> Self:
        """Learn from a matrix of which the values that are not zero are given, with their columns."""
        n_rows, n_columns = shape
        if method == "log":
            return cls(method, np.zeros(n_columns), np.ones(n_columns))
        stored = np.bincount(columns, minlength=n_columns)
        least = np.where(stored < n_rows, 0.0, np.inf)
        greatest = -least
        np.minimum.at(least, columns, data)
        np.maximum.at(greatest, columns, data)
        if method == "z-score":
            mean = np.bincount(columns, data, n_columns) / max(n_rows, 1)
            squares = np.bincount(columns, (data - mean[columns]) ** 2, n_columns) + (n_rows - stored) * mean**2
            spread = np.where(least < greatest, np.sqrt(squares / max(n_rows, 1)), 0.0)
        elif method == "min-max":
            spread = np.maximum(greatest, 0.0) - np.minimum(least, 0.0)
        else:
            spread = np.maximum(greatest, -least)
        return cls(method, np.zeros(n_columns), _divisor(spread))

    def table(self, table: Floats) -> Floats:
        """Scale a table."""
        if self.method == "log":
            return _logarithm(table)
        scaled: Floats = (table - self.shift) / self.scale
        return scaled

    def sparse(self, columns: npt.NDArray[Any], data: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Scale the values that are not zero."""
        scaled = _logarithm(data) if self.method == "log" else data / self.scale[columns]
        return scaled.astype(data.dtype, copy=False)

    @property
    def moves_zero(self) -> bool:
        """Whether zeros become something else, so that all of them have to be written out."""
        return bool(self.shift.any())


def _divisor(spread: Floats) -> Floats:
    return np.where(spread > 0, spread, 1.0)


def _standard_deviation(table: Floats) -> Floats:
    """Exactly 0 for a column of one value, whatever the rounding of its mean."""
    spread: Floats = table.std(axis=0)
    return np.where((table == table[:1]).all(axis=0), 0.0, spread)


def _logarithm(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    logarithms: npt.NDArray[Any] = np.copysign(np.log1p(np.abs(values)), values)
    return logarithms
