"""A table of measurements on the terminal: the first column is text, numbers stand to the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from assay.cli.tables import plain_table
from assay.cli.text import visible

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from assay.evaluation.tables import Table

__all__ = ["measured_table"]


def measured_table(table: Table) -> RichTable:
    """In the look of every table; nothing in it is taken for markup."""
    shown = plain_table()
    for number, header in enumerate(table.headers):
        shown.add_column(Text(visible(header)), justify="right" if number else "left", overflow="fold")
    for row in table.rows:
        shown.add_row(*(Text(visible(cell)) for cell in row))
    return shown
