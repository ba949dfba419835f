"""How many columns a table may have, and that they are equally long."""

from __future__ import annotations

from collections.abc import Mapping, Sized

from assay.errors import DataError
from assay.suggest import counted, quote

__all__ = ["MOST_COLUMNS", "require_columns", "require_equal_lengths"]

MOST_COLUMNS = 1 << 14
"""As many as a spreadsheet has; each takes some kilobytes and a third of a millisecond, whatever is in it."""


def require_columns(n_columns: int, where: str, hint: str = "Leave those out that are not needed.") -> None:
    """Refuse a table that is wider than any table of texts: most often it is no table.

    Examples
    --------
    >>> require_columns(3, "reviews.csv")
    """
    if n_columns > MOST_COLUMNS:
        raise DataError(f"{where}: there are more than {MOST_COLUMNS:,} columns, which is the most. {hint}")


def require_equal_lengths(name: str, columns: Mapping[str, Sized]) -> None:
    """Complain about columns of which one has more rows than another."""
    lengths = {column: len(values) for column, values in columns.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(
            f"{quote(column)} has {counted(length, 'row', 'rows')}" for column, length in lengths.items()
        )
        raise DataError(f"{name}: the columns differ in length: {listed}.")
