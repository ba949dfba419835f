"""The look of every table: no lines, two spaces between columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from assay.terminal import visible

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["indented", "plain_table", "show_page"]


def plain_table(*texts: str, numbers: Sequence[str] = ()) -> Table:
    """A table without rows yet: columns of texts, then columns of numbers, which stand at the right."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for head in texts:
        table.add_column(head, overflow="fold")
    for head in numbers:
        table.add_column(head, justify="right")
    return table


def indented(table: Table) -> Padding:
    """`table`, two spaces further to the right."""
    return Padding(table, (0, 0, 0, 2), expand=False)


def show_page(page: str, console: Console) -> None:
    """Print a page of tables as it is, its headings (the lines that are not indented) in bold."""
    for line in visible(page).split("\n"):
        console.print(Text(line, style="" if line.startswith(" ") else "bold"), soft_wrap=True)
