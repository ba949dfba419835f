"""How many columns a table may have."""

from __future__ import annotations

from assay.errors import DataError

__all__ = ["MOST_COLUMNS", "require_columns"]

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
