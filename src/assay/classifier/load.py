"""`assay.load`: a classifier from a file."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from assay.classifier.text_classifier import TextClassifier
from assay.modelfile.read import read_model
from assay.tensor_file import format_of

__all__ = ["load"]

#: Formats of models whose packages stand above this one: who reads each, by name.
_READERS = {"network": ("assay.neural.files.load_network", "load_network")}


def load(path: str | os.PathLike[str]) -> Any:
    """Read a classifier that `save` of a `TextClassifier` or of a network wrote.

    Nothing in the file is run, and every size and index in it is checked. Where the file does not say when the model
    was made, ``provenance["created"]`` is the time of the file.

    Examples
    --------
    >>> import tempfile
    >>> model = TextClassifier().fit(["loved it", "so dull", "great fun"], ["pos", "neg", "pos"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(f"{folder}/reviews.assay")
    ...     load(f"{folder}/reviews.assay").predict(["dull film"]).tolist()
    ['neg']
    """
    kind = format_of(path)
    if kind in _READERS:
        module, name = _READERS[kind]
        classifier = getattr(import_module(module), name)(path)
    else:
        classifier = TextClassifier.from_parts(*read_model(path))
    if "created" not in classifier.provenance:
        changed = datetime.fromtimestamp(int(Path(path).stat().st_mtime), UTC)
        classifier.provenance["created"] = changed.isoformat()
    return classifier
