"""Vectors of texts that were encoded before: encoding is by far the longest part of the work."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.errors import ModelFileError, ParameterError
from assay.tensor_file import read_tensor_file, write_tensor_file

__all__ = ["VectorCache", "text_key"]

Vectors = NDArray[np.float32]

_FORMAT, _VERSION, _SUFFIX = "sentence-vectors", 1, ".vectors"
_KEY_BYTES = 16
#: What is kept in memory at most.
_MOST_BYTES = 1 << 28


def text_key(text: str) -> bytes:
    """By which a text is known: 128 bits of its SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:_KEY_BYTES]


class VectorCache:
    """Vectors by the texts' keys: in memory, up to 256 MB, and, where a folder is given, in files there.

    Each call of `add` writes one file under a name that follows from its content; several processes may share a folder.
    A file that is damaged, or of another encoder, is as if it were not there.

    Parameters
    ----------
    purpose
        What the vectors depend on beside the text: encoder and settings.
    folder
        Where to keep them; None for memory only.
    """

    def __init__(self, purpose: str, folder: str | os.PathLike[str] | None = None) -> None:
        self._purpose = hashlib.sha256(purpose.encode()).hexdigest()
        self._folder = None if folder is None else Path(folder)
        self._found: dict[bytes, Vectors] = {}
        self._bytes = 0
        if self._folder is not None:
            _make(self._folder)
        for file in sorted(self._folder.glob(f"{self._purpose[:16]}-*{_SUFFIX}")) if self._folder else ():
            self._read(file)

    def __len__(self) -> int:
        return len(self._found)

    def get(self, key: bytes) -> Vectors | None:
        """The vector of a text, if it is known."""
        return self._found.get(key)

    def add(self, keys: Sequence[bytes], vectors: Vectors) -> None:
        """Keep vectors."""
        if not keys:
            return
        if self._folder is not None:
            header = {"format": _FORMAT, "version": _VERSION, "purpose": self._purpose}
            table = np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(len(keys), _KEY_BYTES)
            content = hashlib.sha256(table.tobytes()).hexdigest()[:16]
            file = self._folder / f"{self._purpose[:16]}-{content}{_SUFFIX}"
            write_tensor_file(file, header, {"keys": table, "vectors": vectors})
        self._remember(keys, vectors)

    def _remember(self, keys: Sequence[bytes], vectors: Vectors) -> None:
        if self._folder is None and self._bytes + vectors.nbytes > _MOST_BYTES:
            return
        self._bytes += vectors.nbytes
        self._found.update(zip(keys, vectors, strict=True))

    def _read(self, file: Path) -> None:
        try:
            found = read_tensor_file(file, {_FORMAT: _VERSION}, "file of sentence vectors")
        except ModelFileError:
            return
        keys, vectors = found.arrays.get("keys"), found.arrays.get("vectors")
        if found.header.get("purpose") != self._purpose or keys is None or vectors is None:
            return
        fits = keys.dtype == np.uint8 and keys.ndim == vectors.ndim == 2 and keys.shape == (len(vectors), _KEY_BYTES)
        if fits and vectors.dtype == np.float32 and np.isfinite(vectors).all():
            self._remember([row.tobytes() for row in keys], vectors)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParameterError(
            f"{folder}: vectors cannot be kept there ({error.strerror}). Name another folder as cache, or leave cache "
            "out: they are then kept in memory."
        ) from None
