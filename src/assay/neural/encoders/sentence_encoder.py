"""Vectors of texts by a transformer that stays as it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from assay.neural.encoders.folder import EncoderFolder, open_folder
from assay.neural.encoders.pooling import pooled
from assay.neural.encoders.reading import check_tokens, read_body, read_tokens
from assay.neural.encoders.transformer import layers_of, size_of
from assay.neural.encoders.vector_cache import VectorCache, text_key
from assay.neural.parts.layers import word_mask
from assay.neural.parts.network_model import torch_threads
from assay.neural.reading.batches import batches_in_order

__all__ = ["SentenceEncoder", "open_encoder"]

Vectors = NDArray[np.float32]

#: Texts that are tokenized, sorted by length and encoded together; and in a batch: texts, and tokens with padding.
_AT_ONCE = 5_000
_BATCH, _TOKENS = 64, 4_096


class SentenceEncoder:
    """A transformer with its tokenizer, and the vectors that it has found.

    Vectors of the same text may differ in the last bits with what else is encoded at the same time.

    Parameters
    ----------
    folder
        Of the transformer.
    max_length
        Tokens that are read of a text; None: as the folder says.
    layers
        The vectors of so many layers, the last ones, stand side by side.
    cache
        Folder in which vectors are kept; None: in memory only.
    """

    def __init__(
        self,
        folder: EncoderFolder,
        *,
        max_length: int | None = None,
        layers: int = 1,
        cache: str | os.PathLike[str] | None = None,
    ) -> None:
        self.folder = folder
        self.sha256 = folder.sha256
        self.reader = read_tokens(folder, max_length)
        self._body = read_body(folder)
        check_tokens(folder, self.reader, self._body)
        self.layers = min(layers, layers_of(self._body))
        beyond = "" if self.layers == 1 else f" {self.layers} layers"
        self._cache = VectorCache(f"{self.sha256} {self.max_length}{beyond}", cache)
        self._told: Callable[[int, int], None] | None = None

    @property
    def max_length(self) -> int:
        """Tokens that are read of a text."""
        return self.reader.max_length

    @property
    def size(self) -> int:
        """Numbers in a vector."""
        return self.layers * size_of(self._body)

    @contextmanager
    def telling(self, told: Callable[[int, int], None] | None) -> Iterator[None]:
        """Call `told`, meanwhile, with the number of texts that are encoded and of all that were not known before."""
        before, self._told = self._told, told
        try:
            yield
        finally:
            self._told = before

    def encode(self, texts: list[str], *, threads: int = 1) -> Vectors:
        """Vectors (n, size) of texts.

        Parameters
        ----------
        texts
            Each is encoded once, however often it occurs.
        threads
            For PyTorch.
        """
        keys = [text_key(text) for text in texts]
        unknown = {key: text for key, text in zip(keys, texts, strict=True) if self._cache.get(key) is None}
        found: dict[bytes, Vectors] = {}
        new_keys, new_texts = list(unknown), list(unknown.values())
        for begin in range(0, len(new_keys), _AT_ONCE):
            some = new_keys[begin : begin + _AT_ONCE]

            def note(done: int, begin: int = begin) -> None:
                if self._told is not None:
                    self._told(begin + done, len(new_keys))

            vectors = self._encoded(new_texts[begin : begin + _AT_ONCE], threads, note)
            self._cache.add(some, vectors)
            found.update(zip(some, vectors, strict=True))
        result = np.empty((len(texts), self.size), dtype=np.float32)
        for row, key in enumerate(keys):
            known = found.get(key)
            result[row] = self._cache.get(key) if known is None else known
        return result

    @torch.inference_mode()
    def _encoded(self, texts: list[str], threads: int, note: Callable[[int], None]) -> Vectors:
        with torch_threads(threads):
            examples = self.reader.read_strings(texts)
            result = np.empty((len(texts), self.size), dtype=np.float32)
            done = 0
            for rows, (ids, lengths) in batches_in_order(examples, size=_BATCH, most=_TOKENS):
                mask = word_mask(lengths, ids.shape[1])
                result[rows] = self._vectors(ids, mask).numpy()
                done += len(rows)
                note(done)
        return result

    def _vectors(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Vectors (n, size) of texts (n, width)."""
        asked = {"input_ids": ids, "attention_mask": mask.long()}
        if self.layers == 1:
            states = (self._body(**asked).last_hidden_state,)
        else:
            states = self._body(**asked, output_hidden_states=True).hidden_states[-self.layers :]
        vectors = [pooled(of_layer, mask, self.folder.pooling) for of_layer in states]
        if self.folder.normalize:
            vectors = [torch.nn.functional.normalize(of_layer, dim=1) for of_layer in vectors]
        return torch.cat(vectors, dim=1)


def open_encoder(
    name: str | os.PathLike[str],
    *,
    max_length: int | None = None,
    layers: int = 1,
    cache: str | os.PathLike[str] | None = None,
) -> SentenceEncoder:
    """The encoder of a folder or a package; one that is open already, with its vectors, is used again."""
    folder = open_folder(name)
    return _opened(folder, folder.sha256, max_length, layers, None if cache is None else Path(cache).resolve())


@lru_cache(maxsize=2)
def _opened(
    folder: EncoderFolder,
    sha256: str,  # noqa: ARG001 (files that have changed are read again)
    max_length: int | None,
    layers: int,
    cache: Path | None,
) -> SentenceEncoder:
    return SentenceEncoder(folder, max_length=max_length, layers=layers, cache=cache)
