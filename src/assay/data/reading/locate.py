"""From what the caller gave to readers for it: paths, globs, folders, standard input, data in memory."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

from assay.data.bytes.arrivals import Arrivals
from assay.data.bytes.live import LiveSource
from assay.data.bytes.streams import ByteSource, unreadable
from assay.data.bytes.suffixes import has_known_suffix
from assay.data.formats.folders import FolderReader
from assay.data.formats.pieces import FileReader
from assay.data.formats.recognition import BINARY_MARKS, file_reader
from assay.data.options import ReadOptions
from assay.data.reading.in_memory import MemoryReader
from assay.errors import DataError, NotPermittedError, ParameterError
from assay.file_access import is_file, is_folder, is_there
from assay.suggest import excerpt, nearest_first, quoted
from assay.wording import setting

__all__ = ["expand_path", "locate", "reader_of_path", "what_is_beside"]

_LOCK = "~$"  # how the names of Excel's lock files begin


def locate(source: Any, options: ReadOptions) -> tuple[str, list[FileReader]]:
    """Return a description of the source and a reader for each of its files."""
    if isinstance(source, str | os.PathLike):
        paths = expand_path(os.fspath(source))
    elif isinstance(source, list | tuple) and _are_files(source):
        paths = [path for item in source for path in expand_path(os.fspath(item))]
    elif isinstance(source, bytes | bytearray | memoryview):
        raise DataError(
            "read takes a file, a folder or data in memory, not bytes: "
            f"{excerpt(bytes(source[:60]).decode('latin-1'))}. Put them in io.BytesIO to have them read as a file."
        )
    elif hasattr(source, "read"):
        return _open_file(source, options)
    elif isinstance(source, Iterable) or hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__"):
        reader = MemoryReader(source)
        return reader.name, [reader]
    else:
        raise DataError(
            f"read takes a file, a folder or data in memory. Got {excerpt(repr(source))}, of type "
            f"{type(source).__name__}, instead."
        )
    readers = [reader_of_path(path, options) for path in paths]
    names = [reader.name for reader in readers]
    if len(names) == 1:
        return names[0], readers
    # Without folders: what a model keeps of its data is the same wherever the data lies.
    return f"{len(names)} files from {Path(names[0]).name} to {Path(names[-1]).name}", readers


def reader_of_path(path: str, options: ReadOptions) -> FileReader:
    """Return the reader for one file, one folder, or standard input (``"-"``)."""
    if path == "-":
        if sys.stdin is None:
            raise DataError("standard input is closed: there is nothing to read. Give a file, or pipe the data in.")
        return _pipe_reader(sys.stdin.buffer, "standard input", options)
    try:
        file = Path(path)
        if is_folder(file):
            if options.format not in (None, "folder"):
                raise DataError(
                    f"{path}: a folder, not a {options.format} file. Give its files: {path.rstrip('/') + '/*'!r}."
                )
            return FolderReader(file, path.rstrip("/") or path, options)
        if options.format == "folder":
            raise DataError(f"{path}: not a folder. Leave {setting('format')} out, or give the folder.")
        if not is_file(file):  # a pipe or a device: it can be read only once
            return _pipe_reader(file.open("rb"), path, options, opened_here=True)
        return file_reader(ByteSource(file, path), options)
    except OSError as error:
        raise unreadable(path, error) from error


def _pipe_reader(stream: IO[bytes], name: str, options: ReadOptions, *, opened_here: bool = False) -> FileReader:
    """Read what can be read only once: text while it comes if that was asked for, anything else from a copy."""
    arrivals = Arrivals(stream, opened_here=opened_here)
    if options.patience is None or options.format in ("parquet", "arrow") or arrivals.begins_with(BINARY_MARKS):
        return file_reader(ByteSource.copied(arrivals, name), options)
    return file_reader(LiveSource(arrivals, name, options.known_encoding, options.patience, options.awaited), options)


def _open_file(source: Any, options: ReadOptions) -> tuple[str, list[FileReader]]:
    name = getattr(source, "name", None)
    name = name if isinstance(name, str) else "the open file"
    try:
        nothing = source.read(0)
    except (TypeError, ValueError) as error:  # not a file after all, or closed
        raise DataError(
            f"{name}: nothing can be read from this {type(source).__name__}: {error}. Give a file that is open, or its "
            "name."
        ) from None
    if isinstance(nothing, str):
        raise ParameterError(f"{name}: the file is open as text. Open it with mode 'rb', so that assay decodes it.")
    return name, [file_reader(ByteSource.copied(source, name), options)]


def _are_files(items: Any) -> bool:
    """Whether a list names files; a list of strings is texts unless all of them are names of files."""
    if not items:
        return False
    if all(isinstance(item, os.PathLike) for item in items):
        return True
    return all(isinstance(item, str | os.PathLike) and _names_a_file(os.fspath(item)) for item in items)


def _names_a_file(text: str) -> bool:
    if len(text) > 1000 or "\n" in text or "\0" in text:
        return False
    return has_known_suffix(text) or os.path.isfile(text)  # noqa: PTH113  (a Path raises where a name is too long)


def expand_path(path: str) -> list[str]:
    """Return the files that a path or a pattern stands for; there is at least one."""
    if path == "-":
        return [path]
    if "://" in path.split("/")[0] + "//" * path.startswith(("http:", "https:", "s3:", "gs:", "hf:")):
        raise DataError(f"{path}: assay reads local files. Fetch it first and give the file.")
    if "\0" in path or len(path) > 4000 or ("\n" in path and not os.path.lexists(path)):
        raise DataError(
            f"no such file: {excerpt(path)}. If this is a text and not the name of a file, give a list: [text]."
        )
    expanded = os.path.expanduser(path)  # noqa: PTH111  (a Path would drop a trailing slash and './')
    name = os.path.basename(expanded)  # noqa: PTH119
    if name.startswith(_LOCK):
        raise DataError(
            f"{path}: this is a lock file, which Excel keeps beside a workbook while it is open. Give the workbook: "
            f"{path.removesuffix(name)}{name.removeprefix(_LOCK)}."
        )
    if os.path.lexists(expanded) or (not glob.has_magic(expanded) and is_there(expanded)):
        return [expanded]
    if glob.has_magic(expanded):
        _refuse_closed_folders(expanded)
        found = sorted(name for name in _matching(expanded) if is_file(name))
        if not found:
            raise DataError(f"{path}: no files match this pattern. {what_is_beside(Path(expanded))}")
        return found
    raise DataError(f"no such file: {path}. {what_is_beside(Path(expanded))}")


def _refuse_closed_folders(pattern: str) -> None:
    """Look at every folder that a pattern goes through: `glob` takes one that it may not read for empty."""
    if not glob.has_magic(pattern):
        is_there(pattern)
        return
    parent, name = os.path.split(pattern)
    _refuse_closed_folders(parent)
    needed = os.R_OK | os.X_OK if glob.has_magic(name) else os.X_OK
    for folder in _matching(pattern if name == "**" else parent or "."):
        if Path(folder).is_dir() and not os.access(folder, needed):
            raise NotPermittedError.of(folder)


def _matching(pattern: str) -> list[str]:
    return glob.glob(pattern, recursive=True)  # noqa: PTH207 (Path.glob cannot take an absolute pattern)


def what_is_beside(path: Path) -> str:
    """Say what there is instead."""
    folder = path.parent
    try:
        while not folder.is_dir():
            folder = folder.parent
        names = [entry.name for entry in folder.iterdir() if not entry.name.startswith((".", _LOCK))]
    except OSError:
        return "Check the path."
    where = "the current folder" if str(folder) == "." else f"{folder}"
    if folder != path.parent:
        there = quoted(nearest_first(path.parent.name, names), 5)
        return f"There is no folder {str(path.parent)!r}; {where} holds {there}."
    if not names:
        return f"There is nothing in {where}."
    return f"In {where} there are {quoted(nearest_first(path.name, names), 5)}."
