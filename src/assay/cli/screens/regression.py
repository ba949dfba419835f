"""A regression as a person reads it: the answer first, then what it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from assay.cli.screens.console import results
from assay.cli.screens.tables import show_page
from assay.terminal import visible

if TYPE_CHECKING:
    from assay.inference.result import Regression

__all__ = ["show_regression"]


def show_regression(result: Regression) -> None:
    """Print the answer for each feature, the tables, and the notes."""
    console = results()
    console.print(Text(visible(result.heading), style="bold"))
    for test, sentence in zip(result.tests, result.conclusions, strict=True):
        yes = test.holm < 1 - result.level
        console.print()
        console.print(Text.assemble(("✓ " if yes else "· ", "bold green" if yes else "bold cyan"), visible(sentence)))
    for table in result.tables():
        console.print()
        show_page(table.text(console.width), console)
    for note in result.notes:
        console.print()
        console.print(Text.assemble(("Note: ", "bold yellow"), visible(note)))
