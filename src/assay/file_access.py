"""Names of files, and whether they are there, where "not there" and "not permitted to look" are two things."""

from __future__ import annotations

import errno
import io
import os
import stat

from assay.errors import DataError, NotPermittedError, ParameterError

__all__ = ["is_file", "is_folder", "is_there", "read_short", "read_short_text", "require_name"]

_LONGEST = 1 << 28  # bytes of what is read at once: settings, lists of words, results


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


def read_short(path: str | os.PathLike[str]) -> bytes:
    """All bytes of a file that people write, or that is as short; a device without end is refused.

    A name that no file can have is one of no file: `FileNotFoundError`.
    """
    try:
        with open(path, "rb") as file:  # noqa: PTH123 (pathlib is slow to import)
            content = file.read(_LONGEST + 1)
    except PermissionError:
        raise NotPermittedError.of(os.fspath(path)) from None
    except (NotADirectoryError, ValueError) as error:
        raise FileNotFoundError(errno.ENOENT, str(error), os.fspath(path)) from None
    except OSError as error:
        if error.errno not in (errno.ENAMETOOLONG, errno.ELOOP):
            raise
        raise FileNotFoundError(errno.ENOENT, str(error), os.fspath(path)) from None
    if len(content) > _LONGEST:
        raise DataError(f"{os.fspath(path)}: the file is longer than {_LONGEST >> 20} MB, which is the most here.")
    return content


def read_short_text(path: str | os.PathLike[str], encoding: str = "utf-8") -> str:
    """The same as text, with ends of lines as Python reads them."""
    return io.StringIO(read_short(path).decode(encoding), newline=None).read()


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
