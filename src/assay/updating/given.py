"""What an update is given: a model or its file, labelled texts, old data; each in any form."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from assay.data.corpus.corpus import Corpus
from assay.data.options import ReadOptions
from assay.data.reading.read import read_given, read_with
from assay.errors import DataError, ParameterError, UnclearColumnError
from assay.loading import load
from assay.modelfile.lineage import Parent
from assay.modelfile.provenance import model_reference
from assay.suggest import excerpt
from assay.updating.new_labels import NewLabels, take_new_labels

__all__ = ["open_model", "parent_of", "read_new_labels", "read_old"]


def read_new_labels(model: Any, corrections: Any, *, allow_new: bool) -> NewLabels:
    """Labelled texts for a model, from a file or from memory."""
    task = model.decision.task
    if isinstance(corrections, str | os.PathLike):
        expected = model.provenance.get("data", {}).get("text_column")
        options = ReadOptions(known_labels=model.labels, task="label-sets" if task == "label-sets" else None)
        try:
            corrections = read_with(corrections, replace(options, expected_text=expected))
        except UnclearColumnError:
            raise
        except DataError:  # a list of texts to label calls its columns otherwise than the training data
            corrections = read_with(corrections, options)
    corpus = corrections if isinstance(corrections, Corpus) else read_given(corrections)
    return take_new_labels(corpus, model.labels, task, allow_new=allow_new)


def open_model(model: Any) -> tuple[Path | None, Any]:
    """The path of a model, where one was given, and the classifier."""
    if isinstance(model, str | os.PathLike):
        return Path(model), load(model)
    if not hasattr(model, "record") or not hasattr(model, "save"):
        raise ParameterError(f"model must be the file of a model, or a classifier. Got {excerpt(repr(model))} instead.")
    return None, model


def read_old(data: Any, model: Any) -> Corpus:
    """The old data, from a file or from memory."""
    if isinstance(data, str | os.PathLike):
        options = ReadOptions(task="label-sets" if model.decision.task == "label-sets" else None)
        data = read_with(data, options)
    corpus = data if isinstance(data, Corpus) else read_given(data)
    if corpus.labels is None:
        raise DataError(f"{corpus.source}: the old data has no labels. Say which column holds them.")
    return corpus


def parent_of(model: Any, path: Path | None) -> Parent:
    """The file of the old model, as the new one tells it."""
    if path is not None:
        return Parent(**model_reference(path))
    with TemporaryDirectory() as folder:
        saved = Path(folder, "model.assay")
        model.save(saved)
        return Parent("in memory", model_reference(saved)["sha256"])
