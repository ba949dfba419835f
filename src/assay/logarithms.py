"""Logarithms that end up in a model: the same bits on every processor with the same C library.

NumPy has a `log` of its own for processors with AVX-512, which rounds some results differently from the others'. That
would make idf weights, and with them every weight that is learned, depend on the machine.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from assay import _native

__all__ = ["log"]


def log(x: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Natural logarithm of each number, in double precision: -inf for 0, NaN below.

    Examples
    --------
    >>> log([1.0, 0.0]).tolist()
    [0.0, -inf]
    """
    numbers: npt.NDArray[Any] = np.asarray(x, dtype=np.float64)
    logarithms: npt.NDArray[np.float64] = _native.logarithms(np.ascontiguousarray(numbers).ravel())
    return logarithms.reshape(numbers.shape)
