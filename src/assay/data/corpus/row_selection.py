"""Masks and row numbers, in all their dresses, checked."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assay.data.arrays import joined_mask
from assay.errors import ParameterError

__all__ = ["row_selection"]


def row_selection(rows: object, length: int) -> npt.NDArray[np.bool_] | npt.NDArray[np.int64]:
    """Return a boolean mask as such, row numbers as int64.

    Examples
    --------
    >>> row_selection([True, False], 2)
    array([ True, False])
    >>> row_selection([1, 0, 1], 2)
    array([1, 0, 1])
    """
    if isinstance(rows, pa.Array | pa.ChunkedArray):
        rows = joined_mask(rows) if pa.types.is_boolean(rows.type) else rows.to_pylist()
    chosen = np.asarray(rows)
    if chosen.size == 0 and chosen.dtype != bool:
        chosen = chosen.astype(np.int64)
    if chosen.ndim != 1 or not (chosen.dtype == bool or np.issubdtype(chosen.dtype, np.integer)):
        raise ParameterError(
            "The 'rows' parameter of select must be a mask (one boolean a row) or a list of row numbers. "
            f"Got an array of {chosen.dtype} with shape {chosen.shape} instead."
        )
    if chosen.dtype == bool:
        if len(chosen) != length:
            raise ParameterError(
                f"The mask given to select must have one boolean a row, {length}. Got {len(chosen)} instead."
            )
        return chosen
    outside = chosen[(chosen < 0) | (chosen >= length)]
    if outside.size:
        raise ParameterError(
            f"The row numbers given to select must be from 0 to {length - 1}. Got {int(outside[0])} instead."
        )
    return chosen.astype(np.int64)
