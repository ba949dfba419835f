"""Columns as a sheet of an Excel workbook (.xlsx), a batch at a time.

Every text is written as a text: nothing in it becomes a formula or a link.  A text that is a number, and that a
spreadsheet would show with the same characters, is written as a number.
"""

from __future__ import annotations

import datetime as dt
import math
import re
import shutil
import tempfile
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from assay.data.formats.workbook import LARGEST_ROW
from assay.errors import DataError
from assay.optional import require
from assay.streaming.text_rows import as_text
from assay.streaming.writers import Columns, Writer
from assay.suggest import excerpt
from assay.temporary_files import forget, remember

__all__ = ["SheetWriter"]

_LARGEST_COLUMN = 1 << 14
_LONGEST_CELL = 32_767
_KEPT_DIGITS = 15  # of a number
_SHOWN_DIGITS = 11
_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?")
_LIKE_AN_ESCAPE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_NOT_OF_XML = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")
_OTHER_FORMAT = "Write .csv, .jsonl or .parquet instead"


class SheetWriter(Writer):
    """One sheet, with a header row that stays in sight; memory does not grow with it."""

    def __init__(self, sink: IO[bytes]) -> None:
        super().__init__(sink)
        xlsxwriter: Any = require("xlsxwriter", "Spreadsheets", extra="spreadsheets")
        folder = remember(tempfile.mkdtemp(prefix="assay-"))  # where rows wait until the end
        self._book = xlsxwriter.Workbook(
            _Unseekable(sink),
            {"constant_memory": True, "tmpdir": str(folder), "use_zip64": True},
        )
        self._book.set_properties({"created": dt.datetime(1980, 1, 1, tzinfo=dt.UTC)})  # the same rows, the same bytes
        self._sheet = self._book.add_worksheet(worksheet_class=_sheet_of_texts(xlsxwriter))
        self._clear_away = weakref.finalize(self, _remove, folder, self._sheet)
        self._n_rows = 0

    def write(self, columns: Columns) -> None:
        """Write some rows, before the first of them the header."""
        names = list(columns)
        if not self._n_rows:
            if len(names) > _LARGEST_COLUMN:
                raise DataError(
                    f"A sheet has at most {_LARGEST_COLUMN:,} columns, and there are {len(names):,}. {_OTHER_FORMAT}."
                )
            for column, name in enumerate(names):
                self._text(0, column, name, name)
            self._sheet.freeze_panes(1, 0)
            self._n_rows = 1
        values = [_plain(array) for array in columns.values()]
        n_new = len(values[0])
        if self._n_rows + n_new > LARGEST_ROW:
            raise DataError(
                f"A sheet has at most {LARGEST_ROW:,} rows, and there are more. Nothing was written. {_OTHER_FORMAT}, "
                "or split the data into several files."
            )
        for row in range(n_new):
            for column, name in enumerate(names):
                self._cell(self._n_rows + row, column, name, values[column][row])
        self._n_rows += n_new

    def close(self) -> None:
        """Put the workbook together."""
        try:
            self._book.close()
        except Exception as error:
            if error.args and isinstance(error.args[0], OSError):  # in an exception of xlsxwriter's own
                raise error.args[0] from None
            raise
        self._clear_away()

    def _cell(self, row: int, column: int, name: str, value: Any) -> None:
        if value is None or value == "":
            return
        if isinstance(value, bool):
            self._sheet.write_boolean(row, column, value)
        elif isinstance(value, str):
            number = _number(value)
            if number is None:
                self._text(row, column, name, value)
            else:
                self._sheet.write_number(row, column, number)
        elif isinstance(value, int | float) and math.isfinite(value) and abs(value) < 10**_KEPT_DIGITS:
            self._sheet.write_number(row, column, value)
        else:
            self._text(row, column, name, str(value))

    def _text(self, row: int, column: int, name: str, text: str) -> None:
        # Excel counts a character beyond the 65,536 first of Unicode as two.
        length = len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
        if length > _LONGEST_CELL:
            raise DataError(
                f"Row {row + 1:,} of the sheet: column {name!r} holds a text of {length:,} characters, and a cell "
                f"holds {_LONGEST_CELL:,}: {excerpt(text)}. Nothing was written. {_OTHER_FORMAT}."
            )
        self._sheet.write_string(row, column, text)


def _sheet_of_texts(xlsxwriter: Any) -> Any:
    """The class of a sheet that writes every text so that it is read as it was.

    xlsxwriter takes a text between ``<r>`` and ``</r>`` for XML of its own, and of two escapes that share an underscore
    (``_x0041_x0042_``) it escapes the first only.
    """

    class SheetOfTexts(xlsxwriter.worksheet.Worksheet):
        @staticmethod
        def _escape_control_characters(text: Any) -> Any:
            if not isinstance(text, str):  # the number of a text
                return text
            escaped = _LIKE_AN_ESCAPE.sub("_x005F_", text)
            escaped = _NOT_OF_XML.sub(lambda found: f"_x{ord(found[0]):04X}_", escaped)
            return f"_x003C_{escaped[1:]}" if escaped.startswith("<r>") else escaped

    return SheetOfTexts


class _Unseekable:
    """A sink that is only written to: it may be compressed, and stays open when the workbook is done.

    After an error nothing is written any more: the archive, when it is forgotten, would still try to write its end.
    """

    def __init__(self, sink: IO[bytes]) -> None:
        self._sink = sink
        self._failed = False

    def write(self, data: bytes) -> int:
        return len(data) if self._failed else self._tried(self._sink.write, data)

    def flush(self) -> None:
        if not self._failed:
            self._tried(self._sink.flush)

    def _tried(self, do: Callable[..., Any], *given: bytes) -> Any:
        try:
            return do(*given)
        except Exception:
            self._failed = True
            raise


def _remove(folder: Path, sheet: Any) -> None:
    """Let go of the rows that wait; an error may have come before the workbook was put together."""
    sheet._opt_close()
    shutil.rmtree(folder, ignore_errors=True)
    forget(folder)


def _number(text: str) -> float | None:
    """The number that a text is, if a spreadsheet shows it with the same characters."""
    if not _PLAIN_NUMBER.fullmatch(text) or text == "-0":
        return None
    return float(text) if sum(map(str.isdigit, text)) <= _SHOWN_DIGITS else None


def _plain(values: pa.Array) -> list[Any]:
    """Values as Python has them; what is neither text nor number nor truth as text."""
    kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    if pa.types.is_nested(kind):
        return list(as_text(values).to_pylist())
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return list(values.to_pylist())
    return list(values.cast(pa.large_string()).to_pylist())
