"""Files through a model, for a command: which output belongs to which input, progress, and what to say at the end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.cli.reading.data import asking_for_columns, say_notes
from assay.cli.screens.console import notes, print_json
from assay.data.reading.locate import expand_path
from assay.errors import ParameterError
from assay.output_files import check_outputs
from assay.streaming.outputs import outputs_in_folder
from assay.streaming.predict import FilePrediction, RowProgress, predict_file, predict_files
from assay.suggest import counted
from assay.terminal import visible

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier
    from assay.data.options import ReadOptions

__all__ = ["check_places", "label_files"]


def check_places(model: str, data: list[str], output: str | None, to: str | None, *, force: bool) -> None:
    """Complain, before the model is loaded, about outputs that would be written over it or over what is read."""
    paths = [path for item in data for path in expand_path(item)]
    if output is None or not is_folder(output, paths):
        check_outputs([output], [model, *paths], force=force)
    elif os.path.isdir(output):  # noqa: PTH112  (in a new one, nothing can be written over)
        check_outputs(outputs_in_folder(paths, output, to), [model, *paths], force=True)


def label_files(
    model: TextClassifier,
    data: list[str],
    output: str | None,
    *,
    options: ReadOptions,
    as_json: bool,
    quiet: bool,
    **settings: Any,
) -> None:
    """Label one file to a file or to standard output, several into a folder."""
    paths = [path for item in data for path in expand_path(item)]
    silent = quiet or (as_json and output is not None)

    def label(options: ReadOptions) -> list[FilePrediction]:
        with row_progress(paths, quiet=silent or output is None) as progress:
            return list(run(model, paths, output, progress, settings | {"options": options}))

    done = asking_for_columns(label, options, quiet=silent)
    for result in done:
        say_notes(dict.fromkeys(result.notes), quiet=silent)
    say_summary(done, quiet=silent)
    if as_json and output is not None:
        print_json({"kind": "file_predictions", "version": 1, "files": [asdict(result) for result in done]})


def run(
    model: TextClassifier, paths: list[str], output: str | None, progress: Any, settings: dict[str, Any]
) -> Iterator[FilePrediction]:
    """One file after the other."""
    into_folder = output is not None and is_folder(output, paths)
    if len(paths) == 1 and not into_folder:
        yield predict_file(model, paths[0], output, progress=progress(paths[0]), **settings)
        return
    if output is None or not into_folder:
        given = "standard output" if output is None else f"the file {output}"
        raise ParameterError(
            f"{len(paths)} files cannot all be written to {given}. Give a folder: -o FOLDER/. Each file gets one of "
            "its own there."
        )
    if "-" in paths:
        raise ParameterError("Standard input has no name to be called by in a folder. Give it alone, with -o FILE.")
    yield from predict_files(model, paths, output, progress=progress, **settings)


def is_folder(output: str, paths: list[str]) -> bool:
    """Whether the output is a folder: it is one, it is written like one, or several go to a name without an ending.

    Examples
    --------
    >>> is_folder("labelled/", ["a.csv"]), is_folder("labelled", ["a.csv", "b.csv"]), is_folder("x.csv", ["a.csv"] * 2)
    (True, True, False)
    """
    if output.endswith(("/", os.sep)) or os.path.isdir(output):  # noqa: PTH112  (a Path raises where a name is too long)
        return True
    return len(paths) > 1 and not (Path(output).suffix or os.path.lexists(output))


@contextmanager
def row_progress(paths: list[str], *, quiet: bool) -> Iterator[Any]:
    """What gives each file its line: which it is, rows, rows a second, time left; nothing where nobody sees it."""
    console = notes(quiet=quiet)
    if quiet or not console.is_terminal:
        yield lambda _: None
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
    with Progress(*columns, console=console, transient=True) as bar:

        def begin(name: str) -> RowProgress:
            shown = f"{paths.index(name) + 1}/{len(paths)} " * (len(paths) > 1) + visible(Path(name).name)
            task = bar.add_task("", total=None, name=shown, rows=0, rate=0.0)

            def advance(rows: int, position: int, size: int) -> None:
                elapsed = bar.tasks[bar.task_ids.index(task)].elapsed or 1e-9
                known = size or None  # of what comes through a pipe, nobody knows how much it will be
                bar.update(task, completed=min(position, size), total=known, rows=rows, rate=rows / elapsed)
                if known and position >= size:
                    bar.update(task, visible=False)

            return advance

        yield begin


def say_summary(done: list[FilePrediction], *, quiet: bool) -> None:
    """How much was done, how quickly, and what was left as it was."""
    console = notes(quiet=quiet)
    before = [result for result in done if result.finished_before]
    if before:
        console.print(
            f"{counted(len(before), 'output was', 'outputs were')} there already and left as they were "
            f"({visible(before[0].output or '')}{' …' * (len(before) > 1)}); --force makes them again.",
            soft_wrap=True,
        )
    rows, seconds = sum(result.rows for result in done), sum(result.seconds for result in done)
    unanswered = sum(result.unanswered for result in done)
    if unanswered:
        console.print(f"{counted(unanswered, 'text', 'texts')} got no label: none was probable enough.", soft_wrap=True)
    outputs = [result.output for result in done if result.output is not None and not result.finished_before]
    if outputs:
        where = (
            visible(outputs[0])
            if len(outputs) == 1
            else f"{len(outputs)} files in {visible(str(Path(outputs[0]).parent))}"
        )
        console.print(
            f"{counted(rows, 'row', 'rows')} in {seconds:.1f} s ({rows / max(seconds, 1e-9):,.0f} rows/s) → {where}",
            soft_wrap=True,
        )
