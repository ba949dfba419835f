"""An audit as a person reads it: verdicts first, then what was measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from assay.audit.result import said_once
from assay.cli.screens.console import results
from assay.cli.screens.tables import show_page
from assay.terminal import visible

if TYPE_CHECKING:
    from assay.audit import Audit

__all__ = ["show_audit"]

MARKS = {
    "concern": ("✗", "bold red"),
    "notice": ("!", "bold yellow"),
    "unknown": ("?", "bold magenta"),
    "ok": ("✓", "bold green"),
}


def show_audit(result: Audit) -> None:
    """Print every finding, then the tables."""
    console = results()
    console.print(Text(f"Audit: {result.summary}", style="bold"))
    for finding, said in zip(result.findings, said_once(result.findings), strict=True):
        console.print()
        mark, style = MARKS[finding.severity]
        console.print(Text.assemble((f"{mark} ", style), (visible(finding.title), "bold")))
        for lead, text in said if finding.severity != "ok" else said[:1]:
            console.print(Padding(Text.assemble((lead, "dim"), visible(text)), (0, 0, 0, 2)))
    for table in result.tables():
        if table.rows:
            console.print()
            show_page(table.text(console.width), console)
