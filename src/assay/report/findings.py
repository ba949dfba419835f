"""Findings as a page: the verdicts first, the gravest at the top, then what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assay.findings import said_once
from assay.report.build import environment

if TYPE_CHECKING:
    from assay.findings import Finding
    from assay.tables import Table

__all__ = ["render_findings"]

_TAGS = {"concern": ("error", "concern"), "notice": ("warning", "to look at"), "unknown": ("note", "not known")}


def render_findings(
    findings: Sequence[Finding],
    tables: Sequence[Table],
    *,
    kind: str,
    model: str,
    asked: str,
    headline: tuple[str, str, str],
    plain: str,
    level: float,
) -> str:
    """One page that needs no other and no network.

    Parameters
    ----------
    findings, tables
        The verdicts, the gravest first, and what was measured.
    kind
        What looked: "audit".
    model
        What the page calls the model.
    asked, headline, plain
        The question of the page; its answer, of which the second part stands out; and what the answer means.
    level
        Coverage of the intervals.
    """
    verdicts = [
        {"title": finding.title, "severity": finding.severity, "said": said}
        for finding, said in zip(findings, said_once(findings), strict=True)
    ]
    page: dict[str, Any] = {
        "kind": kind,
        "model": model,
        "asked": asked,
        "headline": headline,
        "plain": plain,
        "grave": [verdict for verdict in verdicts if verdict["severity"] != "ok"],
        "fine": [verdict for verdict in verdicts if verdict["severity"] == "ok"],
        "tags": _TAGS,
        "tables": [table for table in tables if table.rows],
        "level": level,
    }
    return environment().get_template("findings.html").render(page)
