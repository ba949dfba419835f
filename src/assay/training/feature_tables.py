"""Features that a settings file describes: n-grams, lexicons, templates, with their scaling and selection; vectors.

``[features.vectors]`` has a ``file`` of word vectors, and settings of `EmbeddingVectorizer`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import ParameterError
from assay.suggest import refuse_unknown
from assay.training.vector_block import VectorBlock

__all__ = ["FeatureTables"]


@dataclass(frozen=True)
class FeatureTables:
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
    def of(cls, tables: Mapping[str, Any], folder: str) -> FeatureTables:
        """Tables as they were read; what is wrong with them is said now, before any data is read."""
        designed = cls(json.dumps(tables), folder)
        designed.vectorizer(None)
        return designed

    def vectorizer(self, threads: int | None) -> Any:
        """The vectorizer that the tables describe."""
        from assay.features.joined import JoinedVectorizer
        from assay.features.settings import vectorizer_from_settings

        tables = json.loads(self.tables)
        vectors = tables.pop("vectors", None)
        if vectors is None:
            return vectorizer_from_settings(tables, self.folder, n_jobs=threads)
        own = ("vectors", _embedding(vectors, self.folder))
        if not tables:
            return JoinedVectorizer([own], n_jobs=threads)
        others = vectorizer_from_settings(tables, self.folder, n_jobs=threads)
        return others.set_params(parts=[*others.parts, own])

    @property
    def name(self) -> str:
        """In a few words."""
        tables = [table for table in json.loads(self.tables) if table in _NAMES]
        return " + ".join(_NAMES[table] for table in tables)

    @property
    def files(self) -> tuple[str, ...]:
        """Files that the tables name, be it for words, templates or vectors."""
        named = (Path(self.folder, text) for text in _strings(json.loads(self.tables)))
        return tuple(str(path) for path in named if os.path.isfile(path))  # noqa: PTH113  (a text may be too long)

    def to_dict(self) -> dict[str, Any]:
        """As plain values, ready for a settings file."""
        return {"folder": self.folder, **json.loads(self.tables)}

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> FeatureTables:
        """The inverse of `to_dict`."""
        tables = dict(settings)
        return cls.of(tables, str(tables.pop("folder", ".")))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from _strings(inner)


def _embedding(table: Any, folder: str) -> Any:
    from assay.embeddings.vectorizer import EmbeddingVectorizer

    if not isinstance(table, Mapping) or not isinstance(table.get("file"), str):
        raise ParameterError(f"features.vectors must be a table with a 'file' of word vectors. Got {table!r} instead.")
    refuse_unknown(table, _VECTORS, "in features.vectors")
    settings = {name: value for name, value in table.items() if name != "file"}
    return EmbeddingVectorizer(VectorBlock(str(Path(folder) / table["file"])).vectors, **settings)


_VECTORS = ("file", "weighting", "a", "remove_component", "length", "tokenizer", "lowercase")
_NAMES = {
    "words": "words",
    "characters": "characters",
    "lexicons": "lexicons",
    "templates": "templates",
    "functions": "functions",
    "vectors": "word vectors",
}
