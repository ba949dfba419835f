"""Reading data for a command: progress while it lasts, notes when it is done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from assay.cli.console import notes
from assay.cli.text import visible

if TYPE_CHECKING:
    from assay.data.corpus import Corpus
    from assay.data.options import Progress

__all__ = ["read_data"]


def read_data(data: list[str], *, delimiter: str | None = None, quiet: bool = False, **settings: Any) -> Corpus:
    """Read what a command was given, with the `settings` of `assay.read`; progress and notes go to standard error."""
    from assay.data.read import read

    source = data[0] if len(data) == 1 else data
    separator = "\t" if delimiter in ("tab", r"\t") else delimiter  # as a person would type it
    with progress_bar(quiet=quiet) as progress:
        corpus = read(source, delimiter=separator, progress=progress, **settings)
    console = notes(quiet=quiet)
    for note in corpus.notes:
        console.print(f"Note: {visible(note)}.", soft_wrap=not console.is_terminal)
    return corpus


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Progress | None]:
    """What `read` calls with the bytes done and the bytes there are; nothing where nobody would see it."""
    console = notes(quiet=quiet)
    if quiet or not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (TextColumn("reading"), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("reading", total=None)

        def advance(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield advance
