"""Files that are either whole or not there."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from assay.errors import DataError, ParameterError
from assay.file_access import require_name
from assay.temporary_files import beside

__all__ = [
    "LONGEST_NAME",
    "check_place",
    "move_atomically",
    "name_error",
    "naming",
    "open_atomically",
    "write_atomically",
]

#: Bytes of a file's name, and of a path with all its folders, on the usual systems.
LONGEST_NAME, LONGEST_PATH = 255, 4095


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write to a temporary name beside `path`, then rename: an interrupted run leaves the old file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomically(f"{folder}/greeting.txt", b"hello")
    ...     Path(folder, "greeting.txt").read_bytes()
    b'hello'
    """
    with open_atomically(path) as file:
        file.write(content)


def move_atomically(whole: Path, path: str | os.PathLike[str]) -> None:
    """Give a file that is written already its name; what no rename can do, between two disks or to a device, is copied.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomically(f"{folder}/draft.txt", b"hello")
    ...     move_atomically(Path(folder, "draft.txt"), f"{folder}/greeting.txt")
    ...     [file.name for file in Path(folder).iterdir()]
    ['greeting.txt']
    """
    asked = Path(path)
    check_place(asked)
    target = Path(os.path.realpath(asked))
    if not target.exists() or target.is_file():
        try:
            with naming(asked):
                whole.replace(target)
            return
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
    write_atomically(asked, whole.read_bytes())
    whole.unlink()


@contextmanager
def open_atomically(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file to be written a piece at a time; it gets its name when the block ends, and only if it ends well.

    A symbolic link stays one, and what it points to is written. What is no regular file (a device, a pipe) is written
    to as it is.
    """
    require_name(path)
    asked = Path(path)
    check_place(asked)
    target = Path(os.path.realpath(asked))
    with naming(asked):
        if target.exists() and not target.is_file():
            with asked.open("wb") as file:
                yield file
            return
        check_place(target)
        with beside(target) as half:
            with half.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            umask = os.umask(0)
            os.umask(umask)
            half.chmod(0o666 & ~umask)  # as any other program's files: until now it was for its owner alone
            half.replace(target)


def check_place(path: Path, *, folder: bool = False) -> None:
    """Complain about a name that no file, or no folder, can have: before anything that takes time."""
    try:
        path.lstat()
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        wrong = name_error(path, error)
        if wrong is not None:
            raise wrong from None
    if not os.path.isdir(path.parent):  # noqa: PTH112  (a Path raises where it may not look)
        raise DataError(f"{path}: the folder '{path.parent}' does not exist. Make it first, or write elsewhere.")
    if os.path.isdir(path) and not folder:  # noqa: PTH112
        raise DataError(f"{path}: this is a folder. Give the name of a file in it, such as {path / 'x'}.")


def name_error(path: Path, error: OSError | ValueError) -> ParameterError | None:
    """What is wrong with a name that the system does not take; None where something else is wrong."""
    if not isinstance(error, OSError):
        return ParameterError(f"{str(path)!r}: no name of a file has a zero byte in it. Leave it out.")
    if error.errno != errno.ENAMETOOLONG:
        return None
    longest = max(len(os.fsencode(part)) for part in path.parts)
    what, length, allowed = "name", longest, LONGEST_NAME
    if longest <= LONGEST_NAME:
        what, length, allowed = "path", len(os.fsencode(path)), LONGEST_PATH
    return ParameterError(
        f"{path}: the {what} is too long: {length} bytes, where most systems allow {allowed}. Give a shorter one."
    )


@contextmanager
def naming(target: Path) -> Iterator[None]:
    """Let an error of the system name what was asked for: it names something temporary, or nothing at all."""
    try:
        yield
    except OSError as error:
        parts = Path(str(error.filename or "")).parts
        temporary = next((k for k, part in enumerate(parts) if part.startswith(".assay-")), None)
        if error.errno is None or (parts and temporary is None):
            raise
        inside = parts[temporary + 1 :] if temporary is not None else ()
        raise type(error)(error.errno, error.strerror, str(Path(target, *inside))) from error
