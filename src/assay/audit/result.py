"""An audit: its findings, and what was measured."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import fill
from typing import Any

from assay.audit.findings import SEVERITIES, Finding
from assay.audit.groups import GroupResult
from assay.audit.label_errors import LabelErrors
from assay.audit.robustness import RobustnessResult
from assay.audit.swaps import SwapResult
from assay.audit.tables import group_tables, robustness_table, suspect_table, swap_table, worst_table
from assay.evaluation.tables import Table, page_html

__all__ = ["Audit"]

_NAMES = {"concern": "concerns", "notice": "to look at", "unknown": "not known", "ok": "fine"}
_PARTS = ("sure", "could_mean", "cannot_show")
_LEADS = {"sure": "How sure: ", "could_mean": "Could mean: ", "cannot_show": "Cannot show: "}


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
        return ", ".join(f"{n} {_NAMES[kind]}" for kind, n in counts.items() if n) or "nothing was looked at"

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
            tables += [swap_table(self.swaps), worst_table(self.swaps)]
        if self.robustness:
            tables.append(robustness_table(self.robustness))
        if self.label_errors is not None and self.label_errors.suspects:
            tables.append(suspect_table(self.label_errors))
        return tables

    def __str__(self) -> str:
        parts = [f"Audit: {self.summary}"]
        for finding in self.findings:
            lines = [f"{finding.severity.upper()}  {finding.title}", *finding_lines(finding)]
            parts.append(
                "\n".join(fill(line, 110, initial_indent="  ", subsequent_indent="  ") for line in lines).strip()
            )
        parts += [table.text() for table in self.tables()]
        return "\n\n".join(parts)

    def __repr__(self) -> str:
        return f"<Audit: {self.summary}>"

    def _repr_html_(self) -> str:
        notes = [f"{f.severity.upper()}: {f.title}. {' '.join(finding_lines(f))}" for f in self.findings]
        return page_html(f"Audit: {self.summary}", self.tables(), notes, "Findings")


def finding_lines(finding: Finding) -> list[str]:
    """The four sentences of a verdict; of one where nothing was found, the first two."""
    parts = _PARTS if finding.severity != "ok" else _PARTS[:1]
    return [finding.seen, *(_LEADS[part] + getattr(finding, part) for part in parts)]
