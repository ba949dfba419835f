"""An audit: its findings, and what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any

from assay.audit.findings import SEVERITIES, Finding
from assay.audit.labels.label_errors import LabelErrors
from assay.audit.people.groups import GroupResult
from assay.audit.people.swaps import SwapResult
from assay.audit.tables import group_tables, robustness_table, suspect_table, swap_tables, worst_table
from assay.audit.texts.robustness import RobustnessResult
from assay.tables import WIDTH, Table, page_html

__all__ = ["Audit"]

_NAMES = {"concern": "concern", "notice": "to look at", "unknown": "not known", "ok": "fine"}
_LEADS = {"sure": "How sure", "could_mean": "Could mean", "cannot_show": "Cannot show"}


@dataclass(frozen=True)
class Audit:
    """What an audit found. Made by `assay.audit.audit`.

    Attributes
    ----------
    findings
        Verdicts, the gravest first.
    groups, swaps, robustness
        What was measured.
    label_errors
        Likely label errors; None where they were not looked for.
    """

    labels: tuple[str, ...]
    findings: tuple[Finding, ...]
    groups: tuple[GroupResult, ...]
    swaps: tuple[SwapResult, ...]
    robustness: tuple[RobustnessResult, ...]
    label_errors: LabelErrors | None
    level: float
    seed: int

    @property
    def concerns(self) -> tuple[Finding, ...]:
        """The findings that are both clear and large."""
        return tuple(finding for finding in self.findings if finding.severity == "concern")

    @property
    def summary(self) -> str:
        """How many findings of each kind."""
        counts = {kind: sum(finding.severity == kind for finding in self.findings) for kind in SEVERITIES}
        named = [f"{n} {_NAMES[kind]}{'s' if kind == 'concern' and n > 1 else ''}" for kind, n in counts.items() if n]
        return ", ".join(named) or "nothing was looked at"

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; the shape is described in the guide to audits and stays as it is."""
        return {
            "kind": "audit",
            "version": 1,
            "labels": list(self.labels),
            "level": self.level,
            "seed": self.seed,
            "findings": [finding.to_dict() for finding in self.findings],
            "groups": [result.to_dict() for result in self.groups],
            "swaps": [result.to_dict() for result in self.swaps],
            "robustness": [result.to_dict() for result in self.robustness],
            "label_errors": None if self.label_errors is None else self.label_errors.to_dict(),
        }

    def tables(self) -> list[Table]:
        """Everything that was measured."""
        tables = [table for result in self.groups for table in group_tables(result)]
        if self.swaps:
            tables += [*swap_tables(self.swaps), worst_table(self.swaps)]
        if self.robustness:
            tables.append(robustness_table(self.robustness))
        if self.label_errors is not None and self.label_errors.suspects:
            tables.append(suspect_table(self.label_errors))
        return tables

    def __str__(self) -> str:
        parts = [f"Audit: {self.summary}"]
        for finding, said in zip(self.findings, said_once(self.findings), strict=True):
            lines = [f"{finding.severity.upper()}  {finding.title}", *(f"{lead}{text}" for lead, text in said)]
            parts.append(
                "\n".join(fill(line, WIDTH, initial_indent="  ", subsequent_indent="  ") for line in lines).strip()
            )
        parts += [table.text() for table in self.tables()]
        return "\n\n".join(parts)

    def __repr__(self) -> str:
        return f"<Audit: {self.summary}>"

    def _repr_html_(self) -> str:
        notes = [
            f"{finding.severity.upper()}: {finding.title}. {' '.join(lead + text for lead, text in said)}"
            for finding, said in zip(self.findings, said_once(self.findings), strict=True)
        ]
        return page_html(f"Audit: {self.summary}", self.tables(), notes, "Findings")


def said_once(findings: Sequence[Finding]) -> list[list[tuple[str, str]]]:
    """The four sentences of each verdict with what they lead in with; of one where all is well, the first two.

    What is word for word the same as in a verdict before is not said again.
    """
    before: set[str] = set()
    said = []
    for finding in findings:
        parts = {lead: getattr(finding, part) for part, lead in _LEADS.items()}
        if finding.severity == "ok":
            parts = {"How sure": finding.sure}
        lines = [("", finding.seen), *((f"{lead}: ", text) for lead, text in parts.items() if text not in before)]
        repeated = [lead for lead, text in parts.items() if text in before]
        if repeated:
            first, *others = repeated
            lines.append((f"{', '.join([first, *(lead.lower() for lead in others)])}: ", "as above."))
        before |= set(parts.values())
        said.append(lines)
    return said
