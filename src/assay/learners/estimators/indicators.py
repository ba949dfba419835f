"""Indicator matrices: a row a text, a column a label, 1 where the text has it; read into sets, and given back alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from assay.errors import DataError
from assay.label_sets import LabelSets
from assay.suggest import shortened

__all__ = ["IndicatorForm", "is_indicator", "read_indicator"]


@dataclass(frozen=True)
class IndicatorForm:
    """The form in which label sets were given, for predictions to have it, too."""

    kind: Literal["array", "csr_array", "csr_matrix"]

    @classmethod
    def like(cls, Y: Any) -> IndicatorForm:
        """The form of an indicator matrix."""
        if not sparse.issparse(Y):
            return cls("array")
        return cls("csr_matrix" if isinstance(Y, sparse.spmatrix) else "csr_array")

    def of(self, has: NDArray[np.bool_]) -> Any:
        """An indicator of whole numbers in this form."""
        if self.kind == "array":
            return has.astype(np.int64)
        return (sparse.csr_array if self.kind == "csr_array" else sparse.csr_matrix)(has, dtype=np.int64)

    def of_sets(self, sets: LabelSets) -> Any:
        """The same of sets, of which no table is made where a sparse matrix is wanted."""
        if self.kind == "array":
            return self.of(sets.table())
        return sets.sparse() if self.kind == "csr_array" else sparse.csr_matrix(sets.sparse())


def is_indicator(y: Any) -> bool:
    """Whether labels are meant as sets: a sparse matrix, or a table of numbers of more than one column."""
    if sparse.issparse(y):
        return True
    table = _array(y)
    return table is not None and table.ndim == 2 and table.shape[1] != 1 and table.dtype.kind in "biuf"


def read_indicator(Y: Any, owner: str) -> tuple[LabelSets, IndicatorForm]:
    """The set of each row, and the form that the matrix has."""
    given: Any = Y if sparse.issparse(Y) else np.asarray(Y)
    if len(given.shape) != 2 or given.shape[1] == 0:
        raise DataError(f"Y has the shape {given.shape}. {owner} needs two dimensions, and a column for each label.")
    form = IndicatorForm.like(Y)
    given = given.tocsr() if sparse.issparse(Y) else given
    values = given.data if sparse.issparse(Y) else given
    if (strange := (values != 0) & (values != 1)).any():
        raise DataError(
            f"{_place(given, strange)}, but an indicator of label sets holds only 0 and 1. {owner} learns one "
            "label a row from a list of labels, and label sets from a column of 0 and 1 for each label."
        )
    return LabelSets.of_table(given), form


def _place(Y: Any, strange: NDArray[np.bool_]) -> str:
    if hasattr(Y, "tocoo"):
        at, entries = int(np.argmax(strange)), Y.tocoo()
        row, column, value = entries.row[at], entries.col[at], entries.data[at]
    else:
        row, column = np.argwhere(strange)[0].tolist()
        value = Y[row, column]
    return f"Y[{row}, {column}] is {shortened(value.item())}"


def _array(y: Any) -> NDArray[Any] | None:
    try:
        return np.asarray(y)
    except ValueError:  # lists of different lengths
        return None
