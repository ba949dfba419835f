"""``assay update``: a model, and labels that came since, make the next model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.options.option import OUTPUT, option
from assay.cli.options.reading import READING, LabelledReading
from assay.cli.options.screen import SCREEN, Screen
from assay.cli.options.shared import Force, Model, Threads

__all__ = ["update_cli"]


def update_cli(
    model: Model,
    corrections: Annotated[
        list[str],
        typer.Argument(
            metavar="CORRECTIONS...",
            help="Texts with the labels that people gave them: corrected ones, new ones, or both.",
        ),
    ],
    output: Annotated[
        str | None,
        option("-o", "--output", metavar="MODEL", help="The new model; MODEL-2.assay if not given.", panel=OUTPUT),
    ] = None,
    data: Annotated[
        list[str] | None,
        option(
            "--data",
            metavar="OLD",
            help="What the model was trained on; if not given, where its run folder says it is. If it is not there, "
            "the model goes on alone. Several times for several files.",
        ),
    ] = None,
    onward: Annotated[
        bool,
        option("--onward", help="Go on from the model alone, without the texts that it was trained on."),
    ] = False,
    test: Annotated[
        str | None,
        option("--test", metavar="FILE", help="Texts to compare before and after on, instead of those held out."),
    ] = None,
    settings: Annotated[
        str | None,
        option("--settings", metavar="FILE", help="settings.toml of the training, if it is not in the run folder."),
    ] = None,
    new_labels: Annotated[
        bool, option("--new-labels", help="Take labels that the model does not have for new classes.")
    ] = False,
    only_known: Annotated[bool, option("--only-known", help="Refuse texts that the old data does not have.")] = False,
    other_data: Annotated[
        bool, option("--other-data", help="Take OLD although it is not, by its digest, what the model learned from.")
    ] = False,
    even_if_worse: Annotated[
        bool, option("--even-if-worse", help="Take the new model also where it is clearly worse.", panel=OUTPUT)
    ] = False,
    force: Force = False,
    threads: Threads = None,
    reading: LabelledReading = READING,
    screen: Screen = SCREEN,
) -> None:
    """Train a model again with labels that people gave since.

    A text that the model learned from takes its new label, other texts are added; everything is made again with the
    same settings, and before is compared with after on texts that neither learned from. Where the old texts are gone,
    it goes on from the model alone: the weights move as little as the new labels allow. If the new model is clearly
    worse, nothing is written and the exit code is 4.
    """
    from assay.cli.reading.data import read_data, read_labelled, require_file
    from assay.cli.reading.models import load_model
    from assay.cli.screens.console import print_json, results
    from assay.cli.screens.training import RunProgress
    from assay.cli.screens.update import show_update
    from assay.data.bytes.suffixes import KNOWN_SUFFIXES
    from assay.errors import DataError, ParameterError, UnclearColumnError
    from assay.output_files import FOREIGN_ENDINGS, check_outputs, file_path, refuse_endings
    from assay.updating.known_training import run_folder_of
    from assay.updating.result import OldTextsGoneError
    from assay.updating.update import update
    from assay.updating.written import next_name, write_update

    alone = {"--data": data, "--settings": settings, "--only-known": only_known, "--other-data": other_data}
    for name, value in alone.items():
        if onward and value:
            raise ParameterError(
                f"{name} is for a training on the old texts, and --onward goes without them. Leave one out."
            )
    place = next_name(Path(model)) if output is None else file_path(output)
    also_read = [model, *corrections, *(data or []), test, settings]
    check_outputs([place], also_read, folder=run_folder_of(place), force=force)
    refuse_endings(place, FOREIGN_ENDINGS | KNOWN_SUFFIXES, "a model is written as .assay")
    old = load_model(model, threads=threads)
    if settings is not None:
        require_file(settings, "--settings")
    task: dict[str, Any] = {"task": "label-sets"} if old.decision.task == "label-sets" else {}
    try:
        brought = read_labelled(corrections, old, reading, screen)
    except UnclearColumnError:
        raise
    except DataError:  # a list of texts to label calls its columns otherwise than the training data
        brought = read_data(corrections, reading, screen, ask=False, known_labels=old.labels, **task)
    given = old_texts = None
    if test is not None:
        given = read_data([test], reading, screen, keep=False, known_labels=old.labels, **task)
    if data:
        old_texts = read_data(data, reading, screen, keep=False, ask=False, **task)
    with RunProgress(screen) as watcher:
        how: dict[str, Any] = {"new_labels": new_labels, "even_if_worse": even_if_worse}
        how |= {"test": given, "threads": threads, "watcher": watcher}
        gone = None
        if not onward:
            try:
                of_old: dict[str, Any] = {"data": old_texts, "settings": settings, "other_data": other_data}
                found = update(model, brought, **how, **of_old, only_known=only_known)
            except OldTextsGoneError as error:
                if only_known:
                    raise
                gone = error.reason
        if onward or gone is not None:
            from assay.updating.onward.update_onward import update_onward  # and scikit-learn, which costs a second

            found = update_onward(model, brought, **how)
        watcher.stage("writing")
        written = write_update(found, place, force=force)
    if screen.as_json:
        print_json({**found.to_dict(), "files": {name: str(path) for name, path in written.items()}})
        return
    show_update(found, written, results(), quiet=screen.quiet, gone=gone)
