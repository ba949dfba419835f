"""What each character of texts contributes to a score: the contributions of features, shared among their places.

A feature that occurs several times gives each occurrence the same part (a hashed one that partly cancels out gives each
its sign's), and an occurrence gives the same to each character of its tokens; what stands between the tokens of an
n-gram gets nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.explanation.located import LocatedFeatures
from assay.features.ngrams.text_features import Hashing, TextFeatures

__all__ = ["character_offsets", "share_among_characters", "share_among_texts"]

Floats = NDArray[np.float64]


def character_offsets(texts: Sequence[str]) -> NDArray[np.int64]:
    """Where the characters of each text begin, one text after the other, and where the last ends."""
    return np.concatenate([[0], np.cumsum([len(text) for text in texts], dtype=np.int64)]).astype(np.int64)


def share_among_texts(
    block: TextFeatures,
    first_column: int,
    documents: Any,
    rows: tuple[NDArray[Any], NDArray[np.int32], Floats],
    offsets: NDArray[np.int64],
    characters: Floats,
    n_threads: int,
) -> None:
    """Add to the characters what the n-grams of a block contribute.

    Parameters
    ----------
    block, first_column
        The block, and where its columns begin in the rows.
    documents
        The texts, for the native core.
    rows
        Of each text, columns and contributions: beginnings, columns, contributions.
    offsets, characters
        Where the characters of each text begin, and all characters.
    n_threads
        How many threads read.
    """
    indptr, columns, contributions = rows
    kept = block.columns
    hashed = (kept.n_columns, kept.alternate_sign) if isinstance(kept, Hashing) else (0, False)
    _native.share_among_texts(
        documents,
        block.analysis.native,
        None if isinstance(kept, Hashing) else kept.native,
        *hashed,
        indptr.astype(np.int64),
        np.ascontiguousarray(columns, dtype=np.int32),
        np.ascontiguousarray(contributions),
        first_column,
        offsets,
        characters,
        n_threads,
    )


def share_among_characters(
    located: LocatedFeatures, columns: NDArray[Any], contributions: Floats, characters: Floats
) -> None:
    """Add to the characters of one text what located features contribute: `columns`, ascending, and how much each."""
    _native.share_contributions(
        located.starts.astype(np.int32),
        located.ends.astype(np.int32),
        located.columns.astype(np.int32),
        located.signs.astype(np.int8),
        located.first.astype(np.int64),
        located.lengths.astype(np.int32),
        columns.astype(np.int32),
        np.ascontiguousarray(contributions, dtype=np.float64),
        characters,
    )
