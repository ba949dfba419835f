"""Files through a model, for a command: which output belongs to which input, progress, and what to say at the end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.cli.clock import seconds_so_far
from assay.cli.reading.data import asking_for_columns
from assay.cli.screens.console import print_json
from assay.cli.screens.progress import row_progress
from assay.data.reading.locate import expand_path
from assay.errors import ParameterError
from assay.output_files import check_outputs
from assay.streaming.outputs import outputs_in_folder
from assay.streaming.predict import FilePrediction, predict_file, predict_files
from assay.suggest import counted
from assay.workspace.settings import is_workspace

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier
    from assay.cli.options.screen import Screen
    from assay.data.options import ReadOptions
    from assay.streaming.folder_record import Maker

__all__ = ["check_places", "label_files"]


def check_places(
    model: str, data: list[str], output: str | None, review: str | None, to: str | None, *, force: bool
) -> bool:
    """Complain, before the model is loaded, about outputs that would be written over it or over what is read.

    Returns whether the output is a folder.
    """
    paths = [path for item in data for path in expand_path(item)]
    for path in paths:
        if is_workspace(path):
            raise ParameterError(
                f"{path}: this is a workspace. Give the files of its data; 'assay label {path}' asks for labels."
            )
    if output is None or not is_folder(output, paths):
        check_outputs([output, review], [model, *paths], force=force)
        return False
    if os.path.isdir(output):  # noqa: PTH112  (in a new one, nothing can be written over)
        check_outputs(outputs_in_folder(paths, output, to), [model, *paths], force=True)
    return True


def label_files(
    model: TextClassifier,
    data: list[str],
    output: str | None,
    screen: Screen,
    *,
    options: ReadOptions,
    maker: Maker | None,
    **settings: Any,
) -> None:
    """Label one file to a file or to standard output, several into a folder; the `maker` signs for them."""
    paths = [path for item in data for path in expand_path(item)]
    beside = screen.beside(output)

    def label(options: ReadOptions) -> list[FilePrediction]:
        with row_progress(paths, beside) as progress:
            return list(run(model, paths, output, progress, maker, settings | {"options": options}))

    done = asking_for_columns(label, options, beside)
    for result in done:
        beside.note(dict.fromkeys(result.notes))
    say_summary(done, beside, rejecting=settings["question"].reject is not None)
    if screen.as_json and output is not None:
        files = [asdict(result) for result in done]
        model_of = {} if maker is None else {"model": maker.model}
        print_json({"kind": "file_predictions", "version": 1, **model_of, "files": files})


def run(
    model: TextClassifier,
    paths: list[str],
    output: str | None,
    progress: Any,
    maker: Maker | None,
    settings: dict[str, Any],
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
    yield from predict_files(model, paths, output, progress=progress, maker=maker, **settings)


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


def say_summary(done: list[FilePrediction], screen: Screen, *, rejecting: bool) -> None:
    """How much was done, how quickly, and what was left as it was."""
    before = [result for result in done if result.finished_before]
    if before:
        screen.say(
            f"{counted(len(before), 'output was', 'outputs were')} there already and left as they were "
            f"({before[0].output}{' …' * (len(before) > 1)}); --force makes them again."
        )
    rows, seconds = sum(result.rows for result in done), sum(result.seconds for result in done)
    unanswered = sum(result.unanswered for result in done)
    if unanswered:
        why = "none was probable enough" if not rejecting else "too unlike the training texts, or not probable enough"
        screen.say(f"{counted(unanswered, 'text', 'texts')} got no label: {why}.")
    outputs = [result.output for result in done if result.output is not None and not result.finished_before]
    if outputs:
        where = outputs[0] if len(outputs) == 1 else f"{len(outputs)} files in {Path(outputs[0]).parent}"
        rate = f"labelled at {rows / max(seconds, 1e-9):,.0f} rows/s"
        screen.say(f"{counted(rows, 'row', 'rows')} in {seconds_so_far():.1f} s ({rate}) → {where}")
