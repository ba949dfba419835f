"""Loading models for a command, and which kind they are of."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier

__all__ = ["is_model_file", "is_network", "load_model", "reads_whole_texts", "refuse_models"]


def load_model(path: str, *, threads: int | None = None) -> TextClassifier:
    """Load a model; `threads` cores are used when it predicts."""
    from assay.file_access import is_there, require_name
    from assay.loading import load
    from assay.threads import count_threads

    require_name(path)
    if not is_there(path):
        from assay.data.reading.locate import what_is_beside
        from assay.errors import ModelFileError

        raise ModelFileError(f"{path}: no such file. {what_is_beside(Path(path))}")
    model: TextClassifier = load(path)
    model.threads = None if threads is None else count_threads(threads)
    return model


def refuse_models(data: Sequence[str], rest: str = ". Name the file of texts.") -> None:
    """Complain about a model where data is expected; `rest` ends the sentence and says the way out."""
    from assay.errors import ParameterError

    for name in data:
        if name.lower().endswith(".assay") and os.path.lexists(name):
            raise ParameterError(f"{name}: this is a model, not data{rest}")


def is_model_file(path: str) -> bool:
    """Whether a file is, or is called, a model: safetensors begin with the length of a JSON header, and ``{``."""
    if path.lower().endswith(".assay"):
        return True
    try:
        with Path(path).open("rb") as file:
            head = file.read(9)
    except (OSError, ValueError):
        return False
    return len(head) == 9 and head[8:] == b"{" and 0 < int.from_bytes(head[:8], "little") < 1 << 40


def is_network(model: Any) -> bool:
    """Whether a classifier is a network."""
    return hasattr(model, "history_")


def reads_whole_texts(model: Any) -> bool:
    """Whether a linear model has features that stand nowhere in a text, such as sentence vectors of an encoder."""
    from assay.explanation.columns import of_whole_texts

    inside = model.model
    return any(map(of_whole_texts, getattr(inside, "features", ()))) and inside.decision.has_probabilities
