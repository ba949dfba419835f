"""Names of files, and whether they are there, where "not there" and "not permitted to look" are two things."""

from __future__ import annotations

import os
import stat

from assay.errors import NotPermittedError, ParameterError

__all__ = ["is_file", "is_folder", "is_there", "require_name"]


def is_there(path: str | os.PathLike[str]) -> bool:
    """Whether there is a file or a folder of this name; an error where the system does not tell.

    `os.path.exists`, and from Python 3.14 on `Path.is_file` too, call what is in a folder that may not be entered
    absent.

    Examples
    --------
    >>> is_there("/"), is_there("/nowhere/at/all")
    (True, False)
    """
    return _mode(path) is not None


def is_file(path: str | os.PathLike[str]) -> bool:
    """Whether there is a regular file of this name; an error where the system does not tell."""
    mode = _mode(path)
    return mode is not None and stat.S_ISREG(mode)


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Whether there is a folder of this name; an error where the system does not tell."""
    mode = _mode(path)
    return mode is not None and stat.S_ISDIR(mode)


def _mode(path: str | os.PathLike[str]) -> int | None:
    try:
        return os.stat(path).st_mode  # noqa: PTH116 (pathlib is slow to import)
    except PermissionError:
        raise NotPermittedError.of(os.fspath(path)) from None
    except (OSError, ValueError):
        return None


def require_name(path: object) -> None:
    """Complain about what cannot be the name of a file.

    Examples
    --------
    >>> require_name(None)
    Traceback (most recent call last):
    assay.errors.ParameterError: None, of type NoneType, is no name of a file. Give a string or a path.
    """
    if not isinstance(path, (str, os.PathLike)):
        plain = path is None or isinstance(path, (bytes, int, float))  # how long or sound others are, nobody knows
        shown = repr(path) if plain else "this"
        raise ParameterError(
            f"{shown if len(shown) <= 60 else shown[:59] + '…'}, of type {type(path).__name__}, is no name of a file. "
            "Give a string or a path."
        )
