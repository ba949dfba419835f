"""`assay.load`: a classifier from a file."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from assay.classifier.text_classifier import TextClassifier
from assay.modelfile.read import read_model

__all__ = ["load"]


def load(path: str | os.PathLike[str]) -> TextClassifier:
    """Read a classifier that `TextClassifier.save` wrote.

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
    model, provenance = read_model(path)
    if "created" not in provenance:
        changed = datetime.fromtimestamp(int(Path(path).stat().st_mtime), UTC)
        provenance["created"] = changed.isoformat()
    return TextClassifier.from_parts(model, provenance)
