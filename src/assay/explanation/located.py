"""Where the features of a text stand in it, in characters of the text as it was given."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.features.columns.blocks import DesignedBlock, FeatureBlock
from assay.features.documents import documents_from_strings
from assay.features.ngrams.text_features import Hashing, TextFeatures

__all__ = ["LocatedFeatures", "locate"]

Integers = NDArray[Any]


@dataclass(frozen=True, eq=False)
class LocatedFeatures:
    """Every occurrence of a feature of one block in one text.

    A feature is a run of symbols: tokens, or characters. Symbol i came from ``text[starts[i]:ends[i]]``, which is empty
    for the space that pads a word of a ``char_wb`` block.

    Attributes
    ----------
    columns
        Column of each occurrence, in the block.
    signs
        -1 where hashing subtracts an occurrence.
    first, lengths
        Its symbols are first, …, first + lengths - 1.
    symbols
        The symbols as they stand after lower-casing and the like.
    """

    columns: Integers
    signs: Integers
    first: Integers
    lengths: Integers
    starts: Integers
    ends: Integers
    symbols: tuple[str, ...]
    joint: str

    def name(self, occurrence: int) -> str:
        """The feature as the vocabulary writes it."""
        first = int(self.first[occurrence])
        return self.joint.join(self.symbols[first : first + int(self.lengths[occurrence])])

    def span(self, occurrence: int) -> tuple[int, int]:
        """Where it begins and ends in the text."""
        first = int(self.first[occurrence])
        last = first + int(self.lengths[occurrence]) - 1
        return int(self.starts[first]), int(self.ends[last])


def locate(features: FeatureBlock, text: str) -> LocatedFeatures:
    """Find the features of a block in a text; hand-made ones that stand nowhere in particular are left out.

    Examples
    --------
    >>> from assay.features.ngrams.analysis import Analysis
    >>> from assay.features.ngrams.text_features import Weighting
    >>> from assay.features.ngrams.vocabulary import Vocabulary
    >>> analysis = Analysis(ngrams=(1, 2), accents="unicode")
    >>> words = Vocabulary.from_terms(analysis, {"cafe": 0, "cafe noir": 1})
    >>> found = locate(TextFeatures(analysis, words, Weighting()), "Un CAFÉ, noir!")
    >>> [(found.name(i), found.span(i)) for i in range(len(found.columns))]
    [('cafe', (3, 7)), ('cafe noir', (3, 13))]
    """
    if not isinstance(features, TextFeatures):
        return _locate_designed(cast(DesignedBlock, features), text)
    documents, analyzer = documents_from_strings([text]), features.analysis.native
    if isinstance(features.columns, Hashing):
        hashing = features.columns
        found = _native.locate_hashed_features(documents, analyzer, hashing.n_columns, hashing.alternate_sign, 1)
    else:
        found = _native.locate_features(documents, analyzer, features.columns.native, 1)
    offsets, content = found["symbol_offsets"].tolist(), found["symbol_bytes"]
    symbols = tuple(content[begin:end].decode("utf-8", "surrogatepass") for begin, end in pairwise(offsets))
    joint = " " if features.analysis.unit in ("word", "piece") else ""
    parts = {name: np.asarray(found[name]) for name in ("columns", "signs", "first", "lengths", "starts", "ends")}
    return LocatedFeatures(**parts, symbols=symbols, joint=joint)


def _locate_designed(block: DesignedBlock, text: str) -> LocatedFeatures:
    """Each place of a feature is a symbol of its own, called as the column."""
    _, present, _ = block.rows(documents_from_strings([text]), n_threads=1)  # scaling may have made a value zero
    places = block.places(text)
    found = [(column, *span) for column in present.tolist() for span in places.get(column, ())]
    columns, starts, ends = np.array(found, dtype=np.int64).reshape(-1, 3).T
    names = block.names()
    symbols = tuple(f"column {column}" if names is None else names[column] for column in columns.tolist())
    n = len(found)
    return LocatedFeatures(columns, np.ones(n), np.arange(n), np.ones(n, np.int64), starts, ends, symbols, "")
