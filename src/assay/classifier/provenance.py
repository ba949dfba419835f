"""Where a model comes from: the data, the settings, the versions, the time."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["data_provenance", "model_reference", "now", "plain_settings", "versions"]

# They change no bit of a model, and so they are no part of what it was made of.
_WITHOUT_EFFECT = {"n_jobs", "verbose"}


def data_provenance(corpus: Corpus) -> dict[str, Any]:
    """What a corpus was: name without folders, size, classes, SHA-256 over texts and labels; and what was changed."""
    counts = corpus.class_counts
    return {
        "source": PurePath(corpus.source).name,
        "text_column": corpus.text_column,
        "rows": len(corpus),
        "classes": {name: int(n) for name, n in sorted(zip(corpus.label_names, counts, strict=True)) if n},
        "sha256": corpus.fingerprint,
        **corpus.changes,
    }


def model_reference(path: str | os.PathLike[str], name: str | None = None) -> dict[str, str]:
    """Which model a result is of: the name of its file (or another), and SHA-256 of all its bytes."""
    with Path(path).open("rb") as file:
        return {"file": name or Path(path).name, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}


def plain_settings(estimator: Any) -> dict[str, Any]:
    """Class and parameters of a vectorizer or learner, as plain values."""
    kept = getattr(estimator, "settings_to_keep", None)
    parameters = estimator.get_params(deep=False) if kept is None else kept()
    plain = {name: _plain(value) for name, value in parameters.items() if name not in _WITHOUT_EFFECT}
    return {"class": type(estimator).__name__, "parameters": plain}


def versions() -> dict[str, str]:
    """Of what computed the model."""
    from assay import __version__

    return {"assay": __version__, "numpy": np.__version__, "python": platform.python_version()}


def now() -> str:
    """The time, to the second."""
    return datetime.now(UTC).replace(microsecond=0).isoformat()


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (set, frozenset)):
        value = sorted(value, key=str)
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(item) for item in value]
    if isinstance(value, (np.dtype, type)) and np.issubdtype(value, np.generic):
        return np.dtype(value).name
    return type(value).__name__
