"""Sheets of Excel workbooks (.xlsx): every value as a person sees it, rows with the numbers that the sheet shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
import pyarrow as pa

from assay.data.arrays import string_array
from assay.data.bytes.streams import ByteSource
from assay.data.columns.choosing import distinct_names
from assay.data.corpus.origin import Origin
from assay.data.formats.header import rows_above_header, said_above, why_headless
from assay.data.formats.pieces import FileReader, Piece, Wanted
from assay.data.formats.workbook import SheetRow, Workbook
from assay.data.options import ReadOptions
from assay.errors import DataError, ParameterError
from assay.suggest import counted, excerpt, quote, quoted
from assay.wording import setting

__all__ = ["SpreadsheetReader"]

_SAMPLE_ROWS = 500
_PIECE_ROWS = 4096
_REMEMBERED = 1000
_SAVE_AGAIN = "open the file in a spreadsheet and save it there"


class SpreadsheetReader(FileReader):
    """Reads one sheet.

    Titles above the header are passed over.  Columns without a name in which the first rows hold nothing are left out;
    so are empty rows, which are counted unless nothing comes below them.
    """

    def __init__(self, source: ByteSource, options: ReadOptions) -> None:
        super().__init__(source.name, source.size)
        self._source = source  # a copy of what came through a pipe goes when its source goes
        self._book = Workbook(source.open_whole(), source.name, options.sheet)
        self._given = options.names
        rows = list(islice(self._filled_rows(), _SAMPLE_ROWS))
        if not rows:
            raise DataError(
                f"{self.name}: the sheet {quote(self._book.sheet)} is empty. There is nothing to read.{self._others()}"
            )
        self._header_row = 0
        self._errors: dict[int, dict[int, str]] = {}  # row → column of the sheet, from 0 → what it shows
        if self._given is None:
            self._take_header(rows)
            rows = rows[1:]
        self._find_columns(rows)
        self._first_rows = [self._values(row.cells) for row in rows]
        if self._book.note:
            self.notes.append(self._book.note)

    def sample(self) -> pa.Table:
        """Return the first rows as strings."""
        return pa.table(self._arrays(self._first_rows), names=self._sheet_names)

    def looks_headless(self) -> str | None:
        """Say why the first row seems to be data, if it does."""
        return why_headless(self._sheet_names, self.sample()) if self._given is None else None

    def why_empty(self, row: int, column: str) -> str | None:
        """Say that a cell shows an error, or that its formula has no result."""
        place = self._columns[distinct_names(self._sheet_names).index(column)]
        if shown := self._errors.get(row, {}).get(place):
            return f"the cell shows {quote(shown)}"
        return f"its formula was saved without a result; {_SAVE_AGAIN}" if (row, place) in self._book.unsaved else None

    def pieces(self, wanted: Wanted) -> Iterator[Piece]:
        """Go through the rows below the header."""
        rows: list[list[str]] = []
        numbers: list[int] = []
        blank: list[int] = []
        last = self._header_row
        n_errors = n_outside = 0
        first_error = first_outside = 0
        self._errors.clear()
        for row in self._filled_rows():
            if row.number <= self._header_row:
                continue
            if row.errors:
                n_errors, first_error = n_errors + len(row.errors), first_error or row.number
                if len(self._errors) < _REMEMBERED:
                    self._errors[row.number] = row.errors
            values = self._values(row.cells)
            if sum(map(bool, values)) < sum(map(bool, row.cells)):
                n_outside, first_outside = n_outside + 1, first_outside or row.number
            blank += range(last + 1, row.number)
            last = row.number
            rows.append(values)
            numbers.append(row.number)
            if len(rows) == _PIECE_ROWS:
                yield self._piece(rows, numbers, blank, wanted)
                rows, numbers, blank = [], [], []
        if rows:
            yield self._piece(rows, numbers, blank, wanted)
        self._say_what_was_seen(n_errors, first_error, n_outside, first_outside)

    # -- the header ----------------------------------------------------------------------------------------------------

    def _take_header(self, rows: list[SheetRow]) -> None:
        """Take the names from the rows, and leave the row of the names as the first of them."""
        n_above = rows_above_header([row.cells for row in rows])
        if n_above:
            title = next(cell for cell in rows[0].cells if cell)
            self.notes.append(said_above(self.name, rows[n_above].number - 1, title))
        del rows[:n_above]
        self._header_row = rows[0].number
        if len(rows) == 1:
            header = excerpt(", ".join(cell for cell in rows[0].cells if cell))
            raise DataError(
                f"{self.name}: there is a header in row {self._header_row} of the sheet {quote(self._book.sheet)} and "
                f"nothing below it: {header}. Take another sheet, or fill it.{self._others()}"
            )
        self._header = rows[0].cells

    def _others(self) -> str:
        others = self._book.others
        return f" There is also {quoted(others)}: {setting('sheet')} takes it." if others else ""

    def _find_columns(self, rows: Sequence[SheetRow]) -> None:
        """Which columns of the sheet are those of the table, and their names."""
        header = self._header if self._given is None else []
        width = max(len(header), *(len(row.cells) for row in rows))
        names = [*header, *[""] * (width - len(header))]
        filled = {index for row in rows for index, cell in enumerate(row.cells) if cell}
        self._columns = [index for index in range(width) if names[index].strip() or index in filled]
        if self._given is None:
            self._sheet_names = [names[index] for index in self._columns]
        elif len(self._given) == len(self._columns):
            self._sheet_names = list(self._given)
        else:
            raise ParameterError(
                f"The 'names' parameter of read must name all columns. {self.name} has {len(self._columns)}; got "
                f"{len(self._given)} instead: {', '.join(map(quote, self._given))}."
            )

    # -- the rows ------------------------------------------------------------------------------------------------------

    def _filled_rows(self) -> Iterator[SheetRow]:
        return (row for row in self._book.rows() if row.cells or row.errors)

    def _values(self, cells: list[str]) -> list[str]:
        return [cells[index] if index < len(cells) else "" for index in self._columns]

    def _arrays(self, rows: list[list[str]]) -> list[pa.Array]:
        return [string_array([row[index] for row in rows]) for index in range(len(self._columns))]

    def _piece(self, rows: list[list[str]], numbers: list[int], blank: list[int], wanted: Wanted) -> Piece:
        batch = pa.RecordBatch.from_arrays(self._arrays(rows), names=distinct_names(self._sheet_names))
        return Piece(
            batch.select(list(wanted)),
            Origin.of_file(self.name, np.array(numbers)),
            Origin.of_file(self.name, np.array(blank, np.int64)),
            min(self._book.position(), self.size),
        )

    def _say_what_was_seen(self, n_errors: int, first_error: int, n_outside: int, first_outside: int) -> None:
        if n_errors:
            self.notes.append(
                f"{self.name}: {counted(n_errors, 'cell holds', 'cells hold')} an error such as #N/A, and "
                f"{'is' if n_errors == 1 else 'are'} read as empty (the first in row {first_error})"
            )
        if n_outside:
            self.notes.append(
                f"{self.name}: {counted(n_outside, 'row holds', 'rows hold')} values in columns without a name, which "
                f"are not read (the first in row {first_outside})"
            )
        if n := self._book.n_unsaved:
            self.notes.append(
                f"{self.name}: {counted(n, 'cell holds', 'cells hold')} a formula that was saved without its result, "
                f"and {'is' if n == 1 else 'are'} read as empty; {_SAVE_AGAIN}"
            )
        if self._book.n_merged:
            n = self._book.n_merged
            self.notes.append(
                f"{self.name}: {counted(n, 'merged cell spans', 'merged cells span')} several rows; each of these rows "
                "has its value"
            )
