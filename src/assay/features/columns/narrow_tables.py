"""Narrow tables of values, one column a feature, as rows of a sparse matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from assay.features.ngrams.text_features import Rows

__all__ = ["table_to_rows"]


def table_to_rows(table: npt.NDArray[Any], dtype: npt.DTypeLike = np.float64) -> Rows:
    """What is not zero in a table, as compressed rows.

    Examples
    --------
    >>> indptr, indices, data = table_to_rows(np.array([[0.0, 2.0], [0.0, 0.0], [1.0, 3.0]]))
    >>> indptr.tolist(), indices.tolist(), data.tolist()
    ([0, 1, 1, 3], [1, 0, 1], [2.0, 1.0, 3.0])
    """
    rows, columns = np.nonzero(table)
    indptr = np.searchsorted(rows, np.arange(len(table) + 1)).astype(np.int32)
    return indptr, columns.astype(np.int32), table[rows, columns].astype(dtype)
