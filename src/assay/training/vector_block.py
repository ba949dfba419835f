"""Word vectors among the features that a search tries."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import ParameterError
from assay.suggest import refuse_unknown

if TYPE_CHECKING:
    from assay.embeddings.word_vectors import WordVectors
    from assay.features.designed.embedding_block import EmbeddingBlock

__all__ = ["VectorBlock"]

_IN_MEMORY = "(in memory)"


@dataclass(frozen=True)
class VectorBlock:
    """Mean of the vectors of a text's words, by smooth inverse frequency; see `EmbeddingVectorizer`.

    What a column holds depends on the vectors alone, and not on the texts of a fold.

    Attributes
    ----------
    file
        Where the vectors are.
    a
        Of the smooth inverse frequency.
    length
        Of the mean vector of each text; n-grams have 1.
    given
        The vectors themselves, where they came from no file.
    """

    file: str
    a: float = 1e-3
    length: float = 2.0
    given: WordVectors | None = field(default=None, repr=False)

    @classmethod
    def of(cls, vectors: WordVectors | str | os.PathLike[str]) -> VectorBlock:
        """A block of vectors, or of a file of them, which is read now: a mistake is found before any text is read."""
        is_path = isinstance(vectors, str | os.PathLike)
        block = cls(os.fspath(vectors)) if is_path else cls(_IN_MEMORY, given=vectors)  # type: ignore[arg-type]
        _ = block.vectors
        return block

    @property
    def name(self) -> str:
        """In a few words."""
        return "word vectors"

    @property
    def vectors(self) -> WordVectors:
        """Read once."""
        if self.given is not None:
            return self.given
        if self.file == _IN_MEMORY:
            raise ParameterError(
                "These settings were written by a run whose word vectors were in no file. Save the vectors, and train "
                "with vectors= and the file."
            )
        path = Path(self.file)
        return _read(self.file, path.stat().st_mtime_ns if path.is_file() else 0)

    def fitted(self, documents: Any, threads: int) -> EmbeddingBlock:
        """The block of features, ready for prediction."""
        from assay.embeddings.text_vectors import embedding_block

        return embedding_block(self.vectors, documents, a=self.a, length=self.length, n_threads=threads)

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {"vectors": self.file, "a": self.a, "length": self.length}

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> VectorBlock:
        """The inverse of `to_dict`."""
        refuse_unknown(settings, ("vectors", "a", "length"), "of word vectors")
        a, length = float(settings.get("a", cls.a)), float(settings.get("length", cls.length))
        for name, value in (("a", a), ("length", length)):
            if not 0 < value < float("inf"):
                raise ParameterError(f"{name} must be a number above 0. Got {value!r} instead.")
        return cls(str(settings["vectors"]), a, length)


@lru_cache(maxsize=1)
def _read(file: str, changed: int) -> WordVectors:  # noqa: ARG001 (a file that has changed is read again)
    from assay.embeddings.vector_files import read_vectors

    return read_vectors(file)
