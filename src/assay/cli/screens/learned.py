"""What a model has learned, on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from assay.cli.screens.tables import indented, plain_table
from assay.explanation.presentation import readable
from assay.suggest import counted
from assay.terminal import one_line, visible

if TYPE_CHECKING:
    from rich.console import Console

    from assay.explanation.importance import GroupImportance
    from assay.explanation.prototypes import ClassPrototype
    from assay.explanation.weights import FeatureWeight

__all__ = ["show_groups", "show_prototypes", "show_top_features"]

WIDEST = 100
LONGEST = 300  # characters of a text
NARROWEST = 20  # characters of an example


def show_top_features(found: dict[str, list[FeatureWeight]], console: Console) -> None:
    """The features that speak most for each class, with their weights and, if counted, where they occur."""
    for label, items in found.items():
        counted = any(item.inside is not None for item in items)
        console.print(Text(visible(label), style="bold"))
        heads = ["feature", "weight"]
        rows = [[visible(readable(item)), f"{item.weight:+.4f}"] for item in items]
        if any(item.lead is not None for item in items):
            heads.append("lead" if counted else "lead over other classes")
            for row, item in zip(rows, items, strict=True):
                row.append("" if item.lead is None else f"{item.lead:+.4f}")
        if counted:
            heads += ["texts here", "elsewhere"]
            for row, item in zip(rows, items, strict=True):
                row += [f"{item.inside or 0:,}", f"{item.outside or 0:,}"]
        table = plain_table()
        for c, head in enumerate(heads):
            table.add_column(head, justify="right" if c else "left", no_wrap=True, min_width=0 if c == 0 else len(head))
        if room := left_for_examples(console, heads, rows) if counted else 0:
            table.add_column("for example", style="dim")
            for row, item in zip(rows, items, strict=True):
                row.append(one_line(item.example or "", room))
        for row in rows:
            table.add_row(*row)
        console.print(indented(table))
        console.print()


def left_for_examples(console: Console, heads: list[str], rows: list[list[str]]) -> int:
    """Characters that a line has beside the other columns; 0 where that is too little for an example."""
    widths = [max(len(line[c]) for line in [heads, *rows]) + 2 for c in range(len(heads))]
    room = min(console.width, WIDEST + 20) - sum(widths) - 3
    return room if room >= NARROWEST else 0


def show_prototypes(found: dict[str, ClassPrototype], console: Console) -> None:
    """What each class is like."""
    width = min(console.width, WIDEST)
    for label, prototype in found.items():
        heading = f"{visible(label)}, {counted(prototype.n_documents, 'document', 'documents')}"
        console.print(Text(heading, style="bold"), width=width)
        names = ", ".join(
            f"{visible(readable(item))} ({item.inside:.3f} / {item.outside:.3f})" for item in prototype.features
        )
        console.print(Padding(Text(f"more of (here / elsewhere): {names}"), (0, 0, 0, 2)), width=width)
        for document in prototype.documents:
            told = Text(f"{document.similarity:.2f}  document {document.position + 1:,}: ", style="dim")
            told.append(one_line(document.text, LONGEST), style="not dim")
            console.print(Padding(told, (0, 0, 0, 2)), width=width)
        console.print()


def show_groups(found: GroupImportance, console: Console) -> None:
    """What each group of features is worth."""
    width = min(console.width, WIDEST)
    (page,) = found.tables()
    console.print(Text(visible(page.title), style="bold"), width=width)
    console.print()
    table = plain_table()
    for c, head in enumerate(page.headers):
        table.add_column(head, justify="right" if c else "left", no_wrap=c > 0)
    for row, effect in zip(page.rows, found.effects, strict=True):
        table.add_row(*map(visible, row), style="" if effect.comparison.significant else "dim")
    console.print(indented(table))
    console.print()
    for note in found.notes:
        console.print(Text(note), width=width)
