"""``assay label``: labels for the texts of a workspace, one key each at the terminal, or from a table."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated

import typer

from assay.cli.options.groups import Only
from assay.cli.options.option import option
from assay.cli.options.reading import READING, ReadingOptions
from assay.cli.options.screen import SCREEN, JsonOrQuiet
from assay.cli.options.shared import Who

__all__ = ["label_cli"]

OF_TABLES = (
    *("text", "label", "labels_separator", "format", "encoding", "errors", "delimiter", "no_quotes", "names", "sheet"),
)
TableReading = Annotated[ReadingOptions, Only(field.name for field in fields(READING) if field.name in OF_TABLES)]


def label_cli(
    workspace: Annotated[str, typer.Argument(metavar="WORKSPACE", help="A folder of assay workspace init.")],
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            show_default=False,
            help="A table of decisions (CSV, Excel, JSON Lines …) with a column 'id' or 'text', and one 'label'.",
        ),
    ] = None,
    who: Who = None,
    new_labels: Annotated[
        bool, option("--new-labels", help="Take labels that the workspace does not have for new ones.")
    ] = False,
    retrain: Annotated[
        int,
        option(
            "--retrain",
            metavar="N",
            help="At the terminal: train again after N labels, to choose what to show; 0 for never.",
        ),
    ] = 10,
    lines: Annotated[
        bool, option("--lines", help="At the terminal: answer with a line and Enter, instead of one key.")
    ] = False,
    reading: TableReading = READING,
    screen: JsonOrQuiet = SCREEN,
) -> None:
    """Label the texts of a workspace: one key a label, or a table of labels.

    With a FILE, the labels in it are taken, all or none. Without, texts are shown one after the other: a key gives a
    label, u takes back the last one, s passes a text over, n writes a note, q ends. Every label is on the disk before
    the next text is shown.
    """
    from assay.cli.reading.person import person
    from assay.cli.screens.console import print_json
    from assay.workspace import Workspace

    space = Workspace(workspace)
    screen.note(space.notes)
    name = person(who)
    if file is None:
        from assay.cli.labeling.session import label_texts

        label_texts(space, name, screen, retrain=retrain, by_lines=lines)
        return
    from assay.workspace.taking import take_file

    given = reading.settings()
    kept = {setting: given[setting] for setting in given if setting not in ("text", "label", "label_columns")}
    own = {setting: value for setting, value in kept.items() if setting in OF_TABLES or setting == "quotes"}
    taken = take_file(space, file, who=name, new_labels=new_labels, text=reading.text, label=reading.label, **own)
    if screen.as_json:
        print_json(
            {
                "kind": "labels_taken",
                "version": 1,
                "recorded": taken.recorded,
                "changed": taken.changed,
                "known": taken.known,
                "empty": taken.empty,
                "new_labels": list(taken.new_labels),
                "read_as": dict(taken.read_as),
            }
        )
        return
    screen.note(taken.sentences)
    from assay.suggest import counted

    change = f", {taken.changed:,} in the place of another label" if taken.changed else ""
    screen.say(f"{counted(taken.recorded, 'label', 'labels')} taken{change} → {workspace}")
