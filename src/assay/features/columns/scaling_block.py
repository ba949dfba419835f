"""Hand-made features brought to one size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from assay.features.columns.blocks import Arrays, DesignedBlock, Places, block_from_data, block_to_data
from assay.features.columns.narrow_tables import table_to_rows
from assay.features.columns.scaling import METHODS, Scaling
from assay.features.ngrams.text_features import Rows, TextFeatures
from assay.header_checks import choice, entry, numbers, taken

__all__ = ["ScaledBlock"]


@dataclass(frozen=True, eq=False)
class ScaledBlock:
    """Another block and what is done to its columns.

    Attributes
    ----------
    block
        The features.
    scaling
        What is done to them. If it moves zeros, every column of every row is written out.
    """

    block: DesignedBlock
    scaling: Scaling

    kind: ClassVar[str] = "scaled"

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return self.block.n_columns

    @property
    def is_hashed(self) -> bool:
        """Whether columns go by a hash."""
        return self.block.is_hashed

    def names(self) -> list[str] | None:
        """Name of each column; None if they are hashed."""
        return self.block.names()

    def rows(self, documents: Any, *, n_threads: int, dtype: npt.DTypeLike = np.float64) -> Rows:
        """The matrix of the documents."""
        return self.scaled(self.block.rows(documents, n_threads=n_threads), dtype)

    def scaled(self, rows: Rows, dtype: npt.DTypeLike = np.float64) -> Rows:
        """Rows of the block, scaled."""
        indptr, indices, data = rows
        if not self.scaling.moves_zero:
            return indptr, indices, self.scaling.sparse(indices, data).astype(dtype)
        table = np.zeros((len(indptr) - 1, self.n_columns))
        table[np.repeat(np.arange(len(table)), np.diff(indptr)), indices] = data
        return table_to_rows(self.scaling.table(table), dtype)

    def places(self, text: str) -> Places:
        """Where in a text its features stand."""
        return self.block.places(text)

    def to_data(self) -> tuple[dict[str, Any], Arrays]:
        """Plain values and arrays that say everything about the block."""
        inner, arrays = block_to_data(self.block)
        own = {"shift": self.scaling.shift, "scale": self.scaling.scale}
        description = {"method": self.scaling.method, "block": inner}
        return description, own | {f"block.{name}": values for name, values in arrays.items()}

    @classmethod
    def from_data(cls, description: Mapping[str, Any], arrays: Arrays) -> ScaledBlock:
        """The inverse of `to_data`."""
        method, inner = choice(description, "method", METHODS), entry(description, "block", dict)
        if entry(inner, "kind", str) in (cls.kind, TextFeatures.kind):
            raise ValueError("a scaled block is of n-grams, or is scaled again")
        block = cast(DesignedBlock, block_from_data(inner, taken("block.", arrays)))
        shift, scale = (numbers(arrays, name, (np.float64,), (block.n_columns,)) for name in ("shift", "scale"))
        if (scale <= 0).any():
            raise ValueError("a scaled feature is divided by a number that is not above 0")
        return cls(block, Scaling(method, shift, scale))
