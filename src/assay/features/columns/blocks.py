"""Blocks of columns of any kind, side by side in one matrix.

Prediction knows a block by four things: how wide it is, whether its columns are hashed, the rows that it makes of
documents, and its form as plain data. A new kind of feature is one class with these, which adds itself to the kinds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Protocol, Self, cast

import numpy as np
import numpy.typing as npt

from assay.features.ngrams.text_features import Rows, TextFeatures, joint_rows
from assay.header_checks import refuse_rest
from assay.registry import Registry

__all__ = [
    "BLOCK_KINDS",
    "Arrays",
    "DesignedBlock",
    "FeatureBlock",
    "Places",
    "block_from_data",
    "block_to_data",
    "rows_of",
    "side_by_side",
]

Arrays = dict[str, npt.NDArray[Any]]

#: For columns of a block, the beginnings and ends of what they were found in.
Places = dict[int, list[tuple[int, int]]]


class FeatureBlock(Protocol):
    """Columns of a model, ready for prediction without scikit-learn."""

    @property
    def n_columns(self) -> int:
        """Width of the block."""

    @property
    def is_hashed(self) -> bool:
        """Whether columns go by a hash, and have no names."""

    def names(self) -> list[str] | None:
        """Name of each column; None if they are hashed."""

    def rows(self, documents: Any, *, n_threads: int, dtype: npt.DTypeLike = np.float64) -> Rows:
        """The matrix of the documents, columns ascending in every row."""


class KeptBlock(FeatureBlock, Protocol):
    """A block that can be kept in a file."""

    @property
    def kind(self) -> str:
        """What files call such a block."""

    def to_data(self) -> tuple[dict[str, Any], Arrays]:
        """Plain values and arrays that say everything about the block."""

    @classmethod
    def from_data(cls, description: Mapping[str, Any], arrays: Arrays) -> Self:
        """The inverse of `to_data`, for data of unknown origin: raises if anything in it is wrong."""


class DesignedBlock(KeptBlock, Protocol):
    """A block of hand-made features."""

    def places(self, text: str) -> Places:
        """Where in a text its features stand, as far as they stand anywhere; in characters of the text as given."""


BLOCK_KINDS = Registry[KeptBlock]()
BLOCK_KINDS.add(TextFeatures)


def block_to_data(block: FeatureBlock) -> tuple[dict[str, Any], Arrays]:
    """Plain values and arrays that say everything about a block, its kind included."""
    kept = cast(KeptBlock, block)
    description, arrays = kept.to_data()
    return {"kind": kept.kind, **description}, arrays


def block_from_data(description: Any, arrays: Arrays) -> FeatureBlock:
    """The inverse, for data of unknown origin; takes its arrays out of `arrays`, and all of them."""
    block = BLOCK_KINDS.named_in(description).from_data(description, arrays)
    refuse_rest(arrays)
    return block


def rows_of(
    blocks: Sequence[FeatureBlock], documents: Any, *, n_threads: int, dtype: npt.DTypeLike = np.float64
) -> Rows:
    """One matrix with the columns of all blocks side by side."""
    parts, widths = [], []
    for native, run in groupby(blocks, lambda block: isinstance(block, TextFeatures)):
        together = list(run)
        if native:
            parts.append(joint_rows(cast(list[TextFeatures], together), documents, n_threads=n_threads, dtype=dtype))
            widths.append(sum(block.n_columns for block in together))
            continue
        parts += [block.rows(documents, n_threads=n_threads, dtype=dtype) for block in together]
        widths += [block.n_columns for block in together]
    return parts[0] if len(parts) == 1 else side_by_side(parts, widths)


def side_by_side(parts: Sequence[Rows], widths: Sequence[int]) -> Rows:
    """Matrices of the same documents, in compressed rows, as one.

    Examples
    --------
    >>> one = np.array([0, 1]), np.array([0], dtype=np.int32), np.array([5.0])
    >>> indptr, indices, data = side_by_side([one, one], [3, 3])
    >>> indptr.tolist(), indices.tolist(), data.tolist()
    ([0, 2], [0, 3], [5.0, 5.0])
    """
    pointers = [indptr.astype(np.int64) for indptr, _, _ in parts]
    indptr = np.sum(pointers, axis=0)
    columns = np.empty(indptr[-1], dtype=np.int32)
    values = np.empty(indptr[-1], dtype=np.result_type(*(data for _, _, data in parts)))
    row_begin, first_column = indptr[:-1].copy(), 0
    for own, (_, indices, data), width in zip(pointers, parts, widths, strict=True):
        lengths = np.diff(own)
        places = np.arange(len(indices)) + np.repeat(row_begin - own[:-1], lengths)
        columns[places] = indices + first_column
        values[places] = data
        row_begin += lengths
        first_column += width
    kind = np.int32 if len(columns) <= np.iinfo(np.int32).max else np.int64
    return indptr.astype(kind), columns if kind is np.int32 else columns.astype(kind), values
