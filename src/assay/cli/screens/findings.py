"""Findings as a person reads them: verdicts first, then what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from assay.cli.screens.console import results
from assay.cli.screens.tables import show_page
from assay.findings import said_once
from assay.terminal import visible

if TYPE_CHECKING:
    from assay.findings import Finding
    from assay.tables import Table

__all__ = ["show_findings"]

MARKS = {
    "concern": ("✗", "bold red"),
    "notice": ("!", "bold yellow"),
    "unknown": ("?", "bold magenta"),
    "ok": ("✓", "bold green"),
}


def show_findings(heading: str, findings: Sequence[Finding], tables: Sequence[Table]) -> None:
    """Print every finding, then the tables."""
    console = results()
    console.print(Text(visible(heading), style="bold"))
    for finding, said in zip(findings, said_once(findings), strict=True):
        console.print()
        mark, style = MARKS[finding.severity]
        console.print(Text.assemble((f"{mark} ", style), (visible(finding.title), "bold")))
        for lead, text in said if finding.severity != "ok" else said[:1]:
            console.print(Padding(Text.assemble((lead, "dim"), visible(text)), (0, 0, 0, 2)))
    for table in tables:
        if table.rows:
            console.print()
            show_page(table.text(console.width), console)
