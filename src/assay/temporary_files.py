"""Temporary files and folders that are to go even where the process ends without unwinding.

Those that become an output stand beside it. Where a process is killed they stay, and the next one that writes the same
output removes them: a lock of the system (flock), which ends with the process, says whether anybody still writes. Their
names begin with what `_mark` makes of the output and the machine, so that nothing else is ever looked at.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: nothing is locked, and nothing found is removed
    fcntl = None  # type: ignore[assignment]

__all__ = ["beside", "forget", "passing", "remember", "remove_all"]

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
        _remove(path)


@contextmanager
def beside(target: Path, *, folder: bool = False) -> Iterator[Path]:
    """A new file or folder in the folder of `target`, for the block to rename; what is still there afterwards goes.

    Those that killed processes left for the same target are removed first.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     with beside(Path(place, "greeting.txt")) as half:
    ...         _ = half.write_text("hello")
    ...         _ = half.replace(Path(place, "greeting.txt"))
    ...     [path.name for path in Path(place).iterdir()]
    ['greeting.txt']
    """
    _remove_abandoned(target)
    made, lock = _locked(target, folder=folder)
    try:
        with passing(made):
            yield made
    finally:
        _remove(made)
        if lock is not None:
            os.close(lock)


def _locked(target: Path, *, folder: bool) -> tuple[Path, int | None]:
    """Make and lock it; again, where somebody took it for abandoned in between."""
    import tempfile  # who only reads files does not wait for it

    while True:
        if folder:
            made = Path(tempfile.mkdtemp(prefix=_mark(target), dir=target.parent))
        else:
            handle, name = tempfile.mkstemp(prefix=_mark(target), dir=target.parent)
            os.close(handle)
            made = Path(name)
        if fcntl is None:
            return made, None
        with suppress(FileNotFoundError):
            lock = os.open(made, os.O_RDONLY)
            with suppress(OSError):  # a file system without locks: nobody will hold the lock to remove it, either
                fcntl.flock(lock, fcntl.LOCK_SH)
            if os.path.lexists(made):
                return made, lock
            os.close(lock)


def _remove_abandoned(target: Path) -> None:
    mark = _mark(target)
    if fcntl is None:
        return
    with suppress(OSError):
        for name in os.listdir(target.parent):  # noqa: PTH208  (names are enough)
            if name.startswith(mark):
                _remove_if_abandoned(target.parent / name)


def _remove_if_abandoned(path: Path) -> None:
    with suppress(OSError):
        lock = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # an error where somebody writes, or nothing can be locked
            _remove(path)
        finally:
            os.close(lock)


def _mark(target: Path) -> str:
    """How the names of temporary files begin that become `target` on this machine: short, however long its name is."""
    from zlib import crc32

    machine = os.uname().nodename if hasattr(os, "uname") else ""
    return f".assay-{crc32(f'{machine}/{target.name}'.encode('utf-8', 'surrogateescape')):08x}-"


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)
