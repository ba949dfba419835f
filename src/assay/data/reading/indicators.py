"""Labels as a table of 0 and 1, a row a text and a column a label, as scikit-learn has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from assay.data.arrays import integer_array
from assay.errors import DataError
from assay.label_sets import LabelSets

__all__ = ["is_indicator", "lists_of_indicator"]


def is_indicator(labels: Any) -> bool:
    """Whether labels are an array or a sparse matrix of two dimensions.

    Examples
    --------
    >>> is_indicator(np.eye(2)), is_indicator(np.array(["pos", "neg"]))
    (True, False)
    """
    return (isinstance(labels, np.ndarray) and labels.ndim == 2) or hasattr(labels, "tocsr")


def lists_of_indicator(labels: Any) -> pa.ChunkedArray:
    """The numbers of the columns that hold 1, for each row.

    Examples
    --------
    >>> lists_of_indicator(np.array([[1, 0, 1], [0, 0, 0]])).to_pylist()
    [[0, 2], []]
    """
    values = labels.tocsr().data if hasattr(labels, "tocsr") else labels
    right = np.isin(values, (0, 1)) if values.dtype.kind in "biuf" else np.zeros(values.shape, bool)
    if not right.all():
        raise DataError(
            f"(texts, labels): the labels are a table of {labels.shape[0]:,} rows and {labels.shape[1]:,} columns that "
            f"holds {values[~right].tolist()[0]!r}. A table of labels has a column for each label, with 1 where a text "
            "has it and 0 elsewhere; for one label a text, give a list."
        )
    sets = LabelSets.of_table(labels)
    numbers = integer_array(sets.members.astype(np.int64))
    return pa.chunked_array([pa.LargeListArray.from_arrays(integer_array(sets.offsets), numbers)])
