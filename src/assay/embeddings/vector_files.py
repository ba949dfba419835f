"""Files of word vectors, whoever wrote them."""

from __future__ import annotations

import os
from pathlib import Path

from assay.embeddings.word2vec_format import read_word2vec
from assay.embeddings.word_vectors import WordVectors
from assay.file_access import is_there

__all__ = ["read_vectors"]


def read_vectors(path: str | os.PathLike[str]) -> WordVectors:
    """Read word vectors of assay, or in the text or binary format of word2vec (gensim, fastText ``.vec``), gzip or not.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     WordVectors(["a", "b"], [[1, 0], [0, 1]]).save(f"{folder}/two.safetensors")
    ...     read_vectors(f"{folder}/two.safetensors")
    <WordVectors: 2 words, 2 dimensions>
    """
    return WordVectors.load(path) if _is_safetensors(Path(path)) else read_word2vec(path)


def _is_safetensors(path: Path) -> bool:
    """Eight bytes with the length of the header, which is JSON."""
    if not (is_there(path) and path.is_file()):
        return False
    with path.open("rb") as file:
        return file.read(9)[8:] == b"{"
