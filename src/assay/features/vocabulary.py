"""The features of a fitted vectorizer: which n-gram stands in which column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from assay import _native
from assay.features.analysis import Analysis
from assay.features.string_arrays import strings_to_arrays, typed_strings

__all__ = ["Vocabulary"]


class Vocabulary:
    """Terms and their columns, as bytes; Python strings are made only when somebody looks.

    Parameters
    ----------
    analysis
        How terms are read out of a text.
    native
        The native vocabulary.

    Examples
    --------
    >>> vocabulary = Vocabulary.from_terms(Analysis(ngrams=(1, 2)), {"york": 1, "new york": 0})
    >>> vocabulary.names()
    ['new york', 'york']
    """

    def __init__(self, analysis: Analysis, native: Any, terms: dict[str, int] | None = None) -> None:
        self.analysis = analysis
        self.native = native
        self._terms = terms

    @classmethod
    def from_terms(cls, analysis: Analysis, terms: Mapping[str, int]) -> Vocabulary:
        """Each term in the column that the mapping gives it."""
        content, offsets = strings_to_arrays(terms)
        columns = np.fromiter(terms.values(), dtype=np.int32, count=len(terms))
        native = _native.Vocabulary(analysis.native, content, offsets, columns, len(terms))
        return cls(analysis, native, dict(terms))

    @classmethod
    def from_arrays(
        cls, analysis: Analysis, content: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]
    ) -> Vocabulary:
        """Term i, in column i, is ``content[offsets[i]:offsets[i + 1]]`` in UTF-8."""
        columns = np.arange(len(offsets) - 1, dtype=np.int32)
        return cls(analysis, _native.Vocabulary(analysis.native, content, offsets, columns, len(columns)))

    @classmethod
    def checked(cls, analysis: Analysis, content: npt.NDArray[Any], offsets: npt.NDArray[Any]) -> Vocabulary:
        """As `from_arrays`, for arrays of unknown origin: their types are checked here, all else by the native core."""
        return cls.from_arrays(analysis, *typed_strings(content, offsets))

    def __len__(self) -> int:
        size: int = self.native.n_columns
        return size

    def names(self) -> list[str]:
        """Terms in the order of their columns."""
        if self._terms is not None:
            return sorted(self._terms, key=self._terms.__getitem__)
        names: list[str] = self.native.name_list(self.analysis.native)
        return names

    def terms(self) -> dict[str, int]:
        """Column of each term."""
        if self._terms is None:
            self._terms = {name: column for column, name in enumerate(self.names())}
        return self._terms

    def to_arrays(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """Content and offsets of the terms in the order of their columns: the inverse of `from_arrays`."""
        if self._terms is None:
            content, offsets = self.native.name_blob(self.analysis.native)
            return content, offsets
        return strings_to_arrays(self.names())

    def __reduce__(self) -> tuple[Any, ...]:
        return Vocabulary.from_arrays, (self.analysis, *self.to_arrays())
