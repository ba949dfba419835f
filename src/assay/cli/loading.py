"""Loading models for a command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier

__all__ = ["is_model_file", "load_model"]


def load_model(path: str, *, threads: int | None = None) -> TextClassifier:
    """Load a model; `threads` cores are used when it predicts."""
    from assay.classifier.load import load
    from assay.threads import count_threads

    model: TextClassifier = load(path)
    model.threads = None if threads is None else count_threads(threads)
    return model


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
