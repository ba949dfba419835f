"""Where the table of a file begins: below titles, blank rows and a ``sep=;`` that spreadsheets put above it.

A row above the header holds nothing, or one value ("Export of 12.3.2026") where the table has two columns and more.
A single value that is what people call a column of texts or labels is a header all the same. Rows of several values
("Exported by", "Jane"; names of groups of columns) stand above a header only if that is wider than all of them, or as
wide and below a blank row, and has more such names than any of them: one for texts and one for labels, or one where
they have none.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

import pyarrow as pa

from assay.data.columns.column_names import LABEL_NAMES, TEXT_NAMES, is_known_name, plain_name
from assay.suggest import counted, excerpt

__all__ = ["Above", "lines_above_header", "rows_above_header", "said_above", "why_headless"]

_LOOKED_AT = 40  # rows
_LONGEST_NAME = 60
_SEPARATOR_LINE = re.compile(r'"?sep=([^\s"\r\n]|\t)"?\r?\n?', re.IGNORECASE)


class Above(NamedTuple):
    """What stands above the header of a file of separated values."""

    lines: int = 0
    delimiter: str | None = None
    """What the lines above tell of it."""
    title: str = ""
    """The first value that is no column name."""


def rows_above_header(rows: Sequence[Sequence[str]]) -> int:
    """How many of the first rows of a table stand above its header.

    Examples
    --------
    >>> rows_above_header([["Export of 12.3.2026", ""], ["", ""], ["text", "label"], ["loved it", "pos"]])
    2
    >>> rows_above_header([["text", ""], ["loved it", "pos"]])
    0
    >>> rows_above_header([["Exported by", "Jane", ""], ["id", "text", "label"], ["1", "loved it", "pos"]])
    1
    """
    filled = [sum(bool(cell.strip()) for cell in row) for row in rows]
    begin = next((index for index, count in enumerate(filled) if count), 0)
    header = next((index for index, count in enumerate(filled) if count > 1), begin)
    known = [sum(map(is_known_name, row)) for row in rows[:_LOOKED_AT]]
    candidates = range(begin + 1, min(len(rows), _LOOKED_AT))
    better = next((index for index in candidates if _outdoes(rows, filled, known, index)), 0)
    titles = [cell for row in rows[begin:header] for cell in row if cell.strip()]
    return better or (begin if any(is_known_name(cell) for cell in titles) else header)


def _outdoes(rows: Sequence[Sequence[str]], filled: Sequence[int], known: Sequence[int], index: int) -> bool:
    """Whether a row is more of a header than all rows above it, which may be no header at all.

    `filled` and `known` say of each row how many of its cells hold something, and how many a name of a column.
    """
    if not _is_header(rows[index]):
        return False
    names = [plain_name(cell) for cell in rows[index]]
    texts = {place for place, name in enumerate(names) if name in TEXT_NAMES}
    labels = {place for place, name in enumerate(names) if name in LABEL_NAMES}
    most = max(known[:index])
    has_both = bool(texts) and bool(labels) and len(texts | labels) > max(most, 1)
    apart = not filled[index - 1] and filled[index] == max(filled[:index])
    wider = filled[index] > max(filled[:index])
    return (has_both and (wider or apart)) or (not most and bool(texts | labels) and wider)


def lines_above_header(text: str, delimiters: Sequence[str], *, quotes: bool) -> Above:
    r"""What stands above the header of separated values, from the beginning of the text.

    Lines are taken for titles only where a row below them looks like a header of at least two columns: everything below
    has as many values, or it has a name that people give to texts and labels. A text with a comma below a lone
    ``comment`` is no table.

    Examples
    --------
    >>> lines_above_header("sep=;\ntext;label\nloved it;pos\n", ",;", quotes=True)
    Above(lines=1, delimiter=';', title='sep=;')
    >>> lines_above_header("Reviews, all of them\n\ntext;label\nloved it;pos\n", ",;", quotes=True)
    Above(lines=2, delimiter=';', title='Reviews, all of them')
    >>> lines_above_header("comment\nwell, no\nso, yes\n", ",;", quotes=True)
    Above(lines=0, delimiter=None, title='')
    """
    lines = list(islice(io.StringIO(text, newline=""), _LOOKED_AT * 4))
    told = _SEPARATOR_LINE.fullmatch(lines[0]) if lines else None
    if told:
        below = lines_above_header("".join(lines[1:]), [told[1]], quotes=quotes)
        return Above(below.lines + 1, told[1], below.title or told[0].strip())
    tables = [found for delimiter in delimiters if (found := _table(lines, delimiter, quotes=quotes)) is not None]
    blank = next((number for number, line in enumerate(lines) if line.strip()), 0)
    return min(tables, key=lambda table: (table[0], table[1].lines), default=(False, Above(blank)))[1]


def said_above(name: str, n_rows: int, title: str) -> str:
    """Say that rows above the header are not read.

    Examples
    --------
    >>> said_above("a.csv", 2, "Export")
    "a.csv: the first 2 rows stand above the header and are not read ('Export')"
    """
    rows = "the first row stands" if n_rows == 1 else f"the first {counted(n_rows, 'row', 'rows')} stand"
    verb = "is" if n_rows == 1 else "are"
    return f"{name}: {rows} above the header and {verb} not read" + (f" ({excerpt(title, 40)})" if title else "")


def why_headless(header: Sequence[str], rows: pa.Table) -> str | None:
    """Say why what should be the header seems to be data, if it does; `rows` are those below."""
    for index, cell in enumerate(header):
        if len(cell) > _LONGEST_NAME or len(cell.split()) > 6 or "\n" in cell:
            return f"{excerpt(cell)} is long for a column name"
        if _is_number(cell):
            return f"{excerpt(cell)} is a number"
        if cell and rows.num_rows and cell in rows.column(index).to_pylist():
            return f"{excerpt(cell)} stands again below in its column"
    return None


def _table(lines: list[str], delimiter: str, *, quotes: bool) -> tuple[bool, Above] | None:
    """Where a table begins whose values are separated by `delimiter`, and whether its rows are of different lengths.

    None where there is no table.
    """
    reader = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE)
    rows, ends = [], [0]
    try:
        for row in islice(reader, _LOOKED_AT):
            rows.append(row)
            ends.append(reader.line_num)
    except csv.Error:  # too long for Python's own reader, or not closed
        return None
    n_above = rows_above_header(rows)
    header, below = next(iter(rows[n_above:]), []), rows[n_above + 1 :]
    whole = below[:-1] if len(below) > 1 else below  # the last row may be cut
    if not below or len(header) < 2:
        return None
    ragged = any(len(row) != len(header) for row in whole if row)
    if ragged and not any(map(is_known_name, header)):
        return None
    if not any(cell.strip() for row in rows[:n_above] for cell in row):
        return ragged, Above(ends[n_above])
    title = next(line.strip(delimiter + '\r\n "') for line in lines if line.strip(delimiter + '\r\n "'))
    return (ragged, Above(ends[n_above], delimiter, title)) if _is_header(header) else None


def _is_header(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell]
    return (
        len(filled) > 1
        and len(set(filled)) == len(filled)
        and all(cell == cell.strip() and len(cell) <= _LONGEST_NAME and not _is_number(cell) for cell in filled)
    )


def _is_number(cell: str) -> bool:
    return cell.strip().lstrip("+-").replace(".", "", 1).isdecimal()
