"""The look of every table: no lines, two spaces between columns."""

from __future__ import annotations

from rich.padding import Padding
from rich.table import Table

__all__ = ["indented", "plain_table"]


def plain_table() -> Table:
    """A table without columns yet."""
    return Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")


def indented(table: Table) -> Padding:
    """`table`, two spaces further to the right."""
    return Padding(table, (0, 0, 0, 2), expand=False)
