"""Files that are either whole or not there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from assay.errors import DataError
from assay.temporary_files import passing

__all__ = ["open_atomically", "write_atomically"]


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


@contextmanager
def open_atomically(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file to be written a piece at a time; it gets its name when the block ends, and only if it ends well.

    What is no regular file (a device, a pipe) is written to as it is.
    """
    import tempfile  # who only reads files does not wait for it

    target = Path(path)
    if not target.parent.is_dir():
        raise DataError(f"{target}: the folder '{target.parent}' does not exist. Make it first, or write elsewhere.")
    if target.is_dir():
        raise DataError(f"{target}: this is a folder. Give the name of a file in it.")
    with _named(target):
        if target.exists() and not target.is_file():
            with target.open("wb") as file:
                yield file
            return
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
        with passing(temporary) as half:
            try:
                with os.fdopen(handle, "wb") as file:
                    yield file
                    file.flush()
                    os.fsync(file.fileno())
                umask = os.umask(0)
                os.umask(umask)
                half.chmod(0o666 & ~umask)  # mkstemp's files are for their owner alone
                half.replace(target)
            except BaseException:
                half.unlink(missing_ok=True)
                raise


@contextmanager
def _named(target: Path) -> Iterator[None]:
    """Let an error of the system name the file that was asked for: it names the temporary one, or none at all."""
    try:
        yield
    except OSError as error:
        temporary = error.filename is None or Path(str(error.filename)).name.startswith(f".{target.name[:100]}.")
        if error.errno is None or not temporary:
            raise
        raise type(error)(error.errno, error.strerror, str(target)) from error
