"""A finding: what was seen, how sure that is, what it could mean, and what it cannot show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

__all__ = ["SEVERITIES", "Finding", "ordered"]

SEVERITIES = ("concern", "notice", "unknown", "ok")


@dataclass(frozen=True, slots=True)
class Finding:
    """One verdict of an audit.

    Attributes
    ----------
    part
        ``"groups"``, ``"swaps"``, ``"robustness"`` or ``"data"``.
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
