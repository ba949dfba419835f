"""Sentence vectors of a pre-trained transformer as columns of a model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from assay.errors import ModelFileError, ParameterError
from assay.features.columns.blocks import Arrays
from assay.features.designed.table_block import TableBlock
from assay.header_checks import entry, numbers, whole_number
from assay.neural.encoders.locate import SEARCHED

__all__ = ["EncoderBlock"]


@dataclass(frozen=True, eq=False)
class EncoderBlock(TableBlock):
    """One column a number of the sentence vector, moved and scaled, times a weight.

    The transformer itself is not in the block: it is looked for by its name when vectors are first asked for, and must
    consist of the same bytes.

    Attributes
    ----------
    encoder
        Folder or package of the transformer.
    sha256
        Of its files.
    size
        Numbers in a vector.
    max_length
        Tokens that are read of a text.
    weight
        Each number is multiplied by it.
    layers
        Of the transformer, whose vectors stand side by side.
    shift, scale
        Number x of a vector becomes (x - shift) · scale, before the weight; None leaves it.
    """

    encoder: str
    sha256: str
    size: int
    max_length: int
    weight: float = 1.0
    layers: int = 1
    shift: npt.NDArray[np.float32] | None = None
    scale: npt.NDArray[np.float32] | None = None

    kind: ClassVar[str] = "encoder"

    @property
    def n_columns(self) -> int:
        """Numbers in a vector."""
        return self.size

    def names(self) -> list[str]:
        """Columns have numbers only, from 1."""
        return [f"sentence vector {i}" for i in range(1, self.size + 1)]

    def table(self, documents: Any, *, n_threads: int = 1) -> npt.NDArray[np.float32]:
        """The values of documents, (n, n_columns)."""
        vectors: npt.NDArray[np.float32] = self._encoder.encode(documents.strings(), threads=n_threads)
        if self.shift is not None and self.scale is not None:
            vectors = (vectors - self.shift) * self.scale
        return vectors if self.weight == 1 else vectors * np.float32(self.weight)

    def to_data(self) -> tuple[dict[str, Any], Arrays]:
        """Plain values that say everything about the block."""
        names = ("encoder", "sha256", "size", "max_length", "weight", "layers")
        arrays = {} if self.shift is None or self.scale is None else {"shift": self.shift, "scale": self.scale}
        return {name: getattr(self, name) for name in names}, arrays

    @classmethod
    def from_data(cls, description: Mapping[str, Any], arrays: Arrays) -> EncoderBlock:
        """The inverse of `to_data`."""
        encoder, sha256 = entry(description, "encoder", str), entry(description, "sha256", str)
        if not re.fullmatch("[0-9a-f]{64}", sha256):
            raise ValueError(f"'sha256' is {sha256[:80]!r}")
        weight = entry(description, "weight", float)
        if not 0 < weight < float("inf"):
            raise ValueError(f"'weight' is {weight!r}, which is no number above 0")
        size, most = (whole_number(description, name, 1, 1 << 20) for name in ("size", "max_length"))
        layers = whole_number({"layers": 1, **description}, "layers", 1, 1000)
        spread = ("shift", "scale")
        if not any(name in arrays for name in spread):
            return cls(encoder, sha256, size, most, weight, layers)
        both = [numbers(arrays, name, (np.float32,), (size,)) for name in spread]
        return cls(encoder, sha256, size, most, weight, layers, *both)

    @cached_property
    def _encoder(self) -> Any:
        from assay.neural.encoders.extra import require_transformers

        require_transformers(f"This model reads texts with the encoder {self.encoder!r}, which")
        from assay.neural.encoders.sentence_encoder import open_encoder

        try:
            found = open_encoder(self.encoder, max_length=self.max_length, layers=self.layers)
        except ParameterError as error:
            raise ModelFileError(
                f"This model reads texts with the encoder {self.encoder!r}, which is not in its file and was not found "
                f"as it should be. {error} A folder that now lies elsewhere is found by its name in the folders that "
                f"the environment variable {SEARCHED} lists."
            ) from None
        if found.sha256 != self.sha256 or found.size != self.size:
            raise ModelFileError(
                f"The encoder at {found.folder.path} is not the one that this model was trained with: its SHA-256 is "
                f"{found.sha256[:16]}…, and that of {self.encoder!r} was {self.sha256[:16]}…. Get the same version of "
                "it, or train again."
            )
        return found

    def __getstate__(self) -> dict[str, Any]:
        description, arrays = self.to_data()
        return description | arrays
