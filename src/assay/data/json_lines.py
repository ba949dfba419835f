"""JSON Lines: one JSON object a line.

Parsed with the standard library's `json`, a line at a time.  pyarrow's JSON reader is no faster here
(measured: 120 to 155 MB/s against 155 to 170 MB/s) and not exact: it takes two objects on one line for two
rows, accepts NaN, and cannot give a number back as it was written, which a label must be.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from assay.data.encoding import utf8_array
from assay.data.lines import LineBlock, line_blocks
from assay.data.options import ReadOptions
from assay.data.origin import Origin, Rows
from assay.data.pieces import Piece, Reader, Wanted
from assay.data.streams import ByteSource, TextStream
from assay.data.suggest import excerpt
from assay.errors import DataError

__all__ = ["JsonLinesReader"]

_SAMPLE_LINES = 1000


class _Number(str):
    """A number as it was written."""

    __slots__ = ()


class _RepeatedKeyError(ValueError):
    """An object has a key twice."""


class JsonLinesReader(Reader):
    """Reads objects; strings, numbers, true and false as they were written, anything nested as JSON.

    A field inside an object is named with dots, ``text="review.body"``.
    """

    def __init__(self, source: ByteSource, options: ReadOptions) -> None:
        super().__init__(source.name, source.size)
        self._source = source
        self._options = options
        self._decode = json.JSONDecoder(
            parse_int=_Number, parse_float=_Number, parse_constant=_refuse, object_pairs_hook=_object
        ).decode
        self._keys: set[str] = set()
        self._late: dict[str, int] = {}

    def sample(self) -> pa.Table:
        """Return the first objects; the columns are their keys, and the dotted names that were asked for."""
        block = next(self._blocks(1 << 20), LineBlock(1, [], 0))
        objects = [value for _, value in self._objects(block, _SAMPLE_LINES)]
        if not objects:
            raise DataError(f"{self.name}: the file is empty. It should hold one JSON object a line.")
        names = dict.fromkeys(key for value in objects for key in value)
        self._keys = set(names)
        for asked in (self._options.text, self._options.label):
            comes_up = asked and any(_field(value, asked) is not None for value in objects)
            if asked and (comes_up or len(block.lines) > _SAMPLE_LINES or block.position < self.size):
                names[asked] = None
        return pa.table({name: utf8_array([_written(_field(value, name)) for value in objects]) for name in names})

    def pieces(self, wanted: Wanted) -> Iterator[Piece]:
        """Go through the lines."""
        for block in self._blocks(1 << 22):
            numbered = list(self._objects(block))
            rows = np.array([number for number, _ in numbered], np.int64)
            objects = [value for _, value in numbered]
            self._look_for_late_keys(objects, rows)
            for name in wanted.essential:
                self._refuse_nested(name, objects, rows)
            columns = {name: utf8_array([_written(_field(value, name)) for value in objects]) for name in wanted}
            blank = np.setdiff1d(np.arange(block.first, block.first + len(block.lines)), rows)
            yield Piece(
                pa.RecordBatch.from_arrays(list(columns.values()), names=list(columns)),
                Origin.of_file(self.name, rows),
                Origin.of_file(self.name, blank),
                block.position,
            )
        if self._late:
            first = ", ".join(f"{name!r} (row {row})" for name, row in list(self._late.items())[:5])
            self.notes.append(f"{self.name}: keys that come up only later are left out: {first}")

    def _blocks(self, size: int) -> Iterator[LineBlock]:
        return line_blocks(TextStream(self._source, self._options.encoding), size)

    def _objects(self, block: LineBlock, limit: int | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
        for number, line in enumerate(block.lines[:limit], block.first):
            if line and not line.isspace():
                yield number, self._parse(number, line)

    def _parse(self, number: int, line: str) -> dict[str, Any]:
        where = f"{self.name}, row {number}"
        try:
            value = self._decode(line)
        except json.JSONDecodeError as error:
            raise self._invalid(where, line, error) from error
        except _RepeatedKeyError as error:
            raise DataError(
                f"{where}: the key {error.args[0]!r} stands twice in one object. Keep one of them."
            ) from error
        except ValueError as error:
            raise DataError(f"{where}: {error.args[0]} is not JSON. Write null or a number instead.") from error
        except RecursionError as error:
            raise DataError(
                f"{where}: the JSON is nested too deeply: {excerpt(line)}. Take the nested part out."
            ) from error
        if not isinstance(value, dict):
            raise DataError(
                f"{where}: the line holds {_kind(value)} and not an object like "
                f'{{"text": "…", "label": "…"}}: {excerpt(line)}.{_array_hint(value, self.name)}'
            )
        return value

    def _invalid(self, where: str, line: str, error: json.JSONDecodeError) -> DataError:
        if "\0" in line:
            return DataError(
                f"{where}: the line holds a NUL byte (0x00). If the file is UTF-16, use encoding='utf-16' "
                "(--encoding utf-16); otherwise remove the byte, for example with tr -d '\\000'."
            )
        if error.msg == "Extra data" and line[error.pos : error.pos + 1] == "{":
            return DataError(f"{where}: more than one object on the line. Write each object on a line of its own.")
        if line.strip() in ("{", "["):
            return DataError(
                f"{where}: not JSON Lines: the JSON goes over several lines. Write each object on one line, "
                f"{_conversion(self.name, '.[]' if line.strip() == '[' else '.')}."
            )
        return DataError(
            f"{where}: invalid JSON at character {error.pos + 1}, {excerpt(line[error.pos :], 30)}: "
            f"{error.msg}. The line "
            f"is {excerpt(line)}. Correct it or take it out."
        )

    def _look_for_late_keys(self, objects: list[dict[str, Any]], rows: Rows) -> None:
        for row, value in zip(rows, objects, strict=True):
            if not value.keys() <= self._keys:
                for key in value.keys() - self._keys:
                    self._late.setdefault(key, int(row))

    def _refuse_nested(self, name: str, objects: list[dict[str, Any]], rows: Rows) -> None:
        for row, value in zip(rows, objects, strict=True):
            inner = _field(value, name)
            if isinstance(inner, dict | list):
                inside = (
                    f" Name a field inside it, such as {name + '.' + next(iter(inner))!r}." if _names(inner) else ""
                )
                raise DataError(
                    f"{self.name}, row {row}: {name!r} holds {_kind(inner)} and not a text or label: "
                    f"{excerpt(_as_json(inner))}.{inside}"
                )


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        raise _RepeatedKeyError(next(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]
    return result


def _field(value: dict[str, Any], name: str) -> Any:
    if name in value or "." not in name:
        return value.get(name)
    inner: Any = value
    for key in name.split("."):
        inner = inner.get(key) if isinstance(inner, dict) else None
    return inner


def _written(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return _as_json(value)


def _as_json(value: Any) -> str:
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{json.dumps(key, ensure_ascii=False)}: {_as_json(v)}" for key, v in value.items()) + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_as_json, value)) + "]"
    return value if isinstance(value, _Number) else json.dumps(value, ensure_ascii=False)


def _kind(value: Any) -> str:
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "an array"
    return {_Number: "a number", str: "a string", bool: "true or false"}.get(type(value), "null")


def _names(value: Any) -> bool:
    return isinstance(value, dict) and bool(value)


def _array_hint(value: Any, name: str) -> str:
    if not (isinstance(value, list) and any(isinstance(item, dict) for item in value)):
        return ""
    return f" A file that is one array is turned into JSON Lines {_conversion(name, '.[]')}."


def _conversion(name: str, path: str) -> str:
    return f"for example with jq -c '{path}' {name}"
