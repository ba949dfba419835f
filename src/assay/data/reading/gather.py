"""Pieces into a corpus."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from assay.data.columns.choosing import distinct_names
from assay.data.columns.label_form import is_list
from assay.data.corpus.corpus import Corpus
from assay.data.corpus.labels import LabelIndex
from assay.data.corpus.origin import Origin
from assay.data.formats.pieces import FileReader, Piece, Wanted
from assay.data.options import ReadOptions
from assay.data.reading.row_checks import RowChecker
from assay.errors import NoRowsLeftError
from assay.label_types import LabelType

__all__ = ["Gatherer"]


class Gatherer:
    """Takes in pieces and gives out a corpus.

    Parameters
    ----------
    options
        What to do about missing and invalid values.
    """

    def __init__(self, options: ReadOptions) -> None:
        self._checker = RowChecker(options)
        self._texts: list[pa.Array] = []
        self._labels: list[pa.Array] = []
        self._index = LabelIndex()
        self._label_types: set[LabelType] = set()
        self._others: list[tuple[int, dict[str, pa.Array]]] = []
        self._origins: list[Origin] = []

    @property
    def label_type(self) -> LabelType:
        """What all labels so far were before they became text."""
        return next(iter(self._label_types)) if len(self._label_types) == 1 else "text"

    def take(self, piece: Piece, wanted: Wanted, reader: FileReader) -> None:
        """Check a piece and keep it."""
        rows = self._checker.check(piece, wanted, reader)
        self._texts.append(rows.texts)
        self._origins.append(rows.origin)
        if rows.labels is not None:
            self._labels.append(self._index.encode(rows.labels))
            kind = pa.string() if wanted.label is None else piece.columns.column(wanted.label).type
            self._label_types.add(_label_type(kind, reader))
        self._others.append((len(rows.texts), rows.others))

    def corpus(self, source: str, notes: Sequence[str], *, labelled: bool, **named: str | None) -> Corpus:
        """Put it all together; `named` are text_column= and label_column=, where columns have names of their own."""
        texts = pa.chunked_array(self._texts, pa.large_string())
        if not len(texts):
            said = " ".join(f"{note}." for note in self._checker.log.sentences())
            raise NoRowsLeftError(f"{source}: no rows are left to work with. {said}".rstrip())
        columns = _join(self._others)
        return Corpus.assembled(
            texts,
            self._index.chunked(self._labels) if labelled else None,
            self._index.names,
            columns,
            label_type=self.label_type,
            source=source,
            notes=(*notes, *self._checker.log.sentences()),
            incidents=self._checker.log.incidents(),
            origin=Origin.joined(self._origins),
            **named,
        )


def _label_type(kind: pa.DataType, reader: FileReader) -> LabelType:
    """What labels in memory are; those of a file are text, as one sees them there."""
    if reader.format is not None:
        return "text"
    kind = kind.value_type if pa.types.is_dictionary(kind) or is_list(kind) else kind
    if pa.types.is_boolean(kind):
        return "boolean"
    if pa.types.is_integer(kind):
        return "integer"
    return "number" if pa.types.is_floating(kind) else "text"


def _join(parts: list[tuple[int, dict[str, pa.Array]]]) -> dict[str, pa.ChunkedArray]:
    """Put the other columns together: where a file does not have one, nulls; where types differ, strings."""
    names = list(dict.fromkeys(name for _, columns in parts for name in columns))
    joined = {}
    for name, new in zip(names, distinct_names(names, taken=("text", "label")), strict=True):
        kinds = {columns[name].type for _, columns in parts if name in columns}
        kind = kinds.pop() if len(kinds) == 1 else pa.large_string()
        chunks = [columns[name].cast(kind) if name in columns else pa.nulls(length, kind) for length, columns in parts]
        joined[new] = pa.chunked_array(chunks, kind)
    return joined
