"""How far a workspace is, on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from assay.cli.screens.tables import indented, plain_table
from assay.evaluation.presenting.percentages import percent
from assay.suggest import counted, quote
from assay.terminal import one_line, visible

if TYPE_CHECKING:
    from rich.console import Console

    from assay.workspace import Status

__all__ = ["measured_sentence", "show_status"]

_MOST_LABELS = 30


def show_status(status: Status, console: Console) -> None:
    """Texts, labels, people, the newest model, what was repaired, and what to do next."""
    copies = status.rows - status.texts
    console.print(Text(visible(f"{status.folder}: {counted(status.texts, 'text', 'texts')}"), style="bold"))
    if copies:
        _line(console, f"{counted(copies, 'row is', 'rows are')} the same as an earlier one: one decision serves all.")
    _line(
        console,
        f"{status.decided:,} decided here, {status.from_data:,} with a label of the data, {status.unlabelled:,} "
        "without.",
    )
    _labels(status, console)
    _people(status, console)
    _line(console, measured_sentence(status))
    for sentence in (*_repairs(status), *(f"{note}." for note in status.notes)):
        _line(console, sentence)
    console.print(Text("Next", style="bold"))
    _line(console, status.next_step)


def measured_sentence(status: Status) -> str:
    """What the newest model is worth, or why nobody knows."""
    if status.model is None:
        return f"There is no model yet; of the texts that are kept aside to measure one by, {_with_label(status)}."
    if status.measured is None:
        return f"{status.model} is not measured yet: of texts kept aside, {_with_label(status)}; ten are the fewest."
    found, kept = status.measured, counted(status.kept_aside, "text that was", "texts that were")
    value, low, high = (percent(share) for share in (found.value, found.low, found.high))
    if found.metric != "accuracy":
        value, low, high = (f"{share:.3f}" for share in (found.value, found.low, found.high))
        return f"{status.model}: {found.metric} {value} [{low}, {high}] on {kept} shown at random and never trained on."
    return f"{status.model} is right in {value} [{low} to {high}] of {kept} shown at random and never trained on."


def _with_label(status: Status) -> str:
    return f"{status.kept_aside:,} {'has' if status.kept_aside == 1 else 'have'} a label"


def _labels(status: Status, console: Console) -> None:
    if not status.labels:
        return
    table = plain_table("label", numbers=["decided", "from data"])
    for count in status.labels[:_MOST_LABELS]:
        table.add_row(one_line(quote(count.label), 60), f"{count.decided:,}", f"{count.from_data:,}")
    console.print(indented(table))
    if len(status.labels) > _MOST_LABELS:
        _line(console, f"and {len(status.labels) - _MOST_LABELS:,} more labels; --json has all of them.")


def _people(status: Status, console: Console) -> None:
    if not status.coders:
        return
    table = plain_table("who", numbers=["texts"])
    for heading in ("first (UTC)", "last (UTC)"):
        table.add_column(heading)
    for coder in status.coders:
        times = (time[:16].replace("T", " ") for time in (coder.first, coder.last))
        table.add_row(one_line(coder.who, 40), f"{coder.texts:,}", *map(visible, times))
    console.print(indented(table))
    if status.conflicts:
        _line(
            console,
            f"People differ about {counted(status.conflicts, 'text', 'texts')}; the latest decision counts.",
        )


def _repairs(status: Status) -> list[str]:
    sentences = []
    if status.elsewhere:
        about = counted(status.elsewhere, "decision is", "decisions are")
        sentences.append(f"{about} about texts that the data does not have now; they are kept.")
    if status.repaired:
        ends = counted(len(status.repaired), "end", "ends")
        sentences.append(
            f"{ends} of labels.jsonl {'was' if len(status.repaired) == 1 else 'were'} cut off and set aside, as when a "
            f"program is killed: {', '.join(status.repaired)}."
        )
    return sentences


def _line(console: Console, sentence: str) -> None:
    console.print(Padding(Text(visible(sentence)), (0, 0, 0, 2), expand=False))
