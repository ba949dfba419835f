"""The features of a fitted vectorizer: which n-gram stands in which column."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from assay import _native
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.string_arrays import strings_to_arrays, typed_strings

__all__ = ["Vocabulary"]


#: A term's share in the making of the table costs about as much as the search for the n-grams of so many characters.
SEARCHED_PER_TERM = 1 / 16


class Stored(NamedTuple):
    """Terms as a file holds them, in the order of their columns: for the native core, and as arrays."""

    terms: _native.StoredTerms
    content: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int64]


class Vocabulary:
    """Terms and their columns, as bytes; Python strings are made only when somebody looks.

    Parameters
    ----------
    analysis
        How terms are read out of a text.
    native
        The native vocabulary. None: it is made of `stored` when needed.
    terms
        Column of each term, where that is known.
    stored
        The terms.

    Examples
    --------
    >>> vocabulary = Vocabulary.from_terms(Analysis(ngrams=(1, 2)), {"york": 1, "new york": 0})
    >>> vocabulary.names()
    ['new york', 'york']
    """

    def __init__(
        self,
        analysis: Analysis,
        native: _native.Vocabulary | None = None,
        terms: dict[str, int] | None = None,
        stored: Stored | None = None,
    ) -> None:
        self.analysis = analysis
        self._native = native
        self._terms = terms
        self._stored = stored
        self._searched = 0  # characters of the documents so far
        self._making = threading.Lock()

    @classmethod
    def from_counted(cls, analysis: Analysis, counted: _native.CountedCorpus) -> Vocabulary:
        """Take the features of a counted corpus that have a column; of the others nothing is kept."""
        native = counted.take_vocabulary()
        return (
            cls(analysis, native) if counted.complete else cls.from_arrays(analysis, *native.name_blob(analysis.native))
        )

    @classmethod
    def from_terms(cls, analysis: Analysis, terms: Mapping[str, int]) -> Vocabulary:
        """Each term in the column that the mapping gives it."""
        columns = np.fromiter(terms.values(), dtype=np.int32, count=len(terms))
        stored = _native.StoredTerms(*strings_to_arrays(terms))
        return cls(analysis, _native.Vocabulary(analysis.native, stored, columns, len(terms)), dict(terms))

    @classmethod
    def from_arrays(
        cls, analysis: Analysis, content: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]
    ) -> Vocabulary:
        """Term i, in column i, is ``content[offsets[i]:offsets[i + 1]]`` in UTF-8."""
        _ = analysis.native  # checks its settings
        return cls(analysis, stored=Stored(_native.StoredTerms(content, offsets), content, offsets))

    @classmethod
    def checked(cls, analysis: Analysis, content: npt.NDArray[Any], offsets: npt.NDArray[Any]) -> Vocabulary:
        """As `from_arrays`, for arrays of unknown origin: their types are checked here, all else by the native core."""
        return cls.from_arrays(analysis, *typed_strings(content, offsets))

    @property
    def native(self) -> _native.Vocabulary:
        """The native vocabulary of all terms."""
        if self._stored is not None:
            with self._making:
                stored = self._stored
                if stored is not None:
                    columns = np.arange(len(stored.terms), dtype=np.int32)
                    self._native = _native.Vocabulary(self.analysis.native, stored.terms, columns, len(columns))
                    self._stored = None
        assert self._native is not None  # what is not stored was given
        return self._native

    def expect(self, characters: int) -> None:
        """Make the table of all terms in another thread, if so many characters are coming that it will be needed."""
        if self._stored is not None and self._is_worth_a_table(characters, self._stored.terms):
            threading.Thread(target=lambda: self.native, name="vocabulary").start()

    def _is_worth_a_table(self, characters: int, terms: _native.StoredTerms) -> bool:
        lowest, highest = self.analysis.ngrams
        return characters * (highest - lowest + 1) > len(terms) * SEARCHED_PER_TERM

    def native_for(self, documents: _native.Documents) -> _native.Vocabulary:
        """A native vocabulary that has every term of these documents, in its column.

        All terms together take their time to be put into a table. As long as the documents that were asked for have
        been few, only those n-grams that they have are looked for among the stored terms.
        """
        terms = None if self._stored is None else self._stored.terms
        if terms is None or not terms.rise:
            return self.native
        self._searched += documents.length
        if self._is_worth_a_table(self._searched, terms):
            return self.native
        (counted,) = _native.count_documents(documents, [self.analysis.native], 1)
        counted.assign_columns(0.0, np.inf)
        return terms.wanted_part(self.analysis.native, counted.take_vocabulary())

    def __len__(self) -> int:
        stored = self._stored
        return self.native.n_columns if stored is None else len(stored.terms)

    def names(self) -> list[str]:
        """Terms in the order of their columns."""
        if self._terms is not None:
            return sorted(self._terms, key=self._terms.__getitem__)
        return self.native.name_list(self.analysis.native)

    def terms(self) -> dict[str, int]:
        """Column of each term."""
        if self._terms is None:
            self._terms = {name: column for column, name in enumerate(self.names())}
        return self._terms

    def to_arrays(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """Content and offsets of the terms in the order of their columns: the inverse of `from_arrays`."""
        stored = self._stored
        if stored is not None:
            return stored.content, stored.offsets
        if self._terms is None:
            content, offsets = self.native.name_blob(self.analysis.native)
            return content, offsets
        return strings_to_arrays(self.names())

    def __reduce__(self) -> tuple[Any, ...]:
        return Vocabulary.from_arrays, (self.analysis, *self.to_arrays())
