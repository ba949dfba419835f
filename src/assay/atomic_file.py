"""Files that are either whole or not there."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from assay.errors import DataError

__all__ = ["write_atomically"]


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write to a temporary name beside `path`, then rename: an interrupted run leaves the old file.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomically(f"{folder}/greeting.txt", b"hello")
    ...     Path(folder, "greeting.txt").read_bytes()
    b'hello'
    """
    target = Path(path)
    if not target.parent.is_dir():
        raise DataError(f"{target}: the folder '{target.parent}' does not exist. Make it first, or write elsewhere.")
    if target.is_dir():
        raise DataError(f"{target}: this is a folder. Give the name of a file in it.")
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)  # mkstemp's files are for their owner alone
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
