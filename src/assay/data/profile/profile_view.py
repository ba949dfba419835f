"""How a profile shows itself in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.suggest import counted
from assay.tables import Table, page_html

if TYPE_CHECKING:
    from assay.data.profile.profile import Profile

__all__ = ["profile_heading", "profile_html"]

_SHOWN_CLASSES = 20


def profile_heading(profile: Profile, name: str) -> str:
    """What it is and how much of it there is."""
    n = len(profile.classes)
    classes = f"in {counted(n, 'class', 'classes')}" if n else "without labels"
    return f"{name}: {counted(profile.n_texts, 'text', 'texts')} {classes}"


def profile_html(profile: Profile) -> str:
    """The largest classes, how long the texts are, and what to look at."""
    shown = [(item.label, f"{item.count:,}", f"{item.share:.1%}") for item in profile.classes[:_SHOWN_CLASSES]]
    others = profile.classes[_SHOWN_CLASSES:]
    if others:
        count, share = sum(item.count for item in others), sum(item.share for item in others)
        shown.append((f"{len(others):,} more", f"{count:,}", f"{share:.1%}"))
    lengths = [
        (name, *(f"{value:,.0f}" for value in (found.minimum, found.median, found.mean, found.p95, found.maximum)))
        for name, found in (("characters", profile.characters), ("words", profile.words))
        if found is not None
    ]
    tables = [
        Table("Classes", ("class", "texts", "share"), shown),
        Table("Lengths", ("of a text", "shortest", "median", "mean", "95%", "longest"), lengths),
    ]
    findings = [f"{finding.what}. {finding.where} → {finding.advice}" for finding in profile.findings]
    heading = profile_heading(profile, profile.source)
    return page_html(heading, [table for table in tables if table.rows], findings, "What to look at")
