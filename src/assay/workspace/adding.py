"""New data for a workspace: read once, so that what a workspace keeps of it is known to be readable."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.atomic_file import open_atomically
from assay.data.corpus.corpus import Corpus
from assay.data.reading.locate import expand_path
from assay.errors import DataError
from assay.file_access import is_folder, is_there
from assay.label_sets import Task
from assay.label_types import sorted_labels
from assay.output_files import make_folder
from assay.suggest import refuse_unknown
from assay.workspace.reading import read_source
from assay.workspace.settings import DATA, READING, Settings, Source
from assay.workspace.sources import digest_of, kept_path, place_of, require_lasting

__all__ = ["NewData", "read_new"]


@dataclass(frozen=True)
class NewData:
    """Data that can be read.

    Attributes
    ----------
    sources
        Where each file lies, or will, and how it is read.
    labels
        That come with it.
    task
        What it shows; None where it has no labels.
    notes
        What was guessed, left out or repaired.
    copies
        What is to be copied, and where to.
    """

    sources: tuple[Source, ...]
    labels: tuple[str, ...]
    task: Task | None
    notes: tuple[str, ...]
    copies: tuple[tuple[Path, Path], ...]

    def into(self, folder: Path, settings: Settings) -> Settings:
        """The settings of a workspace to which this is added."""
        kept = list(settings.data)
        for new in self.sources:
            place = _place_among(folder, kept, new)
            if place is None:
                kept.append(new)
            else:
                kept[place] = new
        labels = tuple(dict.fromkeys([*settings.labels, *self.labels]))
        return replace(settings, data=tuple(kept), labels=labels, task=self.task or settings.task)

    def copy_files(self) -> None:
        """Copy what is to be copied, each file whole or not at all."""
        for source, target in self.copies:
            make_folder(target.parent)
            if is_folder(source):
                shutil.copytree(source, target, dirs_exist_ok=True)
                continue
            with source.open("rb") as file, open_atomically(target) as copy:
                shutil.copyfileobj(file, copy, 1 << 20)


def read_new(
    folder: Path,
    settings: Settings,
    data: Sequence[str | os.PathLike[str]],
    task: Task | None,
    *,
    copy: bool,
    reading: Mapping[str, Any],
) -> NewData:
    """Read data that is to be added; nothing is written."""
    refuse_unknown(reading, READING, "of reading that a workspace keeps")
    given = {name: _plain(value) for name, value in reading.items() if value is not None}
    before = {source.path: source.reading for source in settings.data}
    sources: dict[str, Source] = {}
    labels: list[str] = []
    notes: list[str] = []
    copies = []
    for path in [Path(path) for name in data for path in expand_path(os.fspath(name))]:
        require_lasting(path)
        target = folder / DATA / path.name if copy else path
        kept = Path(DATA, path.name).as_posix() if copy else kept_path(folder, path)
        digest = digest_of(path)
        if copy:
            _refuse_other(target, digest)
            copies.append((path, target))
        how = given or dict(before.get(kept, {}))
        corpus = read_source(path, how, task, tuple(settings.labels))
        if corpus.labels is not None:
            task = corpus.task
            labels += sorted_labels([name for name in corpus.label_names if name], corpus.label_type)
        notes += corpus.notes
        sources[kept] = Source(kept, digest, _settled(corpus, how))
    return NewData(tuple(sources.values()), tuple(dict.fromkeys(labels)), task, tuple(notes), tuple(copies))


def _settled(corpus: Corpus, how: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of reading with what was found out, so that the next reading finds the same."""
    found: dict[str, Any] = dict(how)
    if corpus.text_column is None:  # the format has its own columns
        return found
    found["text"] = corpus.text_column
    if "label_columns" in how:
        return found
    found["label"] = corpus.label_column or False
    if corpus.task == "label-sets" and corpus.labels_separator is not None:
        found["labels_separator"] = corpus.labels_separator
    elif corpus.labels is not None and corpus.task == "labels":
        found["labels_separator"] = False
    return found


def _place_among(folder: Path, sources: Sequence[Source], new: Source) -> int | None:
    """The source that a new one takes the place of: of the same path, or gone and of the same content."""
    for place, source in enumerate(sources):
        if source.path == new.path:
            return place
    for place, source in enumerate(sources):
        if source.sha256 == new.sha256 and not is_there(place_of(folder, source)):
            return place
    return None


def _refuse_other(target: Path, digest: str) -> None:
    if is_there(target) and digest_of(target) != digest:
        raise DataError(
            f"{target}: there is another file of this name in the workspace. Give the new one another name, or put it "
            "in the place of the old one."
        )


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
