"""Settings of a network as the file of a model tells them: without folders, texts and tables of numbers."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import numpy as np

from assay.classifier.training_data import corpus_of
from assay.modelfile.provenance import data_provenance

__all__ = ["kept_settings"]

#: They change no bit of what is learned.
_WITHOUT_EFFECT = {"cache", "checkpoint", "learn_novelty", "sketch", "verbose"}


def kept_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings by name: of a file its name, and of data how much there is and its SHA-256.

    Examples
    --------
    >>> kept_settings({"vectors": "models/words.vec", "epochs": 3, "cache": "vectors"})
    {'vectors': 'words.vec', 'epochs': 3}
    """
    kept = {name: value for name, value in settings.items() if name not in _WITHOUT_EFFECT}
    for name in ("encoder", "validation", "vectors"):
        if name in kept:
            kept[name] = _described(kept[name])
    return kept


def _described(value: Any) -> Any:
    if isinstance(value, str | os.PathLike):
        return PurePath(value).name
    if hasattr(value, "words") and hasattr(value, "matrix"):
        content = "\n".join(map(str, value.words)).encode("utf-8", "replace")
        return {"words": len(value.words), **_table(value.matrix, content)}
    if isinstance(value, tuple):
        examples, labels = value
        if np.ndim(examples) == 2:
            return {"rows": len(labels), **_table(examples, "\n".join(map(str, labels)).encode("utf-8", "replace"))}
        return data_provenance(corpus_of(examples, labels))
    return data_provenance(value) if hasattr(value, "fingerprint") else value


def _table(numbers: Any, beside: bytes) -> dict[str, Any]:
    """How wide a table is, and the SHA-256 of its numbers and of what stands beside them."""
    table = np.ascontiguousarray(numbers, dtype=np.float32)
    return {"columns": int(table.shape[1]), "sha256": hashlib.sha256(table.tobytes() + beside).hexdigest()}
