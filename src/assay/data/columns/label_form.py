"""How labels stand in a table: one in a cell, several with a separator, as a list, or a column of 0 and 1 for each."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

__all__ = ["ONE_LABEL", "LabelForm", "is_list"]


@dataclass(frozen=True, slots=True)
class LabelForm:
    """One of the forms.

    Parameters
    ----------
    separator
        What stands between the labels of a cell.
    lists
        Whether a cell is a list of labels.
    columns
        The columns, one a label, that hold 0 or 1.
    one_a_cell
        Whether a cell holds one label, or none, although a text may have several elsewhere.
    note
        How it was found out, where nobody said it.
    """

    separator: str | None = None
    lists: bool = False
    columns: tuple[str, ...] = ()
    one_a_cell: bool = False
    note: str | None = None

    @property
    def gives_sets(self) -> bool:
        """Whether a text gets a set of labels, which may be empty, and not one label."""
        return self.separator is not None or self.lists or bool(self.columns) or self.one_a_cell


ONE_LABEL = LabelForm()


def is_list(kind: pa.DataType) -> bool:
    """Whether values of a type are lists."""
    types = pa.types
    return bool(
        types.is_list(kind)
        or types.is_large_list(kind)
        or types.is_fixed_size_list(kind)
        or types.is_list_view(kind)
        or types.is_large_list_view(kind)
    )
