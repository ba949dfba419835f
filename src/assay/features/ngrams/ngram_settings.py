"""One block of n-grams as plain data: how texts are read, which n-grams have a column, what their counts become."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from assay.arguments import require_kinds
from assay.errors import DataError, ParameterError
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.column_choice import document_limits, most_frequent
from assay.features.ngrams.inverse_frequency import inverse_document_frequencies
from assay.features.ngrams.text_features import Weighting
from assay.suggest import refuse_unknown
from assay.wording import setting

__all__ = ["NgramSettings"]


@dataclass(frozen=True)
class NgramSettings:
    """n-grams of words or characters, and what their counts become.

    Attributes
    ----------
    analysis
        How n-grams are read out of a text.
    min_df, max_df
        Documents that an n-gram must and may occur in: a number, or a share of them (a float up to 1).
    max_features
        Keep only so many n-grams, the most frequent ones; of equals, the first by term.
    binary, sublinear, idf, smooth_idf, norm
        As in `TfidfVectorizer` (`sublinear_tf`, `use_idf`).

    Examples
    --------
    >>> NgramSettings(Analysis(ngrams=(1, 2))).name
    'words 1–2'
    """

    analysis: Analysis
    min_df: float = 1
    max_df: float = 1.0
    max_features: int | None = None
    binary: bool = False
    sublinear: bool = True
    idf: bool = True
    smooth_idf: bool = True
    norm: Literal["l1", "l2"] | None = "l2"

    def __post_init__(self) -> None:
        require_kinds(self)
        for name in ("min_df", "max_df"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise ParameterError(f"{name} must be a number of at least 0. Got {getattr(self, name)!r} instead.")
        if self.max_features is not None and self.max_features < 1:
            raise ParameterError(f"max_features must be at least 1. Got {self.max_features!r} instead.")

    @property
    def name(self) -> str:
        """In a few words, such as ``words 1–2``."""
        lowest, highest = self.analysis.ngrams
        numbers = f"{lowest}" if lowest == highest else f"{lowest}–{highest}"
        if self.analysis.unit == "word":
            marks = " and marks" if self.analysis.tokens == "words_and_punctuation" else ""
            text = f"words{marks} {numbers}"
        else:
            text = f"characters {numbers}"
        return f"{text}, present or not" if self.binary else text

    def choose_columns(self, counted: Any) -> int:
        """Give columns to the n-grams of a counted corpus that are kept, in the order of their terms; how many."""
        lowest, highest = document_limits(self.min_df, self.max_df, counted.n_documents)
        if counted.n_features == 0:
            raise DataError(
                f"empty vocabulary; perhaps the documents only contain stop words: none of the {counted.n_documents:,} "
                f"documents has anything of '{self.name}' in it. Look at the texts, and at what is taken for a token, "
                f"or use {setting('chars', '1-3')}."
            )
        if highest < lowest:
            raise ParameterError(
                f"max_df corresponds to < documents than min_df: max_df={self.max_df} is {highest:g} and "
                f"min_df={self.min_df} is {lowest:g} of {counted.n_documents} documents. Lower min_df or raise max_df."
            )
        n_columns: int = counted.assign_columns(lowest, highest)
        if n_columns == 0:
            raise DataError(
                f"After pruning, no terms remain. Try a lower min_df or a higher max_df: of {counted.n_features:,} "
                f"terms none is in {lowest:g} to {highest:g} of the {counted.n_documents:,} documents ('{self.name}')."
            )
        if self.max_features is not None and n_columns > self.max_features:
            kept = np.zeros(n_columns, dtype=np.uint8)
            kept[most_frequent(counted.term_frequencies(self.binary), self.max_features)] = 1
            counted.keep_columns(kept)
            n_columns = self.max_features
        return n_columns

    def kept(
        self, documents: npt.NDArray[Any], occurrences: npt.NDArray[Any], n_documents: int
    ) -> npt.NDArray[np.intp]:
        """The same choice where the documents that hold each n-gram, and its occurrences, are known already."""
        lowest, highest = document_limits(self.min_df, self.max_df, n_documents)
        columns = np.flatnonzero((documents >= max(lowest, 1)) & (documents <= highest))
        if self.max_features is not None and columns.size > self.max_features:
            counts = documents if self.binary else occurrences
            columns = columns[most_frequent(counts[columns], self.max_features)]
        return columns

    def weighting(self, frequencies: npt.NDArray[Any], n_documents: int) -> Weighting:
        """What a count becomes, by the documents that hold each column."""
        idf = np.empty(0)
        if self.idf:
            idf = inverse_document_frequencies(frequencies, n_documents, smooth=self.smooth_idf)
        return Weighting(binary=self.binary, sublinear=self.sublinear, norm=self.norm, idf=idf)

    def to_dict(self) -> dict[str, Any]:
        """As plain values; what is None is left out."""
        plain = {**self.analysis.to_dict(), **{f.name: getattr(self, f.name) for f in fields(self)[1:]}}
        plain["norm"] = self.norm or "none"
        return {name: value for name, value in plain.items() if value is not None}

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> NgramSettings:
        """The inverse of `to_dict`; what is not given has its usual value."""
        own = {f.name for f in fields(cls)[1:]}
        of_text = {f.name for f in fields(Analysis)}
        refuse_unknown(settings, sorted(own | of_text), "of a block of features")
        known = {name: value for name, value in settings.items() if name in own}
        if known.get("norm") == "none":
            known["norm"] = None
        text = Analysis().to_dict() | {name: value for name, value in settings.items() if name in of_text}
        return cls(Analysis.from_dict(text), **known)
