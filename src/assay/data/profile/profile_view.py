"""How a profile shows itself in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.suggest import counted
from assay.tables import Table, page_html

if TYPE_CHECKING:
    from assay.data.profile.profile import Profile
    from assay.data.profile.set_profile import SetProfile

__all__ = ["labels_a_text", "profile_heading", "profile_html"]

_SHOWN_CLASSES = 20
_SHOWN_SIZES = 6  # numbers of labels that have a line of their own


def profile_heading(profile: Profile, name: str) -> str:
    """What it is and how much of it there is."""
    n = len(profile.classes)
    sets = profile.label_sets
    classes = f"in {counted(n, 'class', 'classes')}" if n else "without labels"
    if sets is not None:
        classes = f"with {counted(n, 'label', 'labels')}, {sets.mean:.2f} a text"
    return f"{name}: {counted(profile.n_texts, 'text', 'texts')} {classes}"


def profile_html(profile: Profile) -> str:
    """The largest classes, how long the texts are, and what to look at."""
    shown = [(item.label, f"{item.count:,}", f"{item.share:.1%}") for item in profile.classes[:_SHOWN_CLASSES]]
    others = profile.classes[_SHOWN_CLASSES:]
    if others:
        count, share = sum(item.count for item in others), sum(item.share for item in others)
        of_all = f"{share:.1%}" if profile.label_sets is None else ""  # a text may have several of them
        shown.append((f"{len(others):,} more", f"{count:,}", of_all))
    lengths = [
        (name, *(f"{value:,.0f}" for value in (found.minimum, found.median, found.mean, found.p95, found.maximum)))
        for name, found in (("characters", profile.characters), ("words", profile.words))
        if found is not None
    ]
    title, name = ("Classes", "class") if profile.label_sets is None else ("Labels", "label")
    tables = [
        Table(title, (name, "texts", "share"), shown),
        *_set_tables(profile),
        Table("Lengths", ("of a text", "shortest", "median", "mean", "95%", "longest"), lengths),
    ]
    findings = [f"{finding.what}. {finding.where} → {finding.advice}" for finding in profile.findings]
    heading = profile_heading(profile, profile.source)
    return page_html(heading, [table for table in tables if table.rows], findings, "What to look at")


def _set_tables(profile: Profile) -> list[Table]:
    if profile.label_sets is None:
        return []
    sizes = [(name, f"{n:,}", f"{n / profile.n_texts:.1%}") for name, n in labels_a_text(profile.label_sets)]
    pairs = [(*pair.labels, f"{pair.count:,}", f"{pair.lift:.1f}") for pair in profile.label_sets.pairs]
    return [
        Table("Labels a text", ("labels", "texts", "share"), sizes),
        Table("Labels that come together", ("label", "and", "texts", "times chance"), pairs),
    ]


def labels_a_text(sets: SetProfile) -> list[tuple[str, int]]:
    """How many texts have each number of labels, the last in one line.

    Examples
    --------
    >>> from assay import Corpus
    >>> labels_a_text(Corpus(list("abc"), [["x"], [], ["x", "y"]]).profile().label_sets)
    [('none', 1), ('1', 1), ('2', 1)]
    """
    shown = [("none" if k == 0 else str(k), n) for k, n in enumerate(sets.sizes[:_SHOWN_SIZES])]
    more = sum(sets.sizes[_SHOWN_SIZES:])
    return [item for item in shown if item[1]] + ([(f"{_SHOWN_SIZES} or more", more)] if more else [])
