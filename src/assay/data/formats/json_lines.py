"""JSON Lines: one JSON object a line.

pyarrow parses, a block of lines at a time, with the types that the first lines show.  Where it cannot be exact, the
block is parsed again line by line with `json`: pyarrow cannot give a number back as it was written, which a label must
be; it takes two objects on one line for two rows; it accepts NaN; and of an error it does not know the line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.json

from assay.data.bytes.encoding import describe_invalid, invalid_rows, repair, utf8_array
from assay.data.bytes.lines import LineBlock, blocks_of_source, line_blocks
from assay.data.bytes.streams import ByteSource, TextStream
from assay.data.columns.choosing import distinct_names
from assay.data.columns.width import require_columns
from assay.data.corpus.origin import Origin
from assay.data.formats.json_objects import JsonObject, Number, as_written, field, parse_object, refuse_nested
from assay.data.formats.pieces import FileReader, Piece, Wanted
from assay.data.options import ReadOptions
from assay.errors import DataError
from assay.suggest import excerpt

__all__ = ["JsonLinesReader"]

_SAMPLE_LINES = 1000
_MANY_KEYS = "Every key of an object is one: keys that are no names but data belong into values."
_SHOWN_LATE_KEYS = 5
# What pyarrow's parser takes for a number, though JSON has no such thing; and the one integer it would write otherwise.
# After a key and its quote: in a text the same letters mean nothing.
_SUSPECT = re.compile(rb'"\s*:\s*(?:-0\b|-?Inf|NaN)')


class JsonLinesReader(FileReader):
    """Reads objects; texts and labels as they were written, other columns with the type of their first values.

    A field inside an object is named with dots, ``text="review.body"``.
    """

    def __init__(self, source: ByteSource, options: ReadOptions) -> None:
        super().__init__(source.name, source.size)
        self._source = source
        self._options = options
        self._keys: set[str] = set()
        self._key_of: dict[str, str] = {}  # what a column is called in the file, by its name here
        self._kinds: dict[str, pa.DataType | None] = {}
        self._unseen: set[str] = set()  # columns that are null in all of the first objects
        self._late: dict[str, int] = {}
        self._has_repaired_keys = False

    def sample(self) -> pa.Table:
        """Return the first objects; the columns are their keys, and the dotted names that were asked for."""
        objects: list[JsonObject] = []
        while not objects:
            stream = TextStream(self._source, self._options.encoding)
            block = next(line_blocks(stream, 1 << 20), LineBlock(1, b"", 0))
            objects = [value for _, value in islice(self._objects(block), _SAMPLE_LINES)]
            if not objects and not self._source.wait_for_more():
                raise DataError(f"{self.name}: the file is empty. It should hold one JSON object a line.")
        names = dict.fromkeys(key for value in objects for key in value)
        require_columns(len(names), self.name, _MANY_KEYS)
        self._keys = set(names)
        goes_on = len(objects) == _SAMPLE_LINES or block.position < self.size
        for asked in (self._options.text, self._options.label):
            if asked and (goes_on or any(field(value, asked) is not None for value in objects)):
                names[asked] = None
        found = {name: [field(value, name) for value in objects] for name in names}
        self._kinds = {name: _common_kind(values) for name, values in found.items()}
        self._key_of = dict(zip(distinct_names(found), found, strict=True))
        self._unseen = {name for name, values in found.items() if not any(value is not None for value in values)}
        self.lists = frozenset(n for n, values in found.items() if any(isinstance(value, list) for value in values))
        self.nested = frozenset(name for name, values in found.items() if _is_nested(values))
        return pa.table({name: utf8_array([as_written(value) for value in values]) for name, values in found.items()})

    def pieces(self, wanted: Wanted) -> Iterator[Piece]:
        """Go through the lines."""
        kinds = {self._key_of[name]: self._kinds[self._key_of[name]] for name in wanted}
        if wanted.label and kinds[self._key_of[wanted.label]] == pa.float64():
            kinds[self._key_of[wanted.label]] = None
        can_be_quick = None not in kinds.values() and self._keys.issuperset(kinds) and not self._has_repaired_keys
        for block in blocks_of_source(self._source, self._options.encoding):
            table, rows = self._quickly(block, kinds) if can_be_quick else (None, [])
            if table is None:
                table, rows = self._exactly(block, kinds, wanted)
            n_lines = block.data.count(b"\n") + (not block.data.endswith(b"\n"))
            blank = np.setdiff1d(np.arange(block.first, block.first + n_lines), rows)
            table = table.rename_columns(list(wanted))
            yield Piece(table, Origin.of_file(self.name, rows), Origin.of_file(self.name, blank), block.position)
        if self._late:
            first = ", ".join(
                f"{excerpt(name)} (row {row})" for name, row in list(self._late.items())[:_SHOWN_LATE_KEYS]
            )
            self.notes.append(f"{self.name}: keys that come up only later are left out: {first}")

    def _quickly(
        self, block: LineBlock, kinds: dict[str, pa.DataType | None]
    ) -> tuple[pa.RecordBatch | None, list[int]]:
        """Let pyarrow parse; None where that could differ from the exact way.

        A long line is none of pyarrow's either: its parser ends the process where memory runs out.
        """
        if block.is_long:
            return None, []
        lines = block.split()
        rows = [number for number, line in enumerate(lines, block.first) if line]
        # An object cannot go over a line end between } and {, so with as many rows as lines each line is one object.
        if _SUSPECT.search(block.data) or not all(line[0] == 123 and line[-1] == 125 for line in lines if line):
            return None, []
        schema = pa.schema(list(kinds.items()))
        try:
            table = pyarrow.json.read_json(
                pa.BufferReader(block.data),
                pyarrow.json.ReadOptions(use_threads=False, block_size=len(block.data) + 1),
                pyarrow.json.ParseOptions(
                    explicit_schema=schema,
                    unexpected_field_behavior="error" if self._options.keep is True else "ignore",
                ),
            )
        except pa.ArrowInvalid:
            return None, []
        if len(table) != len(rows) or _overflows(table):
            return None, []
        return pa.RecordBatch.from_arrays([c.combine_chunks() for c in table.columns], names=table.column_names), rows

    def _exactly(
        self, block: LineBlock, kinds: dict[str, pa.DataType | None], wanted: Wanted
    ) -> tuple[pa.RecordBatch, list[int]]:
        rows, objects = [], []
        essential = [self._key_of[name] for name in wanted.essential]
        lists = essential[-1] if wanted.form.lists else None
        for row, value in self._objects(block):
            for name in essential:
                if name != lists or not isinstance(field(value, name), list):
                    refuse_nested(name, value, f"{self.name}, row {row}")
            if len(self._late) < _SHOWN_LATE_KEYS and not value.keys() <= self._keys:
                for key in value:
                    if key not in self._keys:
                        self._late.setdefault(key, row)
            rows.append(row)
            objects.append(value)
        columns = []
        for name, kind in kinds.items():
            values = [field(value, name) for value in objects]
            if name == lists:
                values = [value if value is None or isinstance(value, list) else [value] for value in values]
            if name in self._unseen:
                kind = _common_kind(values)
            columns.append(_column(values, None if name in essential else kind))
        return pa.RecordBatch.from_arrays(columns, names=list(kinds)), rows

    def _objects(self, block: LineBlock) -> Iterator[tuple[int, JsonObject]]:
        for number, line in enumerate(block.decode(), block.first):
            if line and not line.isspace():
                value = parse_object(line, self.name, number)
                yield number, value if "".join(value).isascii() else self._with_valid_keys(value, number)

    def _with_valid_keys(self, value: JsonObject, row: int) -> JsonObject:
        """Refuse or repair keys that are not UTF-8: they are to be names of columns."""
        keys = utf8_array(list(value))
        bad = invalid_rows(keys.cast(pa.large_binary()))
        if not bad:
            return value
        if self._options.errors != "replace":
            what = describe_invalid(next(iter(bad.values())), self._options.encoding)
            raise DataError(f"{self.name}, row {row}: a key {what}")
        self._has_repaired_keys = True
        return dict(zip(distinct_names(map(repair, keys.to_pylist())), value.values(), strict=True))


def _overflows(table: pa.Table) -> bool:
    """Whether a number was too large for its column: pyarrow makes infinity of some."""
    import pyarrow.compute as pc

    return any(pc.any(pc.is_inf(column)).as_py() for column in table.columns if pa.types.is_floating(column.type))


def _is_nested(values: list[Any]) -> bool:
    """Whether there are values, and all of them are lists or objects."""
    found = [value for value in values if value is not None]
    return bool(found) and all(isinstance(value, (dict, list)) for value in found)


def _common_kind(values: list[Any]) -> pa.DataType | None:
    """Return the type that all values have; string where there are none; None for nested and mixed values.

    A number that no type holds has none either: it stays as it was written.
    """
    kinds = {_kind(value) for value in values if value is not None}
    if kinds == {pa.int64(), pa.float64()}:
        return pa.float64()
    return kinds.pop() if len(kinds) == 1 else None if kinds else pa.large_string()


def _kind(value: Any) -> pa.DataType | None:
    if isinstance(value, Number):
        if value.lstrip("-").isdecimal():
            return pa.int64() if len(value) <= 20 and -(1 << 63) <= int(value) < 1 << 63 else None
        return pa.float64() if math.isfinite(float(value)) else None
    return {str: pa.large_string(), bool: pa.bool_()}.get(type(value))


def _column(values: list[Any], kind: pa.DataType | None) -> pa.Array:
    """Make a column of a type if all values have it, else of strings; or of bytes, where some are not UTF-8."""
    written = utf8_array([as_written(value) for value in values])
    if pa.types.is_large_binary(written.type):
        return written
    found = _common_kind(values)
    fits = found == kind or (found, kind) == (pa.int64(), pa.float64())
    return written.cast(kind) if kind is not None and fits else written
