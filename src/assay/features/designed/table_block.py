"""Base of the blocks that give numbers for every column of a text, most of which are not 0."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from assay.features.columns.blocks import Places
from assay.features.columns.narrow_tables import table_to_rows
from assay.features.ngrams.text_features import Rows

__all__ = ["TableBlock"]


class TableBlock(ABC):
    """A block that is made as a table; a subclass has `table`, and `places` where its columns stand somewhere."""

    is_hashed: ClassVar[bool] = False

    @abstractmethod
    def table(self, documents: Any, *, n_threads: int = 1) -> npt.NDArray[Any]:
        """The values of documents, (n, n_columns)."""

    def rows(self, documents: Any, *, n_threads: int, dtype: npt.DTypeLike = np.float64) -> Rows:
        """The matrix of the documents."""
        return table_to_rows(self.table(documents, n_threads=n_threads), dtype)

    def places(self, text: str) -> Places:
        """Nowhere in particular: a column is of the whole text."""
        return {}
