"""Whether a file is there, for callers to whom "not there" and "not permitted to look" are two things."""

from __future__ import annotations

import os

from assay.errors import NotPermittedError

__all__ = ["is_there"]


def is_there(path: str | os.PathLike[str]) -> bool:
    """Whether there is a file or a folder of this name; an error where the system does not tell.

    `os.path.exists`, and with newer Pythons `Path.is_file` too, call a file in a folder that may not be entered absent.

    Examples
    --------
    >>> is_there("/"), is_there("/nowhere/at/all")
    (True, False)
    """
    try:
        os.stat(path)  # noqa: PTH116 (pathlib is slow to import)
    except PermissionError:
        raise NotPermittedError.of(os.fspath(path)) from None
    except (OSError, ValueError):
        return False
    return True
