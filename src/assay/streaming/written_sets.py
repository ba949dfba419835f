"""Sets of labels in files: lists where a format has them, else the labels with a sign between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from assay.data.arrays import string_array
from assay.data.corpus.labels import joined_sets
from assay.errors import DataError
from assay.label_sets import LabelSets
from assay.suggest import quote

__all__ = ["SEPARATORS", "joined_names", "separator_for", "written_sets"]

#: Signs between the labels of a set, the first that stands in no label is taken.
SEPARATORS = ("|", ";", ",", "\t", "¦", "‖")


def separator_for(labels: Sequence[str]) -> str:
    """What is written between labels.

    Examples
    --------
    >>> separator_for(["sport", "politics"]), separator_for(["sport|ball", "politics"])
    ('|', ';')
    """
    for sign in SEPARATORS:
        if not any(sign in label for label in labels):
            return sign
    clash = next(label for label in labels if SEPARATORS[0] in label)
    raise DataError(
        f"Every sign that could stand between labels stands in a label too, such as in {quote(clash)}. Write JSON "
        "Lines, Parquet or Arrow, which have lists."
    )


def joined_names(sets: LabelSets, labels: Sequence[str]) -> list[str]:
    """The labels of each set in one text.

    Examples
    --------
    >>> joined_names(LabelSets.of_rows([[0, 1], []], 2), ["sport", "politics"])
    ['sport|politics', '']
    """
    sign = separator_for(labels)
    return [sign.join(names) for names in sets.names(labels)]


def written_sets(column: pa.Array, labels: Sequence[str], kind: str) -> pa.Array:
    """A column of sets (lists of labels over one dictionary) as a format has it: lists, or texts.

    Of JSON Lines, lists are JSON text, which is written as it is.
    """
    missing = np.asarray(column.is_null()) if column.null_count else None
    if kind in ("parquet", "arrow", "fasttext"):
        return column.cast(pa.large_list(pa.large_string()))
    if missing is not None:
        column = column.fill_null([])
    sets = joined_sets(pa.chunked_array([column]), len(labels))
    written: list[Any] = _json(sets, labels) if kind == "jsonl" else joined_names(sets, labels)
    if missing is not None:
        written = [None if gone else text for text, gone in zip(written, missing, strict=True)]
        return pa.array(written, pa.large_string())
    return string_array(written)


def _json(sets: LabelSets, labels: Sequence[str]) -> list[str]:
    import json

    encoded = [json.dumps(label, ensure_ascii=False) for label in labels]
    return [f"[{', '.join(names)}]" for names in sets.names(encoded)]
