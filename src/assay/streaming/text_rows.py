r"""Columns as rows of text: CSV, TSV, JSON Lines, fastText lines, plain lines.

The native core writes the bytes; here it is said what stands between the values and how each is quoted.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

import numpy as np
import pyarrow as pa

from assay import _native
from assay.data.arrays import filled, joined_integers, joined_mask, only_where, string_array, text_bytes
from assay.data.arrow_functions import cast

__all__ = ["as_text", "json_lines", "lines", "separated_header", "separated_rows"]

Columns = Mapping[str, pa.Array]


def separated_header(names: list[str], delimiter: str) -> bytes:
    r"""The first row of a CSV or TSV file.

    Examples
    --------
    >>> separated_header(["id", "full, text"], ",")
    b'id,"full, text"\n'
    """
    return bytes(separated_rows({str(i): string_array([name]) for i, name in enumerate(names)}, delimiter))


def separated_rows(columns: Columns, delimiter: str) -> memoryview:
    r"""Rows of a CSV or TSV file; quotes stand only where they are needed.

    Examples
    --------
    >>> bytes(separated_rows({"id": pa.array([1, None]), "text": pa.array(['a "b" c', "plain"])}, ","))
    b'1,"a ""b"" c"\n,plain\n'
    """
    before = [b"", *[delimiter.encode()] * (len(columns) - 1)]
    parts = [_column(values, b, "separated") for values, b in zip(columns.values(), before, strict=True)]
    return _written(parts, delimiter)


def json_lines(columns: Columns, nested: Collection[str] = ()) -> memoryview:
    r"""One JSON object a line; the columns called `nested` hold lists and objects as JSON text.

    Examples
    --------
    >>> bytes(json_lines({"text": pa.array(['say "hi"', None]), "stars": pa.array([4, 5])}))
    b'{"text": "say \\"hi\\"", "stars": 4}\n{"text": null, "stars": 5}\n'
    """
    keys = [json.dumps(name, ensure_ascii=False).encode() for name in columns]
    before = [b"{%s: " % keys[0], *(b", %s: " % key for key in keys[1:])]
    parts = [
        _column(_json_values(values), b, "none") if name in nested else _json_column(values, b)
        for (name, values), b in zip(columns.items(), before, strict=True)
    ]
    return _written(parts, ",", end=b"}\n")


def lines(columns: Columns, *, separator: str, prefix: str = "") -> memoryview:
    r"""Values as they are, which must not hold line ends; one row a line.

    Examples
    --------
    >>> bytes(lines({"label": pa.array(["ham"]), "text": pa.array(["hi there"])}, separator=" ", prefix="__label__"))
    b'__label__ham hi there\n'
    """
    before = [prefix.encode(), *[separator.encode()] * (len(columns) - 1)]
    return _written([_column(values, b, "none") for values, b in zip(columns.values(), before, strict=True)], ",")


def _written(parts: list[_native.TextColumn], delimiter: str, end: bytes = b"\n") -> memoryview:
    return _native.write_text_rows(parts, end, delimiter).data


def _column(values: pa.Array, before: bytes, quoting: str) -> _native.TextColumn:
    """A column for the native core; labels stay numbers, everything that is no text is written as text."""
    codes = None
    valid = joined_mask(values.is_valid()).astype(np.uint8) if values.null_count else None
    if pa.types.is_dictionary(values.type):
        codes = joined_integers(values.indices).astype(np.int32, copy=False)
        if valid is not None:
            codes = codes * valid  # what stands under a null can be any number
        values = values.dictionary
    offsets, data = text_bytes(as_text(values))
    return _native.TextColumn(data, offsets, codes, valid, before, quoting)


def _json_column(values: pa.Array, before: bytes) -> _native.TextColumn:
    kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _column(values, before, "json")
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return _column(filled(as_text(values), "null"), before, "none")
    if pa.types.is_floating(kind):
        import pyarrow.compute as pc

        finite = only_where(pc.is_finite(values), values)  # JSON has neither NaN nor infinity
        return _column(filled(as_text(finite), "null"), before, "none")
    if pa.types.is_nested(kind):
        return _column(filled(as_text(values), "null"), before, "none")
    return _column(as_text(values), before, "json")


def _json_values(texts: pa.Array) -> pa.Array:
    """Lists and objects as they are; a text that is none of these among them becomes a JSON string."""
    return string_array([_json_value(text) for text in texts.to_pylist()])


def _json_value(text: str | None) -> str:
    try:
        if text is not None and isinstance(json.loads(text), (dict, list)):
            return text
    except ValueError:
        pass
    return json.dumps(text, ensure_ascii=False)


def as_text(values: pa.Array) -> pa.Array:
    """Values as text; lists and structures as JSON."""
    if pa.types.is_large_string(values.type):
        return values
    if pa.types.is_nested(values.type):
        shown = values.to_pylist()
        return string_array([None if v is None else json.dumps(v, ensure_ascii=False, default=str) for v in shown])
    return cast(values, pa.large_string())
