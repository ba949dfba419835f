"""A profile as a person reads it: classes, lengths, and what to look at."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from assay.cli.screens.tables import indented, plain_table
from assay.data.corpus.spellings import shown_labels
from assay.data.profile.profile_view import labels_a_text, profile_heading
from assay.suggest import counted
from assay.terminal import one_line, visible

if TYPE_CHECKING:
    from rich.console import Console

    from assay.data.profile.finding import DataFinding
    from assay.data.profile.lengths import Lengths
    from assay.data.profile.profile import Profile

__all__ = ["show_profile", "without_known"]

SHOWN_CLASSES = 20
BAR = 20
MARKS = {"error": ("✗", "bold red"), "warning": ("!", "bold yellow"), "note": ("·", "bold cyan")}


def show_profile(profile: Profile, console: Console, *, name: str | None = None) -> None:
    """Print `profile` to `console`, under the name of its source or another `name`.

    Labels that look like spellings of one come first: every number after them may be one of two halves.
    """
    first = tuple(finding for finding in profile.findings if finding.kind == "similar_labels")
    others = tuple(finding for finding in profile.findings if finding not in first)
    if first:
        console.print(finding_table(first))
        console.print()
    console.print(Text(profile_heading(profile, visible(name or profile.source)), style="bold"))
    for table in (class_table(profile, console), *set_tables(profile, console), length_table(profile)):
        if table.row_count:
            console.print()
            console.print(indented(table))
    console.print()
    if others:
        console.print(Text("What else to look at" if first else "What to look at", style="bold"))
        console.print()
        console.print(indented(finding_table(others)))
    elif not first:
        console.print("Nothing to put right was found.", style="green")


def without_known(profile: Profile, **known: bool) -> Profile:
    """The profile without findings of kinds that the person has said to know: what was asked for is no warning."""
    return replace(profile, findings=tuple(item for item in profile.findings if not known.get(item.kind)))


def class_table(profile: Profile, console: Console) -> Table:
    """The largest classes with their shares; the others in one line."""
    sets = profile.label_sets is not None
    table = plain_table("label" if sets else "class", numbers=["texts", "share"])
    table.add_column("")
    largest = profile.classes[0].count if profile.classes else 0
    shown = shown_labels(item.label for item in profile.classes)
    for name, item in zip(shown, profile.classes[:SHOWN_CLASSES], strict=False):
        table.add_row(one_line(name, 40), f"{item.count:,}", f"{item.share:.1%}", bar(item.count, largest, console))
    others = profile.classes[SHOWN_CLASSES:]
    if others:
        total = sum(item.count for item in others)
        share = "" if sets else f"{sum(item.share for item in others):.1%}"  # a text may have several of them
        more = ("more label", "more labels") if sets else ("more class", "more classes")
        sizes = f"{others[-1].count:,} to {others[0].count:,} each"
        table.add_row(counted(len(others), *more), f"{total:,}", share, sizes, style="dim")
    return table


def bar(count: int, largest: int, console: Console) -> Text:
    """A count as a bar."""
    full = "#" if console.options.ascii_only else "█"
    return Text(full * max(1, round(BAR * count / largest)), style="cyan")


def set_tables(profile: Profile, console: Console) -> list[Table]:
    """How many labels a text has, and which come together more often than by chance; nothing for one label a text."""
    if profile.label_sets is None:
        return []
    rows = labels_a_text(profile.label_sets)
    sizes = plain_table("labels a text", numbers=["texts", "share"])
    sizes.add_column("")
    largest = max((n for _, n in rows), default=0)
    for name, n in rows:
        sizes.add_row(name, f"{n:,}", f"{n / profile.n_texts:.1%}", bar(n, largest, console))
    pairs = plain_table("come together", "", numbers=["texts", "times chance"])
    for pair in profile.label_sets.pairs:
        pairs.add_row(*(one_line(name, 30) for name in pair.labels), f"{pair.count:,}", f"{pair.lift:.1f}")
    return [sizes, pairs]


def length_table(profile: Profile) -> Table:
    """How long the texts are."""
    table = plain_table("length", numbers=["shortest", "median", "mean", "95% up to", "longest"])
    for unit, lengths in (("words", profile.words), ("characters", profile.characters)):
        if lengths is not None:
            table.add_row(unit, *length_cells(lengths))
    return table


def length_cells(lengths: Lengths) -> list[str]:
    """One row of the table of lengths."""
    return [
        f"{lengths.minimum:,}",
        f"{lengths.median:,.0f}",
        f"{lengths.mean:,.1f}",
        f"{lengths.p95:,.0f}",
        f"{lengths.maximum:,}",
    ]


def finding_table(findings: tuple[DataFinding, ...]) -> Table:
    """What was found, where, and the way out."""
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for number, finding in enumerate(findings):
        if number:
            table.add_row()
        mark, style = MARKS[finding.severity]
        table.add_row(Text(mark, style=style), Text(visible(finding.what)))
        table.add_row("", Text(visible(finding.where), style="dim"))
        table.add_row("→", Text(visible(finding.advice)))
    return table
