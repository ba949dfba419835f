"""What a model was made of, in one form for every way of training."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["Component", "MadeBy", "Provenance", "data_provenance", "model_reference"]

# They change no bit of a model, and so they are no part of what it was made of.
_WITHOUT_EFFECT = {"n_jobs", "verbose"}


@dataclass(frozen=True)
class MadeBy:
    """A vectorizer or a learner: the name of its class, and its parameters as plain values.

    Examples
    --------
    >>> str(MadeBy("LinearSVC", {"C": 0.5, "class_weight": None}))
    'LinearSVC(C=0.5, class_weight=None)'
    """

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, estimator: Any) -> MadeBy:
        """A vectorizer or a learner in scikit-learn's manners."""
        kept = getattr(estimator, "settings_to_keep", None)
        parameters = estimator.get_params(deep=False) if kept is None else kept()
        plain = {name: _plain(value) for name, value in parameters.items() if name not in _WITHOUT_EFFECT}
        return cls(type(estimator).__name__, plain)

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {"class": self.name} | ({"parameters": dict(self.parameters)} if self.parameters else {})

    @classmethod
    def told_in(cls, provenance: Mapping[str, Any], name: str) -> MadeBy | None:
        """The "learner" or the "vectorizer" of a provenance; None where it says of none."""
        told = provenance.get(name) or {}
        return cls(told["class"], told.get("parameters", {})) if "class" in told else None

    def __str__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        return f"{self.name}({settings})" if settings else self.name


@dataclass(frozen=True)
class Component:
    """A learner on its features, and the factor of its scores in the model."""

    learner: MadeBy
    vectorizer: MadeBy | None = None
    weight: float = 1.0

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        own = {"weight": self.weight, "learner": self.learner.to_dict()}
        return own if self.vectorizer is None else own | {"vectorizer": self.vectorizer.to_dict()}


@dataclass(frozen=True)
class Provenance:
    """What a model was made of.

    Attributes
    ----------
    data
        What `data_provenance` says of the training texts.
    components
        What was trained: one learner on its features, or several whose scores are added up.
    calibration, rule, metric
        As they were asked for, or chosen; the metric is that of a search.
    seed
        Of everything random.
    more
        What else belongs to a way of training, by name.
    versions
        Of further libraries that computed it.
    """

    data: Mapping[str, Any]
    components: Sequence[Component]
    seed: int
    calibration: str | None = None
    rule: str | None = None
    metric: str | None = None
    more: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """As plain values, with the versions and the time of now."""
        from assay import __version__

        own = {"assay": __version__, "numpy": np.__version__, "python": platform.python_version()}
        told = {
            "data": dict(self.data),
            "learner": _joined([part.learner for part in self.components]),
            "vectorizer": _joined([part.vectorizer for part in self.components if part.vectorizer]),
            "scale": self._scale,
            "members": [part.to_dict() for part in self.components] if len(self.components) > 1 else None,
            "metric": self.metric,
        }
        return {
            **{name: value for name, value in told.items() if value is not None},
            "calibration": self.calibration,
            "rule": self.rule,
            "seed": self.seed,
            **self.more,
            "versions": {**own, **self.versions},
            "created": datetime.now(UTC).replace(microsecond=0).isoformat(),
        }

    @property
    def _scale(self) -> float | None:
        """Of one component, where its scores have a factor."""
        alone = len(self.components) == 1 and self.components[0].weight != 1.0
        return self.components[0].weight if alone else None


def _joined(parts: Sequence[MadeBy]) -> dict[str, Any] | None:
    """One part itself; of several, what they are called."""
    if len(parts) < 2:
        return parts[0].to_dict() if parts else None
    return MadeBy(" + ".join(dict.fromkeys(part.name for part in parts))).to_dict()


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
    import hashlib

    with Path(path).open("rb") as file:
        return {"file": name or Path(path).name, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}


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
