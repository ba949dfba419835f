"""Progress of long work: drawn on a terminal, plain lines now and then elsewhere, or nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.terminal import visible

if TYPE_CHECKING:
    from assay.cli.options.screen import Screen

__all__ = ["PlainLines", "byte_progress", "row_progress", "status"]

#: Seconds from one line to the next: asked for, the first comes at once; else only work that takes long says anything.
PLAIN, NOW_AND_THEN = 5.0, 60.0

ByteProgress = Callable[[int, int], None]
RowProgress = Callable[[int, int, int], None]


class PlainLines:
    """Of all that is reported, a line now and then.

    Parameters
    ----------
    screen
        Says whether there are lines at all, and how often.
    """

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._every = PLAIN if screen.progress == "plain" else NOW_AND_THEN
        self._next = time.monotonic() + (0.0 if screen.progress == "plain" else self._every)
        self.are_shown = screen.progress != "none" and not screen.silent and not screen.is_live

    def report(self, line: Callable[[], str]) -> None:
        """Write the line, if it is time for one."""
        if self.are_shown and (now := time.monotonic()) >= self._next:
            self._next = now + self._every
            self._screen.say(line())


@contextmanager
def byte_progress(screen: Screen) -> Iterator[ByteProgress | None]:
    """What a reader calls with the bytes done and the bytes there are; None where nobody would see it."""
    if not screen.is_live:
        lines = PlainLines(screen)
        yield (lambda done, total: lines.report(lambda: f"reading: {_share(done, total)}")) if lines.are_shown else None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (TextColumn("reading"), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen.notes, transient=True) as bar:
        task = bar.add_task("reading", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _share(done: int, total: int) -> str:
    """How much of how much, in megabytes.

    Examples
    --------
    >>> _share(3_000_000, 12_000_000), _share(3_000_000, 0)
    ('3.0 of 12.0 MB (25%)', '3.0 MB')
    """
    if not total:  # of what comes through a pipe, nobody knows how much it will be
        return f"{done / 1e6:,.1f} MB"
    return f"{done / 1e6:,.1f} of {total / 1e6:,.1f} MB ({done / total:.0%})"


@contextmanager
def row_progress(paths: list[str], screen: Screen) -> Iterator[Callable[[str], RowProgress | None]]:
    """What gives each file its line: which it is, rows, rows a second, time left; nothing where nobody sees it."""

    def shown(name: str) -> str:
        return f"{paths.index(name) + 1}/{len(paths)} " * (len(paths) > 1) + visible(Path(name).name)

    if not screen.is_live:
        lines = PlainLines(screen)
        yield (lambda name: _row_lines(lines, shown(name))) if lines.are_shown else lambda _: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.fields[name]}", markup=False),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[rows]:,} rows"),
        TextColumn("{task.fields[rate]:,.0f} rows/s"),
        TimeRemainingColumn(compact=True),
        TextColumn("left"),
    )
    with Progress(*columns, console=screen.notes, transient=True) as bar:

        def begin(name: str) -> RowProgress:
            task = bar.add_task("", total=None, name=shown(name), rows=0, rate=0.0)

            def advance(rows: int, position: int, size: int) -> None:
                elapsed = bar.tasks[bar.task_ids.index(task)].elapsed or 1e-9
                known = size or None
                bar.update(task, completed=min(position, size), total=known, rows=rows, rate=rows / elapsed)
                if known and position >= size:
                    bar.update(task, visible=False)

            return advance

        yield begin


def _row_lines(lines: PlainLines, name: str) -> RowProgress:
    began = time.monotonic()

    def advance(rows: int, position: int, size: int) -> None:
        rate = rows / max(time.monotonic() - began, 1e-9)
        lines.report(
            lambda: f"{name}: {rows:,} rows, {rate:,.0f} rows/s, {_share(min(position, size or position), size)}"
        )

    return advance


@contextmanager
def status(screen: Screen, doing: str) -> Iterator[Callable[[Any], None]]:
    """Say what is being done; what this gives is called with what is being done later."""
    if screen.is_live:
        with screen.notes.status(doing) as shown:
            yield lambda said: shown.update(str(said))
        return
    lines = PlainLines(screen)
    lines.report(lambda: doing)
    yield lambda said: lines.report(lambda: str(said))
