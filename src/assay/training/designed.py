"""Features that a settings file describes: n-grams, lexicons, templates, with their scaling and selection."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["DesignedFeatures"]


@dataclass(frozen=True)
class DesignedFeatures:
    """The ``[features]`` tables of a settings file; see `assay.features.settings`.

    Attributes
    ----------
    tables
        As JSON, so that recipes can be compared.
    folder
        Where the files that they name are.
    """

    tables: str
    folder: str

    @classmethod
    def of(cls, tables: Mapping[str, Any], folder: str) -> DesignedFeatures:
        """Tables as they were read; what is wrong with them is said now, before any data is read."""
        designed = cls(json.dumps(tables), folder)
        designed.vectorizer(None)
        return designed

    def vectorizer(self, threads: int | None) -> Any:
        """The vectorizer that the tables describe."""
        from assay.features.settings import vectorizer_from_settings

        return vectorizer_from_settings(json.loads(self.tables), self.folder, n_jobs=threads)

    @property
    def name(self) -> str:
        """In a few words."""
        tables = [table for table in json.loads(self.tables) if table in _NAMES]
        return " + ".join(_NAMES[table] for table in tables)

    def to_dict(self) -> dict[str, Any]:
        """As plain values, ready for a settings file."""
        return {"folder": self.folder, **json.loads(self.tables)}

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> DesignedFeatures:
        """The inverse of `to_dict`."""
        tables = dict(settings)
        return cls.of(tables, str(tables.pop("folder", ".")))


_NAMES = {
    "words": "words",
    "characters": "characters",
    "lexicons": "lexicons",
    "templates": "templates",
    "functions": "functions",
}
