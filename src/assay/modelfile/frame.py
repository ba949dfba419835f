"""The frame of every model file: a head that says what the model answers, and named sections with their arrays.

`docs/reference/model-file.md` is the written format. A section has a version of its own, and says whether a reader may
go on without it: so a file can get new parts, and an older assay says what it misses instead of misreading it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from assay.errors import ModelFileError
from assay.header_checks import choice, entry, flag, labels_of, refuse_rest, said_of, taken, whole_number
from assay.label_sets import TASKS, Task
from assay.label_types import LABEL_TYPES, LabelType, label_values
from assay.modelfile.version1 import from_version_1
from assay.prediction.probabilities import Link
from assay.prediction.set_decision import decision_of
from assay.tensor_file import damage_said, read_tensor_file, write_tensor_file

__all__ = [
    "FORMAT",
    "VERSION",
    "Arrays",
    "Frame",
    "Head",
    "Section",
    "read_frame",
    "require_used",
    "section_of",
    "write_frame",
]

FORMAT = "model"

#: A reader takes this version and every older one, and refuses newer ones by name.
VERSION = 2

#: The task of a model → what such a model gives; those of `assay.label_sets.TASKS` are read by this assay.
_GIVES = {
    "labels": "one label a text",
    "label-sets": "several labels a text",
    "tags": "a tag to every word of a text",
}

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Head:
    """What every model has.

    Attributes
    ----------
    kind
        How it decides: "linear" or "network".
    labels, label_type
        Names of the classes, in the order of the scores, and the type in which they were given.
    link
        What makes probabilities of the scores; None where they are only scores.
    task
        What a text is given.
    """

    kind: str
    labels: tuple[str, ...]
    label_type: LabelType = "text"
    link: Link | None = None
    task: Task = "labels"


@dataclass(frozen=True)
class Section:
    """A named part of a file.

    Attributes
    ----------
    content
        Plain values.
    arrays
        In the file, their names begin with that of the section and a point.
    required
        Whether the model would answer otherwise without it.
    version
        It rises when an older reader would misread the section.
    """

    content: dict[str, Any] = field(default_factory=dict)
    arrays: Arrays = field(default_factory=dict)
    required: bool = True
    version: int = 1


@dataclass(frozen=True)
class Frame:
    """A file that has been read, but for what its sections say.

    Attributes
    ----------
    name
        Of the file.
    head, sections
        What is in it.
    """

    name: str
    head: Head
    sections: dict[str, Section]

    def known(self, versions: Mapping[str, int]) -> tuple[dict[str, Section], tuple[str, ...]]:
        """The sections that a reader knows, each up to a version, and the names of those that it goes on without.

        Raises `ModelFileError` where there is one that it must know and does not.
        """
        unknown = {name: part for name, part in self.sections.items() if part.version > versions.get(name, 0)}
        for name, part in unknown.items():
            if part.required:
                raise ModelFileError(
                    f"this model needs its section {name!r} (version {part.version}), which this assay does not know. "
                    "Install a newer assay."
                )
        kept = {name: part for name, part in self.sections.items() if name not in unknown}
        return kept, tuple(sorted(unknown))


@contextmanager
def section_of(sections: Mapping[str, Section], name: str) -> Iterator[Section]:
    """A section that must be there; what is wrong with it is said of it."""
    if name not in sections:
        raise ValueError(f"the section '{name}' is missing")
    with said_of(f"section '{name}'"):
        yield sections[name]


def require_used(sections: Mapping[str, Section]) -> None:
    """Complain about arrays that were left when all sections had been read: each is taken out where it is used."""
    refuse_rest(f"{name}.{key}" for name, part in sections.items() for key in part.arrays)


def write_frame(path: str | os.PathLike[str], head: Head, sections: Mapping[str, Section]) -> None:
    """Write a model; the same parts give the same bytes."""
    header = {
        "format": FORMAT,
        "version": VERSION,
        "task": head.task,
        "kind": head.kind,
        "labels": list(head.labels),
        "label_type": head.label_type,
        "link": head.link,
        "sections": {
            name: {"version": part.version, "required": part.required, "content": part.content}
            for name, part in sections.items()
        },
    }
    arrays = {f"{name}.{key}": values for name, part in sections.items() for key, values in part.arrays.items()}
    write_tensor_file(path, header, arrays)


def read_frame(path: str | os.PathLike[str]) -> Frame:
    """The frame of a file of this version or an older one."""
    file = read_tensor_file(path, {FORMAT: VERSION, "network": 1}, "model")
    with damage_said(file.name):
        header, arrays = file.header, dict(file.arrays)
        if header["version"] == 1:
            header, arrays = from_version_1(header, arrays)
        task = _task(header)
        decision = decision_of(task)
        labels = labels_of(header, fewest=decision.fewest_labels)
        label_type = choice(header, "label_type", LABEL_TYPES)
        label_values(labels, label_type)
        link = choice(header, "link", (None, *decision.links))
        head = Head(entry(header, "kind", str), labels, label_type, link, task)
        described = entry(header, "sections", dict)
        sections = {name: _section(described, name, taken(f"{name}.", arrays)) for name in sorted(described)}
        refuse_rest(arrays)
        return Frame(file.name, head, sections)


def _task(header: dict[str, Any]) -> Task:
    task = entry(header, "task", str)
    if task not in TASKS:
        gives = f"that gives {_GIVES[task]}" if task in _GIVES else f"for the task {task[:60]!r}"
        read = " or ".join(_GIVES[known] for known in TASKS)
        raise ModelFileError(
            f"this file holds a model {gives}; this version of assay reads models that give {read}. Install a newer "
            "assay."
        )
    return task


def _section(described: dict[str, Any], name: str, arrays: Arrays) -> Section:
    if "." in name:
        raise ValueError(f"the name of the section {name[:60]!r} has a point in it")
    part = entry(described, name, dict)
    version = whole_number(part, "version", 1, 1 << 30)
    return Section(entry(part, "content", dict), arrays, flag(part, "required"), version)
