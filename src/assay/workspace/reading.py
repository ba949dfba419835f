"""The data of a workspace, read as it was when it was added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.data.corpus.corpus import Corpus
from assay.data.options import ReadOptions
from assay.data.reading.read import read_with
from assay.errors import DataError
from assay.label_sets import Task
from assay.wording import setting
from assay.workspace.settings import READING, Settings
from assay.workspace.sources import found
from assay.workspace.texts import Texts

__all__ = ["read_source", "read_texts"]


def read_texts(folder: Path, settings: Settings) -> Texts:
    """All texts of the data, file by file; an error where one is not there, or not as it was."""
    corpora = []
    for source in settings.data:
        path = found(folder, source)
        corpora.append(read_source(path, source.reading, settings.task, settings.labels))
    return Texts.of(corpora, folder.name)


def read_source(path: Path, reading: Mapping[str, Any], task: Task | None, known: tuple[str, ...]) -> Corpus:
    """Read one file, with the rows that have no label; `task` is that of the workspace, None where it is to be seen."""
    usual: dict[str, Any] = dict.fromkeys(READING) | {"errors": "strict", "quotes": True}
    options = ReadOptions.checked(**(usual | dict(reading)), keep=False)
    of_task = {"task": task, "known_labels": known} if task is not None else {}
    corpus = read_with(str(path), replace(options, skip_empty=True, keep_unlabelled=True, **of_task))  # type: ignore[arg-type]
    if task is not None and corpus.labels is not None and corpus.task != task:
        if task == "label-sets":
            raise DataError(
                f"{path}: read as one label a text, and texts of this workspace have sets of labels. Say what stands "
                f"between labels with {setting('labels_separator')}."
            )
        raise DataError(
            f"{path}: its texts have sets of labels, and texts of this workspace have one label. If what is written "
            f"there is one label, read it with {setting('labels_separator', False)}."
        )
    return corpus
