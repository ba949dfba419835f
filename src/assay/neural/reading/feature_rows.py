"""Texts as rows of features: n-grams, lists, templates, whatever a vectorizer of `assay.features` finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import torch
from numpy.typing import NDArray

from assay.features.columns.blocks import FeatureBlock, rows_of
from assay.features.ngrams.native_vectorizer import said_with_way_out
from assay.header_checks import entry
from assay.modelfile.read import read_blocks
from assay.modelfile.write import describe_blocks
from assay.neural.reading.readers import READER_KINDS, Arrays
from assay.prediction.scoring import documents_of

__all__ = ["FeatureReader", "FeatureRows"]


@dataclass(frozen=True, eq=False)
class FeatureRows:
    """Row i has the columns ``columns[begin[i]:begin[i + 1]]`` with these values; the others are 0.

    Examples
    --------
    >>> rows = FeatureRows(np.array([0, 2, 3]), np.array([4, 7, 1]), np.array([0.5, 1.0, 2.0], dtype=np.float32))
    >>> [values.tolist() for values in rows.inputs(np.array([1, 0]))]
    [[1, 4, 7], [0, 1], [2.0, 0.5, 1.0]]
    """

    begin: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: NDArray[np.float32]
    text_of: None = None

    def __len__(self) -> int:
        return len(self.begin) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """All alike: nothing is padded, so rows of like length need not go together."""
        return np.ones(len(self), dtype=np.int64)

    def inputs(self, rows: NDArray[np.int64]) -> tuple[torch.Tensor, ...]:
        """Columns of all rows, where each row begins, and the values."""
        lengths = self.begin[rows + 1] - self.begin[rows]
        starts = np.cumsum(lengths) - lengths
        places = np.arange(int(lengths.sum())) + np.repeat(self.begin[rows] - starts, lengths)
        return tuple(map(torch.from_numpy, (self.columns[places], starts, self.values[places])))


@READER_KINDS.add
@dataclass(frozen=True, eq=False)
class FeatureReader:
    """Reads features.

    Attributes
    ----------
    blocks
        Of columns, side by side.
    """

    blocks: tuple[FeatureBlock, ...]

    kind: ClassVar[str] = "features"

    @property
    def n_columns(self) -> int:
        """Features that there are."""
        return sum(block.n_columns for block in self.blocks)

    def read(self, texts: Any, threads: int) -> FeatureRows:
        """Texts as rows."""
        with said_with_way_out():
            begin, columns, values = rows_of(self.blocks, documents_of(texts), n_threads=threads, dtype=np.float32)
        return FeatureRows(begin.astype(np.int64), columns.astype(np.int64), np.asarray(values, dtype=np.float32))

    def check_fits(self, settings: Mapping[str, Any]) -> None:
        """Complain about a network for another number of features."""
        if settings.get("n_inputs") != self.n_columns or settings.get("listed") != "yes":
            raise ValueError(f"the network reads {settings.get('n_inputs')} features, not {self.n_columns}")

    def to_data(self) -> tuple[dict[str, Any], Arrays]:
        """Plain values, and the arrays of the blocks."""
        blocks, arrays = describe_blocks(self.blocks)
        return {"blocks": blocks}, arrays

    @classmethod
    def from_data(cls, description: Mapping[str, Any], arrays: Arrays) -> Self:
        """The inverse of `to_data`."""
        return cls(read_blocks(entry(description, "blocks", list), arrays))
