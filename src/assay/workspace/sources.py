"""The files that the texts of a workspace come from: as they were when they were added, or an error that says so."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from assay.data.bytes.streams import unreadable
from assay.errors import DataError
from assay.file_access import is_file, is_folder, is_there
from assay.workspace.settings import Source

__all__ = ["digest_of", "found", "kept_path", "place_of", "require_lasting"]

_WAY_OUT = "Labels belong to texts, not to files: none is lost."


def digest_of(path: Path) -> str:
    """SHA-256 of a file; of a folder, over the names and the contents of its files."""
    try:
        if not is_folder(path):
            return _of_file(path).hexdigest()
        whole = hashlib.sha256(b"folder")
        for file in sorted(file for file in path.rglob("*") if file.is_file()):
            whole.update(
                str(file.relative_to(path)).encode("utf-8", "surrogateescape") + b"\0" + _of_file(file).digest()
            )
        return whole.hexdigest()
    except OSError as error:
        raise unreadable(str(path), error) from error


def require_lasting(path: str | os.PathLike[str]) -> None:
    """Refuse a pipe or a device, which can be read once or has no end: data of a workspace is read again."""
    pipe = os.fspath(path) == "-"
    if pipe or (is_there(path) and not is_file(path) and not is_folder(path)):
        what = "standard input" if pipe else f"{os.fspath(path)}: a pipe or a device"
        raise DataError(f"{what} can be read only once, and a workspace reads its files again. Write it to a file.")


def kept_path(folder: Path, path: Path) -> str:
    """How a workspace writes the path of its data: from itself where both are likely to be moved together."""
    here, there = Path(os.path.realpath(folder)), Path(os.path.abspath(path))  # noqa: PTH100 (links stay)
    real = Path(os.path.realpath(path.parent), path.name)
    for base in (here, here.parent):
        if real.is_relative_to(base) and base != Path(base.anchor):
            return Path(os.path.relpath(real, here)).as_posix()
    return there.as_posix()


def place_of(folder: Path, source: Source) -> Path:
    """Where a file of the data lies."""
    return Path(os.path.normpath(folder / source.path))


def found(folder: Path, source: Source) -> Path:
    """Where a file of the data lies, when it is there and has not changed."""
    path = place_of(folder, source)
    if not is_there(path):
        raise DataError(
            f"{path}: this file of the workspace is not there any more. Put it back, or say where it is: 'assay "
            f"workspace add {folder} FILE'. {_WAY_OUT}"
        )
    require_lasting(path)
    if digest_of(path) != source.sha256:
        raise DataError(
            f"{path}: the file has changed since it was added to the workspace. Put it back, or take it as it is now: "
            f"'assay workspace add {folder} {path}'. {_WAY_OUT}"
        )
    return path


def _of_file(path: Path) -> hashlib._Hash:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest
