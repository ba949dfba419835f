"""A finding: what was seen, how sure that is, what it could mean, and what it cannot show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from textwrap import fill

from assay.tables import WIDTH, Table, page_html

__all__ = ["SEVERITIES", "Finding", "findings_html", "findings_text", "ordered", "said_once", "summary_of"]

SEVERITIES = ("concern", "notice", "unknown", "ok")

_NAMES = {"concern": "concern", "notice": "to look at", "unknown": "not known", "ok": "fine"}
_LEADS = {"sure": "How sure", "could_mean": "Could mean", "cannot_show": "Cannot show"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One verdict.

    Attributes
    ----------
    part
        What was looked at: of an audit ``"groups"``, ``"swaps"``, ``"robustness"`` or ``"data"``; of drift
        ``"texts"`` or ``"answers"``.
    kind
        A short name for programs; the same in every version.
    severity
        ``"concern"``: a difference that is both clear and large. ``"notice"``: something to look at. ``"unknown"``:
        there is too little to say. ``"ok"``: looked for, and not found.
    title
        In a few words.
    seen, sure, could_mean, cannot_show
        The verdict, a sentence or two each.
    """

    part: str
    kind: str
    severity: str
    title: str
    seen: str
    sure: str
    could_mean: str
    cannot_show: str

    def to_dict(self) -> dict[str, str]:
        """The fields."""
        return asdict(self)


def ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The gravest first; otherwise as they came."""
    return tuple(sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity)))


def summary_of(findings: Iterable[Finding]) -> str:
    """How many findings of each kind."""
    found = [finding.severity for finding in findings]
    counts = {kind: found.count(kind) for kind in SEVERITIES}
    named = [f"{n} {_NAMES[kind]}{'s' if kind == 'concern' and n > 1 else ''}" for kind, n in counts.items() if n]
    return ", ".join(named) or "nothing was looked at"


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


def findings_text(heading: str, findings: Sequence[Finding], tables: Sequence[Table]) -> str:
    """A heading, every finding with its sentences, and the tables."""
    parts = [heading]
    for finding, said in zip(findings, said_once(findings), strict=True):
        lines = [f"{finding.severity.upper()}  {finding.title}", *(f"{lead}{text}" for lead, text in said)]
        parts.append(
            "\n".join(fill(line, WIDTH, initial_indent="  ", subsequent_indent="  ") for line in lines).strip()
        )
    return "\n\n".join([*parts, *(table.text() for table in tables)])


def findings_html(heading: str, findings: Sequence[Finding], tables: Sequence[Table]) -> str:
    """The same for a notebook."""
    notes = [
        f"{finding.severity.upper()}: {finding.title}. {' '.join(lead + text for lead, text in said)}"
        for finding, said in zip(findings, said_once(findings), strict=True)
    ]
    return page_html(heading, tables, notes, "Findings")
