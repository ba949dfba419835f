"""``workspace.json``: what a workspace is about, and where its data lies."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assay.atomic_file import write_atomically
from assay.errors import DataError
from assay.file_access import is_file, read_short
from assay.header_checks import choice, entry, labels_of, said_of, whole_number
from assay.label_sets import TASKS, Task
from assay.suggest import excerpt, quoted

__all__ = [
    "DATA",
    "FILE",
    "JOURNAL",
    "MODELS",
    "READING",
    "RUNS",
    "Settings",
    "Source",
    "is_workspace",
    "read_settings",
    "write_settings",
]


FILE, JOURNAL = "workspace.json", "labels.jsonl"
MODELS, RUNS, DATA = "models", "runs", "data"  # folders
KIND, VERSION = "assay-workspace", 1

#: Settings of `assay.read` that a workspace keeps for a file, and their types.
READING: dict[str, type | tuple[type, ...]] = {
    "text": str,
    "label": (str, bool),
    "format": str,
    "encoding": str,
    "errors": str,
    "delimiter": str,
    "quotes": bool,
    "names": list,
    "sheet": str,
    "labels_separator": (str, bool),
    "label_columns": list,
}


@dataclass(frozen=True)
class Source:
    """A file, or a folder, of data: where it lies and what is in it.

    Attributes
    ----------
    path
        Within the workspace, or its parent folder, as it is seen from the workspace; elsewhere from the root.
    sha256
        Of its content.
    reading
        Settings of `assay.read`: those that were given, and the columns that were found.
    """

    path: str
    sha256: str
    reading: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """As the file has it."""
        return {"path": self.path, "sha256": self.sha256, "reading": dict(self.reading)}

    @classmethod
    def of(cls, value: Any) -> Source:
        """Of what a file has; ValueError where it is no such thing."""
        path, sha256 = entry(value, "path", str), entry(value, "sha256", str)
        reading = entry(value, "reading", dict)
        for name, given in reading.items():
            if name not in READING:
                raise ValueError(f"there is no setting {excerpt(name)} of reading; they are {quoted(READING)}")
            if not isinstance(given, READING[name]):
                raise ValueError(f"the setting '{name}' of reading is {excerpt(str(given))}, of another type")
            if isinstance(given, list) and not all(isinstance(one, str) for one in given):
                raise ValueError(f"the setting '{name}' of reading is {excerpt(str(given))}, where all must be texts")
        if not path or "\0" in path:
            raise ValueError("'path' is no name of a file")
        return cls(path, sha256, reading)


@dataclass(frozen=True)
class Settings:
    """What a workspace is about.

    Attributes
    ----------
    created
        When, UTC.
    task
        Whether a text has one label or a set of them.
    labels
        From the beginning, and those that came with data; lines of the journal add and rename others.
    measure
        The share of the texts that is kept aside for measuring.
    seed
        Which texts these are.
    data
        Where the texts are.
    """

    created: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"))
    task: Task = "labels"
    labels: tuple[str, ...] = ()
    measure: float = 0.1
    seed: int = 0
    data: tuple[Source, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As the file has it."""
        return {
            "format": KIND,
            "version": VERSION,
            "created": self.created,
            "task": self.task,
            "labels": list(self.labels),
            "measure": self.measure,
            "seed": self.seed,
            "data": [source.to_dict() for source in self.data],
        }

    @classmethod
    def of(cls, value: Any) -> Settings:
        """Of what a file has; ValueError where it is no such thing."""
        measure = entry(value, "measure", float)
        if not 0 <= measure <= 0.5:
            raise ValueError(f"'measure' is {measure}, which is no share from 0 to 0.5")
        sources = []
        for number, source in enumerate(entry(value, "data", list), start=1):
            with said_of(f"data {number}"):
                sources.append(Source.of(source))
        return cls(
            entry(value, "created", str),
            choice(value, "task", TASKS),
            labels_of(value, 0),
            measure,
            whole_number(value, "seed", 0, (1 << 63) - 1),
            tuple(sources),
        )


def is_workspace(folder: str | Path) -> bool:
    """Whether a folder is one: there is a `workspace.json` in it."""
    return is_file(Path(folder, FILE))


def read_settings(folder: Path) -> Settings:
    """Read ``workspace.json``; an error that says what is wrong with it."""
    path = folder / FILE
    again = "Put it right in an editor, or fetch a copy; labels.jsonl has all decisions and is not touched"
    try:
        value = json.loads(read_short(path).decode("utf-8-sig"))
    except FileNotFoundError:
        raise DataError(
            f"{folder}: this is no workspace: there is no {FILE} in it. 'assay workspace init {folder} DATA' makes one."
        ) from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: this is no JSON: {excerpt(str(error))}. {again}.") from None
    if not isinstance(value, dict) or value.get("format") != KIND:
        raise DataError(f"{path}: this is no file of a workspace: its 'format' is not '{KIND}'. Give another folder.")
    version = value.get("version")
    if type(version) is int and version > VERSION:
        raise DataError(
            f"{folder}: this workspace is of format {version}, and this assay knows format {VERSION}. It was made by a "
            "newer assay: install that."
        )
    try:
        whole_number(value, "version", 1, VERSION)
        return Settings.of(value)
    except ValueError as error:
        raise DataError(f"{path}: {error}. {again}.") from None


def write_settings(folder: Path, settings: Settings) -> None:
    """Write ``workspace.json``, whole or not at all."""
    content = json.dumps(settings.to_dict(), ensure_ascii=False, indent=2) + "\n"
    write_atomically(folder / FILE, content.encode())
