"""An Excel workbook (.xlsx) as rows of cells, one after the other.

openpyxl reads the sheet while it is unpacked; only the table of shared strings is in memory as a whole.  A workbook is
a zip archive, and a small one can unpack to anything: how large its parts are is looked at before any of them is read,
and none of them may declare entities.
"""

from __future__ import annotations

import re
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import IO, Any, NamedTuple

from assay.data.formats.cells import cell_text
from assay.errors import DataError
from assay.optional import require
from assay.suggest import counted, nearest_first, quote, quoted
from assay.wording import setting

__all__ = ["LARGEST_ROW", "SheetRow", "Workbook"]

LARGEST_ROW = 1 << 20
_LARGEST_PART = 1 << 31
_UNSUSPICIOUS = 1 << 26
_LARGEST_RATIO = 250
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s[^>]*?ref=[\"']([A-Z]+)([0-9]+):([A-Z]+)([0-9]+)[\"']")
_UNSAVED = re.compile(
    rb"<(?:\w+:)?c\s([^<>]*)>\s*<(?:\w+:)?f(?:\s[^<>]*)?(?:/>|>[^<]*</(?:\w+:)?f>)\s*"
    rb"(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*</(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
_TEXT_RESULT = re.compile(rb"\bt=[\"']str[\"']")
_PLACE = re.compile(rb"\br=[\"']([A-Z]+)([0-9]+)[\"']")
_LONGEST_FORMULA = 1 << 15  # bytes, with what stands around it
_REMEMBERED = 1000
_CHUNK = 1 << 20


class SheetRow(NamedTuple):
    """A row of a sheet."""

    number: int
    """As the sheet shows it, from 1."""
    cells: list[str]
    """From column A to the last one with a value."""
    errors: dict[int, str]
    """Columns (from 0) whose cells hold an error such as #N/A, which are empty here."""


class Workbook:
    """A workbook, and the sheet of it that is read.

    Parameters
    ----------
    file
        Bytes that can be sought in.
    name
        What messages call the file.
    sheet
        The name or the number of a sheet; None takes the first that people see and that has two rows, else the first
        that is not empty.

    Attributes
    ----------
    sheet
        The name of the sheet.
    note
        Which sheet was taken, where there are several.
    others
        The names of the other sheets.
    n_merged
        Ranges of merged cells whose value stands for several rows.
    n_unsaved, unsaved
        Cells with a formula whose result was not saved, which are empty here; where the first of them are (row from 1,
        column from 0).
    """

    def __init__(self, file: IO[bytes], name: str, sheet: str | None) -> None:
        openpyxl: Any = require("openpyxl", "Spreadsheets", extra="spreadsheets")
        # openpyxl warns of what it leaves out: colours, rules, pictures.
        warnings.filterwarnings("ignore", category=UserWarning, module="openpyxl")
        self._name = name
        self._file = file
        with self._damage_is_said():
            archive = zipfile.ZipFile(file)
            self._check(archive)
            book = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
            self._sheets = [found for found in book.worksheets if hasattr(found, "reset_dimensions")]
            for found in self._sheets:
                found.reset_dimensions()  # what a file says of them is often wrong
            self._taken = self._find(sheet)
            self.sheet = str(self._taken.title)
            self.others = [str(found.title) for found in self._sheets if found is not self._taken]
            self._look_through(archive)
        self.n_merged = sum(map(len, self._merged.values()))
        self.note = self._said() if sheet is None else None

    def rows(self) -> Iterator[SheetRow]:
        """Go through the rows, from the first one, which may be empty."""
        above: dict[int, tuple[int, str]] = {}  # column → the last row that its merged cell spans, and the value
        with self._damage_is_said():
            for number, cells in enumerate(self._taken.iter_rows(), start=1):
                if number > LARGEST_ROW:
                    raise DataError(
                        f"{self._name}: the sheet has more than {LARGEST_ROW:,} rows, which is more than a "
                        "spreadsheet can have. Save it again, or as CSV (UTF-8)."
                    )
                errors = {place: str(cell.value) for place, cell in enumerate(cells) if cell.data_type == "e"}
                texts = ["" if cell.data_type == "e" else _text(cell) for cell in cells]
                if self._merged:
                    self._fill_merged(number, texts, above)
                while texts and not texts[-1]:
                    texts.pop()
                yield SheetRow(number, texts, errors)

    def position(self) -> int:
        """How far the file has been read, in bytes."""
        return self._file.tell()

    def _fill_merged(self, row: int, texts: list[str], above: dict[int, tuple[int, str]]) -> None:
        """Give the value of a merged cell to all rows that it spans."""
        for column, ranges in self._merged.items():
            if (last := ranges.get(row)) is not None and column < len(texts):
                above[column] = last, texts[column]
            elif column in above and row <= above[column][0]:
                texts += [""] * (column + 1 - len(texts))
                texts[column] = above[column][1]

    @contextmanager
    def _damage_is_said(self) -> Iterator[None]:
        """Whatever the reader stumbles over is a fault of the file."""
        try:
            yield
        except (DataError, MemoryError, OSError):
            raise
        except Exception as error:
            reason = str(error).strip() or type(error).__name__
            raise DataError(
                f"{self._name}: the spreadsheet is damaged, or not written as Excel writes it ({reason}). Open it and "
                "save it again, or save it as CSV (UTF-8)."
            ) from error

    def _check(self, archive: zipfile.ZipFile) -> None:
        parts = [part for part in archive.infolist() if part.filename.startswith("xl/") or "/" not in part.filename]
        for part in parts:
            if part.flag_bits & 1:
                raise DataError(f"{self._name}: the spreadsheet has a password. Save it without one.")
            suspicious = part.file_size > max(_UNSUSPICIOUS, _LARGEST_RATIO * part.compress_size)
            if part.filename.endswith((".xml", ".rels")) and (suspicious or part.file_size > _LARGEST_PART):
                raise DataError(
                    f"{self._name}: its part {part.filename} would unpack from {part.compress_size:,} to "
                    f"{part.file_size:,} bytes, which no sheet of texts does. Save it as CSV (UTF-8) if you trust it."
                )
        for part in parts:
            if part.filename.endswith((".xml", ".rels")):
                with archive.open(part) as stream:
                    head = stream.read(4096)
                if b"<!DOCTYPE" in head or b"<!ENTITY" in head:
                    raise DataError(
                        f"{self._name}: its part {part.filename} declares entities, which no spreadsheet needs. Save "
                        "it as CSV (UTF-8) if you trust it."
                    )
                if part.filename == "xl/workbook.xml" and b"purl.oclc.org/ooxml" in head:
                    raise DataError(
                        f"{self._name}: this is a strict Open XML spreadsheet, which assay does not read. Save it as "
                        "an ordinary Excel workbook (.xlsx), or as CSV (UTF-8)."
                    )

    def _find(self, wanted: str | None) -> Any:
        if not self._sheets:
            raise DataError(f"{self._name}: the workbook has no sheet with cells.")
        if wanted is None:
            seen = [sheet for sheet in self._sheets if sheet.sheet_state == "visible"]
            candidates = seen or self._sheets
            filled = {sheet.title: _filled_rows(sheet) for sheet in candidates}
            return max(candidates, key=lambda sheet: filled[sheet.title])  # of equals, the first
        for same in (str, str.casefold):
            for sheet in self._sheets:
                if same(sheet.title) == same(wanted):
                    return sheet
        if wanted.isdecimal() and 1 <= int(wanted) <= len(self._sheets):
            return self._sheets[int(wanted) - 1]
        names = [str(sheet.title) for sheet in self._sheets]
        raise DataError(
            f"{self._name}: there is no sheet {quote(wanted)}. The sheets are "
            f"{quoted(nearest_first(wanted, names))}; a number from 1 to {len(names)} names one as well."
        )

    def _look_through(self, archive: zipfile.ZipFile) -> None:
        """Find what openpyxl does not tell of a sheet that it streams: merged cells, and formulas without a result."""
        self._merged: dict[int, dict[int, int]] = {}  # column (from 0) → first row → last row, of those that span rows
        self.n_unsaved = 0
        self.unsaved: set[tuple[int, int]] = set()
        rest = b""
        with archive.open(self._taken._worksheet_path) as part:
            while chunk := part.read(_CHUNK):
                data = rest + chunk
                for column, first, _, last in _MERGED.findall(data):
                    if int(last) > int(first):
                        self._merged.setdefault(_column_index(column), {})[int(first)] = int(last)
                for found in _UNSAVED.finditer(data):
                    if found.end() > len(rest):  # otherwise it was seen before
                        self._note_unsaved(found[1])
                rest = data[-_LONGEST_FORMULA:]

    def _note_unsaved(self, attributes: bytes) -> None:
        if _TEXT_RESULT.search(attributes):  # which may be empty
            return
        self.n_unsaved += 1
        place = _PLACE.search(attributes)
        if place and len(self.unsaved) < _REMEMBERED:
            self.unsaved.add((int(place[2]), _column_index(place[1])))

    def _said(self) -> str | None:
        others = [
            f"{quote(sheet.title)}" + " (hidden)" * (sheet.sheet_state != "visible")
            for sheet in self._sheets
            if sheet is not self._taken
        ]
        if not others:
            return None
        shown = ", ".join(others[:5]) + (f" and {len(others) - 5} more" if len(others) > 5 else "")
        return (
            f"{self._name}: read the sheet {quote(self.sheet)}; there {'is' if len(others) == 1 else 'are'} "
            f"{counted(len(others), 'other', 'others')}: {shown} ({setting('sheet')} takes another)"
        )


def _text(cell: Any) -> str:
    value = cell.value
    if isinstance(value, str) or value is None:
        return cell_text(value)
    return cell_text(value, cell.number_format if cell.data_type == "n" else "General")


def _filled_rows(sheet: Any) -> int:
    """How many rows of a sheet hold anything: 0, 1, or 2 for more."""
    filled = (row for row in sheet.iter_rows(values_only=True) if any(value is not None for value in row))
    return sum(1 for _ in islice(filled, 2))


def _column_index(letters: bytes) -> int:
    index = 0
    for letter in letters:
        index = index * 26 + letter - ord("A") + 1
    return index - 1
