"""An audit as a person reads it: verdicts first, then what was measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from assay.cli.console import results
from assay.cli.measured_tables import measured_table
from assay.cli.tables import indented
from assay.cli.text import visible

if TYPE_CHECKING:
    from assay.audit import Audit, Finding

__all__ = ["show_audit"]

MARKS = {
    "concern": ("✗", "bold red"),
    "notice": ("!", "bold yellow"),
    "unknown": ("?", "bold magenta"),
    "ok": ("✓", "bold green"),
}
LEADS = {"sure": "How sure", "could_mean": "Could mean", "cannot_show": "Cannot show"}


def show_audit(result: Audit) -> None:
    """Print every finding, then the tables."""
    console = results()
    console.print(Text(f"Audit: {result.summary}", style="bold"))
    for finding in result.findings:
        console.print()
        mark, style = MARKS[finding.severity]
        console.print(Text.assemble((f"{mark} ", style), (visible(finding.title), "bold")))
        for line in lines(finding):
            console.print(Padding(line, (0, 0, 0, 2)))
    for table in result.tables():
        if table.rows:
            console.print()
            console.print(Text(visible(table.title), style="bold"))
            console.print(indented(measured_table(table)))


def lines(finding: Finding) -> list[Text]:
    """The sentences of a verdict; of one where all is well, only what was seen."""
    shown = [Text(visible(finding.seen))]
    if finding.severity != "ok":
        shown += [Text.assemble((f"{lead}: ", "dim"), visible(getattr(finding, part))) for part, lead in LEADS.items()]
    return shown
