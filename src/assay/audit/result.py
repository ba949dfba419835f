"""An audit: its findings, and what was measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.audit.labels.label_errors import LabelErrors
from assay.audit.people.groups import GroupResult
from assay.audit.people.swaps import SwapResult
from assay.audit.tables import group_tables, robustness_table, suspect_table, swap_tables, worst_table
from assay.audit.texts.robustness import RobustnessResult
from assay.findings import Finding, findings_html, findings_text, summary_of
from assay.tables import Table

__all__ = ["Audit"]


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
        return summary_of(self.findings)

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
        return findings_text(f"Audit: {self.summary}", self.findings, self.tables())

    def __repr__(self) -> str:
        return f"<Audit: {self.summary}>"

    def _repr_html_(self) -> str:
        return findings_html(f"Audit: {self.summary}", self.findings, self.tables())
