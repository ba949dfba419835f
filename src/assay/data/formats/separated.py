"""CSV and TSV files, parsed by pyarrow's streaming reader.

Every column is taken as bytes, so that no type is inferred and nothing but a byte order mark is changed: a label
``007``, ``NA`` or ``true`` stays what it is.  Rows are numbered as a spreadsheet shows them: the header is row 1 and
blank rows count.

pyarrow does not say when the file ends inside quotes.  So a last row of our own is read after the file's: if it comes
out as a row, every quote was closed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.csv

from assay.data.arrays import boolean_array, joined_integers, string_array, text_bytes
from assay.data.arrow_functions import binary_length, keep_where
from assay.data.bytes.encoding import describe_invalid
from assay.data.bytes.live import SeparatedRowEnd
from assay.data.bytes.row_length import LONGEST_ROW, let_go, longest_row
from assay.data.bytes.streams import ByteSource, TextStream
from assay.data.columns.choosing import distinct_names
from assay.data.columns.width import MOST_COLUMNS, require_columns
from assay.data.corpus.origin import Origin, Rows, joined_places
from assay.data.formats.dialect import DELIMITERS, NAME_OF_DELIMITER, Dialect, parse_options, sniff
from assay.data.formats.header import said_above, why_headless
from assay.data.formats.pieces import FileReader, Piece, Wanted
from assay.data.options import ReadOptions
from assay.errors import DataError, ParameterError
from assay.suggest import counted, excerpt, quoted
from assay.wording import parameter, setting

__all__ = ["SeparatedReader"]

_SAMPLE_BYTES = 1 << 20
_BLOCK_BYTES = 1 << 21
_QUOTED = re.compile(rb'"[^"]*(?:"|$)')
_END_MARK = b"assay-end-of-file-6f1d0b52"


class SeparatedReader(FileReader):
    """Reads a file of rows whose values are separated by a delimiter."""

    holds_raw_text = True

    def __init__(self, source: ByteSource, options: ReadOptions, delimiter: str | None = None) -> None:
        super().__init__(source.name, source.size)
        self._source = source
        self._options = options
        self._dialect = self._find_dialect(delimiter or options.delimiter)
        self.delimiter = self._dialect.delimiter
        self._names = self._find_names()
        self._above = self._dialect.above.lines  # of the header, lines that are not read
        self._header_rows = 0 if options.names else self._above + 1
        self._block = _BLOCK_BYTES
        self._part = source  # what is being read: all of it, or as much as has come
        self._knows_longest_row = False
        self._first_row = 1  # of the part
        self._n_quoted_tabs = 0  # rows with tabs inside quotes, and where the first ones are
        self._quoted_tabs: list[str] = []

    def sample(self) -> pa.Table:
        """Return the first rows as strings."""
        rows = self._dialect.rows
        if not self._header_rows:
            first = [string_array([value]) for value in self._dialect.first_row]
            rows = pa.concat_tables([pa.table(first, schema=rows.schema), rows])
        return rows.rename_columns(list(self._options.names or self._dialect.first_row))

    def looks_headless(self) -> str | None:
        """Say why the first row seems to be data, if it does."""
        if not self._header_rows:
            return None
        return why_headless(self._dialect.first_row, self._dialect.rows)

    def pieces(self, wanted: Wanted) -> Iterator[Piece]:
        """Go through the rows, part by part as the source gives them."""
        row_end = SeparatedRowEnd(self._dialect.delimiter, quotes=self._options.quotes)
        for part in self._source.parts(row_end):
            self._part, self._knows_longest_row = part, False
            yield from self._pieces_of_part(wanted)
        if self._n_quoted_tabs:
            self.notes.append(
                f"{counted(self._n_quoted_tabs, 'row holds', 'rows hold')} tabs inside quotes "
                f"({joined_places(self._quoted_tabs)}{' …' * (self._n_quoted_tabs > len(self._quoted_tabs))}); if the "
                f"quotes are part of the text, rows were run together: use {setting('quotes', False)}"
            )

    def _pieces_of_part(self, wanted: Wanted) -> Iterator[Piece]:
        """Go through some rows; one that is larger than a block starts again with larger blocks."""
        done = max(self._header_rows, self._first_row - 1)
        while True:
            try:
                for piece in self._read(wanted, skip=done):
                    done += len(piece.origin) + len(piece.blank)
                    yield piece
                break
            except pa.ArrowInvalid as error:
                if "straddling" not in str(error) or self._knows_longest_row:
                    raise self._explain(error) from error
                self._make_room(done + 1)
        let_go(self._block)
        self._first_row = done + 1

    def _make_room(self, row: int) -> None:
        """Let the blocks be as large as the longest row: a parser takes a row from two blocks at most."""
        row_end = SeparatedRowEnd(self._dialect.delimiter, quotes=self._options.quotes)
        stream = TextStream(self._part, self._options.encoding)
        longest = longest_row(stream, row_end, f"{self.name}, row {row} or one after it")
        self._block = min(max(longest, self._block) + _BLOCK_BYTES, LONGEST_ROW)
        self._knows_longest_row = True

    def line(self, row: int) -> int | None:
        """Count the line ends inside the values of the rows before; only when somebody asks."""
        import pyarrow.compute as pc

        lines, rows = self._part.lines_before + 1, self._first_read - 1
        lines += self._first_read - self._first_row
        try:
            for batch in self._batches(self._stream(valid=True), invalid_row_handler=lambda _: "skip"):
                part = batch.slice(0, row - 1 - rows)
                rows += part.num_rows
                lines += part.num_rows
                lines += sum(pc.sum(pc.count_substring(column, "\n")).as_py() or 0 for column in part.columns)
                if rows == row - 1:
                    return lines if lines != row else None
        except pa.ArrowInvalid:
            return None
        return None

    # -- the dialect ---------------------------------------------------------------------------------------------------

    def _find_dialect(self, delimiter: str | None) -> Dialect:
        size = _SAMPLE_BYTES
        candidates = (delimiter,) if delimiter else DELIMITERS
        while True:
            stream = TextStream(self._source, self._options.encoding)
            sample = stream.read_up_to(size + 1)
            stream.close()
            empty = not sample.strip(b'\xef\xbb\xbf\r\n\t ,;|"')
            if empty and self._source.wait_for_more():
                continue
            if empty:
                what = "is empty" if not sample else "holds no text"
                raise DataError(f"{self.name}: the file {what}. A CSV file has a header row and a row for each text.")
            self._require_columns(sample, candidates)
            cut = len(sample) > size
            dialect = self._sniff(sample, candidates, cut=cut)
            if dialect is not None and self._source.is_coming and not cut:
                dialect = self._dialect_of_whole_rows(sample, dialect.delimiter)
            if dialect is not None:
                break
            if not cut and not self._source.is_coming:
                raise self._unclosed(f"{self.name}, row 1")
            size = max(8 * size, self._first_row_bytes(candidates[0])) if cut else size
            self._source.wait_for_more()
        if dialect.has_one_row and not self._options.names:
            raise DataError(
                f"{self.name}: there is a header row and nothing below it: "
                f"{excerpt(dialect.delimiter.join(dialect.first_row))}. If it is a text and not a header, say "
                f"{setting('format', 'lines')}, or name its columns with {setting('names')}."
            )
        if dialect.above.lines:
            self.notes.append(said_above(self.name, dialect.above.lines, dialect.above.title))
        if dialect.guessed and dialect.delimiter != "," and len(dialect.first_row) > 1:
            self.notes.append(f"{self.name}: the delimiter is a {NAME_OF_DELIMITER[dialect.delimiter]}")
        return dialect

    def _first_row_bytes(self, delimiter: str) -> int:
        row_end = SeparatedRowEnd(delimiter, quotes=self._options.quotes)
        stream = TextStream(self._source, self._options.encoding)
        return longest_row(stream, row_end, f"{self.name}, row 1", only_first=True) + _SAMPLE_BYTES

    def _require_columns(self, sample: bytes, delimiters: Sequence[str]) -> None:
        """Count the values of the first row before it is parsed: a parser makes room for every column."""
        if max(sample.count(delimiter.encode()) for delimiter in delimiters) < MOST_COLUMNS:
            return
        plain = _QUOTED.sub(b"", sample) if self._options.quotes else sample
        first = next(iter(plain.lstrip(b"\r\n").splitlines()), b"")
        delimiter = max(delimiters, key=lambda delimiter: first.count(delimiter.encode()))
        name = NAME_OF_DELIMITER.get(delimiter, repr(delimiter))
        require_columns(
            first.count(delimiter.encode()) + 1,
            f"{self.name}, row 1 (with a {name} as delimiter)",
            f"Say which {setting('delimiter')} the file has; if every line is a text, {setting('format', 'lines')}; "
            "otherwise leave columns out that are not needed.",
        )

    def _dialect_of_whole_rows(self, sample: bytes, delimiter: str) -> Dialect | None:
        """What whole rows show, of a file that may go on; None before there is one below the header."""
        quotes = self._options.quotes
        whole = sample[: max(SeparatedRowEnd(delimiter, quotes=quotes)(sample), 0)]
        dialect = self._sniff(whole, (delimiter,), cut=False) if whole else None
        return dialect if dialect is not None and (self._options.names or not dialect.has_one_row) else None

    def _sniff(self, sample: bytes, delimiters: Sequence[str], *, cut: bool) -> Dialect | None:
        options = self._options
        return sniff(sample, cut=cut, delimiters=delimiters, quotes=options.quotes, has_header=options.names is None)

    def _find_names(self) -> list[str]:
        found, given = self._dialect.first_row, self._options.names
        if given is not None and len(given) != len(found):
            raise ParameterError(
                f"{parameter('names', of='read')} must name all columns. {self.name} has {len(found)}; got "
                f"{len(given)} instead: {quoted(given)}."
            )
        return distinct_names(given or found)

    @property
    def _first_read(self) -> int:
        """The first row of the part that the parser sees."""
        return self._above + 1 if self._first_row == 1 else self._first_row

    # -- the rows ------------------------------------------------------------------------------------------------------

    def _read(self, wanted: Wanted, skip: int) -> Iterator[Piece]:
        stream = self._stream()
        first = self._first_read  # of the batch
        closed = False
        for batch in self._batches(stream):
            number = first
            if batch.num_rows and batch.column(0)[-1].as_py() == _END_MARK:
                closed = True
                batch = batch.slice(0, batch.num_rows - 1)
            first += batch.num_rows
            if number == self._above + 1 and self._header_rows and batch.num_rows:
                self._check_header(batch)
            batch = batch.slice(min(max(skip + 1 - number, 0), batch.num_rows))
            if batch.num_rows:
                yield self._piece(batch, wanted, first - batch.num_rows, stream.position())
        if not closed:
            raise self._unclosed(self._place(first - 1))

    def _piece(self, batch: pa.RecordBatch, wanted: Wanted, first: int, position: int) -> Piece:
        rows = np.arange(first, first + batch.num_rows)
        blank = np.ones(batch.num_rows, bool)
        for column in batch.columns:
            blank &= joined_integers(binary_length(column)) == 0
            if not blank.any():
                break
        if blank.any():
            batch = keep_where(batch, boolean_array(~blank))
        if self._dialect.delimiter == "\t" and self._options.quotes:
            self._look_for_quoted_tabs(batch, rows[~blank])
        columns = batch.rename_columns(self._names).select(list(wanted))
        return Piece(columns, Origin.of_file(self.name, rows[~blank]), Origin.of_file(self.name, rows[blank]), position)

    def _look_for_quoted_tabs(self, batch: pa.RecordBatch, rows: Rows) -> None:
        """Remember rows with a tab inside quotes: in most files with tabs, a quote is just a quote."""
        found: set[int] = set()
        for column in batch.columns:
            offsets, data = text_bytes(column)
            tabs = np.flatnonzero(data == ord("\t"))
            found.update(rows[np.searchsorted(offsets, tabs, side="right") - 1].tolist())
        self._n_quoted_tabs += len(found)
        self._quoted_tabs += [f"{self.name}, row {row}" for row in sorted(found)[: 5 - len(self._quoted_tabs)]]

    def _stream(self, *, valid: bool = False) -> TextStream:
        def last_row(last_byte: bytes) -> bytes:
            start = b"" if last_byte in (b"\n", b"\r") else b"\n"
            return start + _END_MARK + self._dialect.delimiter.encode() * (len(self._names) - 1) + b"\n"

        return TextStream(self._part, self._options.encoding, tail=last_row, valid=valid)

    def _batches(self, stream: TextStream, **handler: object) -> Iterator[pa.RecordBatch]:
        names = [str(column) for column in range(len(self._names))]
        return pyarrow.csv.open_csv(  # type: ignore[no-any-return]
            pa.PythonFile(stream, mode="r"),
            pyarrow.csv.ReadOptions(
                use_threads=False,
                block_size=self._block,
                column_names=names,
                skip_rows=self._first_read - self._first_row,
            ),
            parse_options(self._dialect.delimiter, self._options.quotes, **handler),
            pyarrow.csv.ConvertOptions(
                check_utf8=False,
                column_types=dict.fromkeys(names, pa.large_binary()),
                strings_can_be_null=False,
                quoted_strings_can_be_null=False,
            ),
        )

    # -- what can be wrong ---------------------------------------------------------------------------------------------

    def _check_header(self, batch: pa.RecordBatch) -> None:
        if self._options.errors == "replace":
            return
        for column in batch.columns:
            try:
                column[0].as_py().decode()
            except UnicodeDecodeError as error:
                what = describe_invalid(error, self._options.encoding)
                raise DataError(f"{self.name}, row {self._header_rows}: a column name {what}") from error

    def _explain(self, error: Exception) -> DataError:
        """Read again up to the bad row, with every byte made valid, to learn what stands in it."""
        bad: list[pyarrow.csv.InvalidRow] = []

        def remember(row: pyarrow.csv.InvalidRow) -> str:
            bad.append(row)
            return "error"

        try:
            for _ in self._batches(self._stream(valid=True), invalid_row_handler=remember):
                pass
        except pa.ArrowInvalid:
            if bad:
                return self._ragged(bad[0])
        return DataError(f"{self.name}: the file cannot be read as CSV: {error}")

    def _ragged(self, row: pyarrow.csv.InvalidRow) -> DataError:
        place = self._place(self._first_row - 1 + row.number)
        if _END_MARK.decode() in row.text:
            return self._unclosed(place)
        delimiter = NAME_OF_DELIMITER.get(self._dialect.delimiter, repr(self._dialect.delimiter))
        fields = "field" if row.actual_columns == 1 else "fields"
        stray = f" If its quotes are part of the text, use {setting('quotes', False)}." if '"' in row.text else ""
        return DataError(
            f"{place}: {row.actual_columns} {fields} where the first row has {row.expected_columns}: "
            f"{excerpt(row.text)}. Put quotes around a value that holds a {delimiter} or a line break, or say which "
            f"{setting('delimiter')} the file has.{stray}"
        )

    def _unclosed(self, where: str) -> DataError:
        return DataError(
            f"{where}: a quote is opened that is never closed; everything after it is taken as one value. "
            'Close it (a quote inside quotes is written twice, ""), or, if the file does not quote its values at all, '
            f"use {setting('quotes', False)}."
        )

    def _place(self, row: int) -> str:
        line = self.line(row)
        return f"{self.name}, row {row}" + (f" (line {line})" if line else "")
