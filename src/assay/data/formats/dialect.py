"""Finding out how a CSV file is written, from its first megabyte: delimiter, header, number of columns.

The sample is parsed by pyarrow with each delimiter; the one that splits the header and fits most rows is
taken.
"""

from __future__ import annotations

import codecs
import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import pyarrow as pa
import pyarrow.csv

from assay.data.arrays import joined_integers
from assay.data.arrow_functions import binary_length
from assay.data.formats.header import Above, lines_above_header

__all__ = ["DELIMITERS", "Dialect", "parse_options", "sniff"]

DELIMITERS = (",", ";", "\t", "|")
NAME_OF_DELIMITER = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}


@dataclass(frozen=True, slots=True)
class Dialect:
    """How the file is written, and its first rows."""

    delimiter: str
    guessed: bool
    has_one_row: bool
    first_row: tuple[str, ...]
    rows: pa.Table
    """The complete rows of the sample after the first, columns named "0", "1", …"""
    above: Above
    """What stands above the first row."""


def parse_options(delimiter: str, quotes: bool, **others: object) -> pyarrow.csv.ParseOptions:
    """RFC 4180, or no quoting at all; empty lines are rows, so that row numbers stay those of the file."""
    return pyarrow.csv.ParseOptions(
        delimiter=delimiter,
        quote_char='"' if quotes else False,
        newlines_in_values=quotes,
        ignore_empty_lines=False,
        **others,
    )


def sniff(
    sample: bytes, *, cut: bool, delimiters: Sequence[str], quotes: bool, has_header: bool = True
) -> Dialect | None:
    """Find the dialect; None when the sample does not even hold the whole first row.

    Parameters
    ----------
    sample
        The beginning of the file, in UTF-8 (invalid bytes are replaced here).
    cut
        Whether the file goes on after the sample, so that the last row is not complete.
    delimiters
        The candidates; of equals, the first wins.
    quotes
        Whether values may be quoted.
    has_header
        Whether a row of names is looked for below whatever stands above it.
    """
    guessed = len(delimiters) > 1
    decoded = sample.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")
    above = lines_above_header(decoded, delimiters, quotes=quotes) if has_header else Above()
    if above.delimiter is not None:
        delimiters = (above.delimiter,)
    text = (
        "".join(islice(io.StringIO(decoded, newline=""), above.lines, None)).encode()
        if above.lines
        else decoded.encode()
    )
    if not cut and not text.endswith((b"\n", b"\r")):
        text += b"\n"
    tried = [_Attempt(text, delimiter, quotes) for delimiter in delimiters]
    best = max(tried, key=lambda attempt: attempt.merit)
    if best.n_rows < (2 if cut else 1):
        return None
    table = best.parse()
    last = table.num_rows - 1 if cut and not best.last_is_ragged else table.num_rows
    first = tuple(column[0].as_py() for column in table.columns)
    rows = table.slice(1, max(last - 1, 0))
    blank = not any(joined_integers(binary_length(column)).any() for column in rows.columns)
    has_one_row = blank and not cut and not best.n_ragged
    return Dialect(best.delimiter, guessed, has_one_row, first, rows, above)


class _Attempt:
    """The sample parsed with one delimiter."""

    def __init__(self, text: bytes, delimiter: str, quotes: bool) -> None:
        self.text = text
        self.delimiter = delimiter
        self.quotes = quotes
        self.n_ragged = 0
        self.last_is_ragged = False
        try:
            parsed = self._read([])
        except pa.ArrowInvalid:  # not one complete row
            self.n_columns = self.n_rows = 0
        else:
            self.n_columns = parsed.num_columns
            self.n_rows = parsed.num_rows + self.n_ragged

    @property
    def merit(self) -> tuple[bool, float, int]:
        # The header is the best witness: it seldom holds a delimiter that is not one.
        return self.n_columns > 1, -self.n_ragged / max(self.n_rows, 1), self.n_columns

    def parse(self) -> pa.Table:
        return self._read([str(column) for column in range(self.n_columns)])

    def _read(self, names: list[str]) -> pa.Table:
        self.n_ragged = 0

        def skip(row: pyarrow.csv.InvalidRow) -> str:
            self.n_ragged += 1
            self.last_is_ragged = self.text.rstrip(b"\r\n").endswith(row.text.encode())
            return "skip"

        return pyarrow.csv.read_csv(
            pa.BufferReader(self.text),
            pyarrow.csv.ReadOptions(
                use_threads=False,
                block_size=len(self.text) + 1,
                column_names=names,
                autogenerate_column_names=not names,
            ),
            parse_options(self.delimiter, self.quotes, invalid_row_handler=skip),
            pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(names, pa.large_string()), strings_can_be_null=False),
        )
