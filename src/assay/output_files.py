"""What may be written: nothing that is read, nothing twice, and nothing that exists unless it may be replaced."""

from __future__ import annotations

import glob
import os
import stat
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from assay.atomic_file import check_place, name_error
from assay.errors import NotPermittedError, ParameterError
from assay.wording import setting

__all__ = ["FOREIGN_ENDINGS", "check_outputs", "file_path", "make_folder", "refuse_endings"]

#: Endings of files that are of a kind that assay does not write; a page of HTML is written where one is asked for.
FOREIGN_ENDINGS = frozenset(
    (
        *(".doc", ".docx", ".odt", ".rtf", ".pdf", ".ppt", ".pptx", ".html", ".htm"),
        *(".xls", ".xlsb", ".ods", ".numbers", ".zip", ".7z", ".rar", ".tar", ".png", ".jpg", ".jpeg"),
    )
)

AnyPath = str | os.PathLike[str]
Identity = tuple[int, int] | str


def check_outputs(
    outputs: Iterable[AnyPath | None],
    inputs: Iterable[AnyPath | None] = (),
    *,
    force: bool,
    folder: AnyPath | None = None,
) -> None:
    """Complain, before anything is done, about outputs that cannot be written or that would destroy something.

    Files are known by what they are, not by what they are called: links of both kinds, ``..`` and the files of a folder
    or a pattern are seen through.

    Parameters
    ----------
    outputs
        Files that will be written; None for those that were not asked for.
    inputs
        Files, folders and patterns that are read, ``"-"`` for standard input; None for none.
    force
        Whether outputs that exist may be replaced.
    folder
        A folder that will be made anew, as a whole.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:  # doctest: +ELLIPSIS
    ...     data = Path(place, "reviews.csv")
    ...     data.touch()
    ...     check_outputs([Path(place, "new.csv")], [data], force=False)
    ...     check_outputs([Path(place, "..", Path(place).name, "reviews.csv")], [data], force=True)
    Traceback (most recent call last):
    assay.errors.ParameterError: ... would be written over ...reviews.csv, which is read. Give the output another name.
    """
    written = [Path(output) for output in outputs if output is not None]
    made = None if folder is None else Path(folder)
    for output in written:
        check_place(output)
    if made is not None:
        check_place(made, folder=True)
    given = [os.fspath(name) for name in inputs if name is not None]
    read = [file for name in given for file in _files(name)]
    replaced = [output for output in written if output.is_file() or not output.exists()]  # not a device, not a pipe
    _refuse_inputs(replaced, read, takes_standard_input="-" in given)
    if made is not None:
        _refuse_what_is_inside(made, replaced, read)
    _refuse_twins(replaced)
    for output in [*written, *([] if made is None else [made])]:
        _refuse_existing(output, force=force)


def refuse_endings(output: Path, endings: Iterable[str], what: str) -> None:
    """Refuse a name that promises another kind of file than will be written.

    Examples
    --------
    >>> refuse_endings(Path("card.docx"), FOREIGN_ENDINGS, "a card is written as .md or .html")
    Traceback (most recent call last):
    assay.errors.ParameterError: card.docx: a card is written as .md or .html, and .docx means another kind of file.
    """
    if output.suffix.lower() in endings:
        raise ParameterError(f"{output}: {what}, and {output.suffix} means another kind of file.")


def file_path(output: str) -> Path:
    """The path of a file to be written; an error where it is written like a folder, which a `Path` would not know.

    Examples
    --------
    >>> file_path("models/")
    Traceback (most recent call last):
    assay.errors.ParameterError: models/: this is the name of a folder. Give the name of a file in it, such as models/x.
    """
    if output.endswith(("/", os.sep)):
        raise ParameterError(
            f"{output}: this is the name of a folder. Give the name of a file in it, such as {output}x."
        )
    return Path(output)


def make_folder(path: Path) -> None:
    """Make a folder for outputs, unless it is there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise ParameterError(f"{path}: this is a file, where a folder is to be made. Give another name.") from None
    except (OSError, ValueError) as error:
        raise name_error(path, error) or error from None


def _files(given: str) -> list[str]:
    """Files and folders that stand for an input; none for standard input, which has no name."""
    if given == "-" or "\0" in given:
        return []
    expanded = os.path.expanduser(given)  # noqa: PTH111  (as it is read)
    return [expanded] if os.path.lexists(expanded) else glob.glob(expanded) or [expanded]  # noqa: PTH207


def _refuse_inputs(outputs: list[Path], inputs: list[str], *, takes_standard_input: bool) -> None:
    named = {_identity(name): name for name in inputs}
    if takes_standard_input and (file := _file_behind(sys.stdin)) is not None:
        named.setdefault(file, "the file behind standard input")
    for output in outputs:
        for place in (output, *Path(os.path.realpath(output)).parents):
            found = named.get(_identity(place))
            if found is None or (place != output and not output.exists()):  # new in a folder that is read: nothing lost
                continue
            where = "which is read" if place == output else "a folder whose files are read"
            over = found if place == output else f"a file of {found}"
            raise ParameterError(f"{output} would be written over {over}, {where}. Give the output another name.")
    shown = _file_behind(sys.stdout)
    if shown in named:
        raise ParameterError(
            f"Standard output goes to {named[shown]}, which is read. Let the output go to another file."
        )


def _refuse_what_is_inside(folder: Path, outputs: list[Path], inputs: list[str]) -> None:
    inside = [(name, "is read") for name in inputs] + [(str(name), "is written, too") for name in outputs]
    for path, becomes in inside:
        if any(_identity(place) == _identity(folder) for place in Path(os.path.realpath(path)).parents):
            raise ParameterError(
                f"{folder} would be made anew, with {path} in it, which {becomes}. Give the output another name."
            )


def _refuse_twins(outputs: list[Path]) -> None:
    owner: dict[Identity, Path] = {}
    for output in outputs:
        other = owner.setdefault(_identity(output), output)
        if other is not output:
            raise ParameterError(f"{other} and {output} would be one file. Give one of the outputs another name.")


def _refuse_existing(output: Path, *, force: bool) -> None:
    kind = "folder" if output.is_dir() else "file" if output.is_file() else None
    if kind and not force:
        raise ParameterError(
            f"{output}: the {kind} exists. Use {setting('force', True)} to replace it, or write elsewhere."
        )
    place = Path(os.path.realpath(output)).parent
    if (kind or not output.exists()) and not os.access(place, os.W_OK | os.X_OK):
        raise NotPermittedError(
            f"{output}: there is no permission to write into '{output.parent}'. Write elsewhere, or change its "
            "permissions (chmod)."
        )


def _identity(path: AnyPath) -> Identity:
    """What is the same for all names of a file: where it lies on its device; of what is not there, its full name."""
    try:
        found = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        return os.path.realpath(path)
    return found.st_dev, found.st_ino


def _file_behind(stream: TextIO | None) -> Identity | None:
    """The regular file that a standard stream comes from or goes to; None where it is something else."""
    if stream is None:  # closed by whoever started this
        return None
    try:
        found = os.fstat(stream.fileno())
    except (OSError, ValueError, AttributeError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None
