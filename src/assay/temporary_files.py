"""Temporary files and folders that are to go even where the process ends without unwinding."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["forget", "passing", "remember", "remove_all"]

_PRESENT: set[Path] = set()


def remember(path: str | os.PathLike[str]) -> Path:
    """Note a temporary file or folder, for `remove_all`."""
    noted = Path(path)
    _PRESENT.add(noted)
    return noted


def forget(path: Path) -> None:
    """It is gone, or has become something that stays."""
    _PRESENT.discard(path)


@contextmanager
def passing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary file or folder that is noted while the block lasts.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, passing(Path(folder, "half")) as half:
    ...     _ = half.write_text("half a fi")
    ...     remove_all()
    ...     half.exists()
    False
    """
    noted = remember(path)
    try:
        yield noted
    finally:
        forget(noted)


def remove_all() -> None:
    """Remove whatever was noted and is still there; for a process that ends now."""
    for path in tuple(_PRESENT):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
