"""``assay workspace``: a folder in which texts, labels and models grow together."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.options.groups import Only
from assay.cli.options.option import option
from assay.cli.options.reading import READING, ReadingOptions
from assay.cli.options.screen import SCREEN, JsonOrQuiet, Screen
from assay.cli.options.shared import Who

if TYPE_CHECKING:
    from assay.workspace import Workspace

__all__ = ["workspace_cli"]

ACTIONS = ("init", "add", "status", "rename")
MAKING = "Making (init)"
NOT_KEPT = ("merge_labels", "dedupe", "skip_unlabelled", "skip_empty")
KeptReading = Annotated[ReadingOptions, Only(field.name for field in fields(READING) if field.name not in NOT_KEPT)]


def workspace_cli(
    action: Annotated[str, typer.Argument(metavar="init|add|status|rename", help="What to do, see above.")],
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="The workspace.")],
    data: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DATA...",
            show_default=False,
            help="For init and add: files, a quoted pattern, or a folder. For rename: the label, and its new name.",
        ),
    ] = None,
    labels: Annotated[
        str | None,
        option("--labels", metavar="A,B,...", help="The labels to choose from, beside those of DATA.", panel=MAKING),
    ] = None,
    sets: Annotated[
        bool, option("--sets", help="A text may have several labels, or none; found out of DATA.", panel=MAKING)
    ] = False,
    measure: Annotated[
        float | None,
        option(
            "--measure",
            metavar="SHARE",
            help="The share of the texts that is kept aside: shown at random, never trained on; 0.1 if not given.",
            panel=MAKING,
        ),
    ] = None,
    copy: Annotated[bool, option("--copy", help="Copy DATA into the folder (init, add).")] = False,
    merge: Annotated[bool, option("--merge", help="Let the new name be a label that there is (rename).")] = False,
    who: Who = None,
    reading: KeptReading = READING,
    screen: JsonOrQuiet = SCREEN,
) -> None:
    """Make a folder in which texts, labels and models grow together, or show how far it is.

    init makes a workspace of DATA, which stays as it is and where it is. add takes in more data, and files that moved
    or changed. status shows labels, people, the newest model and what it is worth, and what to do next. rename
    calls a label otherwise, or makes two one.
    """
    from assay.cli.reading.person import person
    from assay.cli.screens.console import print_json, results
    from assay.cli.screens.workspace import show_status
    from assay.errors import ParameterError
    from assay.suggest import check_choice
    from assay.workspace import Workspace

    check_choice("What to do", action, ACTIONS)
    given = list(data or [])
    making = {"labels": labels, "sets": sets or None, "measure": measure}
    _refuse_options(action, {name: value for name, value in making.items() if value is not None}, ("init",))
    _refuse_options(action, {"copy": copy} if copy else {}, ("init", "add"))
    _refuse_options(action, {"merge": merge} if merge else {}, ("rename",))
    _refuse_options(action, reading.given(), ("init", "add"))
    if action == "init":
        named = [name.strip() for name in labels.split(",")] if labels else []
        how: dict[str, Any] = {"labels": named, "task": "label-sets" if sets else None, "copy": copy}
        space = _with_data(
            lambda kept: Workspace.create(folder, given, measure=0.1 if measure is None else measure, **how, **kept),
            reading,
            screen,
        )
    else:
        space = Workspace(folder)
        if action == "add":
            if not given:
                raise ParameterError(f"There is no DATA to add. Name a file: assay workspace add {folder} FILE.")
            screen.note(_with_data(lambda kept: space.add(given, copy=copy, **kept), reading, screen))
        elif action == "rename":
            _rename(space, given, person(who), merge=merge)
        elif given:
            raise ParameterError(f"{given[0]}: status takes a folder and nothing else. Leave it out.")
    status = space.status()
    if screen.as_json:
        print_json(status.to_dict())
    else:
        show_status(status, results())


def _with_data(make: Any, reading: ReadingOptions, screen: Screen) -> Any:
    """Read data; where it is not clear which column is meant, a person is asked."""
    from assay.cli.reading.data import asking_for_columns

    def read(options: Any) -> Any:
        settings = reading.settings() | {"text": options.text, "label": options.label}
        kept = {name: value for name, value in settings.items() if name not in NOT_KEPT}
        usual = {"errors": "strict", "quotes": True}
        return make({name: value for name, value in kept.items() if value is not None and value != usual.get(name)})

    return asking_for_columns(read, reading.checked(), screen)


def _rename(space: Workspace, names: list[str], who: str, *, merge: bool) -> None:
    from assay.errors import ParameterError

    if len(names) != 2:
        raise ParameterError(
            f"rename takes a label and its new name: assay workspace rename {space.folder} OLD NEW. Got {len(names)} "
            f"{'name' if len(names) == 1 else 'names'}."
        )
    space.rename_label(names[0], names[1], who=who, merge=merge)


def _refuse_options(action: str, given: dict[str, Any], actions: tuple[str, ...]) -> None:
    from assay.errors import ParameterError

    if given and action not in actions:
        name = next(iter(given)).replace("_", "-")
        raise ParameterError(f"--{name} is for 'assay workspace {' and '.join(actions)}'. Leave it out.")
