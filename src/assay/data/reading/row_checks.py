"""One piece of a file, checked value by value; every row that is left out is counted.

A text or label that is missing, and a value that is not text, is an error unless the caller said otherwise;
then it is an `Incident` in the log.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assay.data.arrays import binary_array, boolean_array, filled, joined_integers, joined_mask
from assay.data.arrow_functions import binary_length, cast, is_space, keep_where
from assay.data.bytes.encoding import describe_invalid, find_nul, invalid_rows, repair
from assay.data.columns.choosing import is_textual
from assay.data.columns.label_form import is_list
from assay.data.corpus.incidents import IncidentLog
from assay.data.corpus.origin import Origin
from assay.data.formats.pieces import FileReader, Piece, Wanted
from assay.data.options import ReadOptions
from assay.data.reading.label_cells import flag_cells, list_cells
from assay.errors import DataError
from assay.suggest import quote
from assay.wording import setting

__all__ = ["CheckedRows", "RowChecker"]

Mask = npt.NDArray[np.bool_]


class CheckedRows(NamedTuple):
    """Rows that can be used as they are."""

    texts: pa.Array
    """large_string, without nulls."""
    labels: pa.Array | None
    """large_string, without nulls; None where none were asked for."""
    others: dict[str, pa.Array]
    """The other columns: text as large_string, everything else with the type that it had."""
    origin: Origin
    """Where the rows stand."""
    kept: Mask
    """Which rows of the piece these are."""
    repaired: bool
    """Whether a value is another one than in the file."""


class RowChecker:
    """Checks pieces and notes what it left out or repaired.

    Parameters
    ----------
    options
        What to do about missing and invalid values.

    Attributes
    ----------
    log
        What happened so far.
    """

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self._n_repaired = 0
        self.log = IncidentLog()

    def check(self, piece: Piece, wanted: Wanted, reader: FileReader) -> CheckedRows:
        """Return the rows that are left, with valid values."""
        self.log.add("blank", piece.blank)
        origin, repaired_before = piece.origin, self._n_repaired
        texts = self._text_column(piece, wanted.text, reader)
        rest = [self._labels(piece, wanted, reader)] if wanted.labelled else []
        others = [self._other_column(piece, name, reader) for name in wanted.others]
        keep = np.ones(len(origin), bool)
        if rest and self._options.only_unlabelled:
            keep &= joined_integers(binary_length(filled(rest[0], ""))) == 0
        elif rest and self._options.keep_unlabelled:
            rest = [filled(rest[0], "")]
        elif rest and not wanted.form.gives_sets:  # an empty set is an answer
            keep &= ~self._missing(rest[0], "unlabelled", wanted.label or "", origin, reader)
        if self._options.keep_empty:
            texts = self._filled(texts, origin)
        else:
            keep &= ~(self._missing(texts, "empty", wanted.text, origin, reader, among=keep))
        if not keep.all():
            mask = boolean_array(keep)
            texts, *rest = (keep_where(column, mask) for column in (texts, *rest))
            others = [keep_where(column, mask) for column in others]
            origin = origin.take(np.flatnonzero(keep))
        columns = dict(zip(wanted.others, others, strict=True))
        return CheckedRows(
            texts, rest[0] if rest else None, columns, origin, keep, repaired=self._n_repaired > repaired_before
        )

    def _labels(self, piece: Piece, wanted: Wanted, reader: FileReader) -> pa.Array:
        """The cells with the labels; those of sets without nulls."""
        if wanted.form.columns:
            flags = [self._text_column(piece, name, reader) for name in wanted.form.columns]
            return flag_cells(wanted.form.columns, flags, lambda row: _place(piece.origin, row, reader))
        cells = self._text_column(piece, wanted.label or "", reader)
        nothing = "[]" if wanted.form.lists and not self._options.only_unlabelled else ""
        return filled(cells, nothing) if wanted.form.gives_sets else cells

    def _text_column(self, piece: Piece, name: str, reader: FileReader) -> pa.Array:
        array = piece.columns.column(name)
        if is_list(array.type):
            array = list_cells(array)
        elif not is_textual(array.type):
            array = cast(array, pa.large_string())
        return self._checked(array, name, piece, reader)

    def _other_column(self, piece: Piece, name: str, reader: FileReader) -> pa.Array:
        array = piece.columns.column(name)
        return self._checked(array, name, piece, reader) if is_textual(array.type) else array

    def _checked(self, array: pa.Array, name: str, piece: Piece, reader: FileReader) -> pa.Array:
        """Return valid UTF-8 as large_string; a dictionary of strings is unpacked."""
        raw = cast(array, pa.large_string()) if pa.types.is_dictionary(array.type) else array
        raw = cast(raw, pa.large_binary())
        if reader.holds_raw_text and find_nul(raw):
            raw = self._without_nul(raw, name, piece, reader)
        try:
            return cast(raw, pa.large_string())
        except pa.ArrowInvalid:
            bad = invalid_rows(raw)
        if self._options.errors != "replace":
            row, error = min(bad.items())
            what = describe_invalid(error, reader.encoding.name)
            raise DataError(f"{_place(piece.origin, row, reader)}: column {quote(name)} {what}")
        return cast(self._repaired(raw, list(bad), "invalid", piece), pa.large_string())

    def _without_nul(self, raw: pa.Array, name: str, piece: Piece, reader: FileReader) -> pa.Array:
        rows = [row for row, value in enumerate(raw.to_pylist()) if value and b"\0" in value]
        if self._options.errors != "replace":
            raise DataError(
                f"{_place(piece.origin, rows[0], reader)}: column {quote(name)} holds a NUL byte (0x00), which is "
                f"not text. If the file is UTF-16, use {setting('encoding', 'utf-16')}; otherwise "
                f"{setting('errors', 'replace')} puts '\ufffd' in its place."
            )
        return self._repaired(raw, rows, "nul", piece)

    def _repaired(self, raw: pa.Array, rows: list[int], kind: str, piece: Piece) -> pa.Array:
        self.log.add(kind, piece.origin.take(rows))
        self._n_repaired += len(rows)
        values = raw.to_pylist()
        for row in rows:
            values[row] = repair(values[row]).encode()
        return binary_array(values)

    def _filled(self, texts: pa.Array, origin: Origin) -> pa.Array:
        """Make an empty text of a missing one, so that every row stays."""
        texts = filled(texts, "")
        empty = (joined_integers(binary_length(texts)) == 0) | joined_mask(is_space(texts))
        self.log.add("kept_empty", origin.take(np.flatnonzero(empty)))
        return texts

    def _missing(
        self,
        column: pa.Array,
        kind: str,
        name: str,
        origin: Origin,
        reader: FileReader,
        among: Mask | None = None,
    ) -> Mask:
        missing: Mask = joined_integers(binary_length(column)) == 0
        if column.null_count:
            missing |= joined_mask(column.is_null())
        if among is not None:
            missing = missing & among
        if not missing.any():
            return missing
        rows = np.flatnonzero(missing)
        skips = self._options.skip_unlabelled if kind == "unlabelled" else self._options.skip_empty
        if not skips:
            first = int(rows[0])
            what = "empty" if column[first].is_valid else "missing"
            why = reader.why_empty(int(origin.rows([first])[0]), name)
            what += f" ({why})" if why else ""
            skip = setting("skip_unlabelled" if kind == "unlabelled" else "skip_empty", True)
            ways = f"Use {skip} to leave such rows out"
            if kind == "unlabelled" and self._options.labels_optional:
                ways = (
                    f"Use {setting('label', False)} to take all texts and no labels, or {skip} to leave such rows out"
                )
            raise DataError(f"{_place(origin, first, reader)}: column {quote(name)} is {what}. {ways}.")
        self.log.add(kind, origin.take(rows))
        return missing


def _place(origin: Origin, index: int, reader: FileReader) -> str:
    row = int(origin.rows([index])[0])
    line = reader.line(row) if row else None
    return origin.place(index) + (f" (line {line})" if line else "")
