"""Rows of text that the native core writes, read back by Python's own readers."""

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import _native
from assay.data.arrays import string_array
from assay.streaming.text_rows import json_lines, lines, separated_header, separated_rows

VALUES = st.text(alphabet=st.characters(codec="utf-8") | st.sampled_from('",;\t\n\r\\\x00\x1f '), max_size=12)
TABLES = st.integers(1, 3).flatmap(lambda n: st.lists(st.tuples(*[VALUES] * n), min_size=1, max_size=8))


@settings(max_examples=150, deadline=None)
@given(rows=TABLES, delimiter=st.sampled_from(",\t;"))
def test_separated_rows_are_read_back_as_they_were(rows, delimiter):
    columns = {str(k): string_array(values) for k, values in enumerate(zip(*rows, strict=True))}
    written = bytes(separated_rows(columns, delimiter)).decode()
    read = list(csv.reader(io.StringIO(written, newline=""), delimiter=delimiter, strict=True))
    assert [tuple(row) for row in read] == rows


@settings(max_examples=150, deadline=None)
@given(rows=TABLES)
def test_json_lines_are_read_back_as_they_were(rows):
    columns = {f'key "{k}"': string_array(values) for k, values in enumerate(zip(*rows, strict=True))}
    written = bytes(json_lines(columns)).decode()
    read = [tuple(json.loads(line).values()) for line in written.split("\n")[:-1]]
    assert read == rows


@settings(max_examples=50, deadline=None)
@given(rows=TABLES)
def test_quotes_stand_only_where_they_are_needed(rows):
    columns = {str(k): string_array(values) for k, values in enumerate(zip(*rows, strict=True))}
    if len(columns) == 1:
        return  # an empty value alone on its line is quoted, so that the line is a row
    written = bytes(separated_rows(columns, ",")).decode()
    plain = all(not re.search('[",\r\n]', value) for row in rows for value in row)
    assert ('"' in written) != plain


def test_values_that_are_no_text_are_written_as_json_has_them():
    columns = {
        "whole": pa.array([1, None]),
        "share": pa.array([0.5, float("nan")]),
        "yes": pa.array([True, None]),
        "list": pa.array([[1, 2], None]),
        "day": pa.array([0, None], pa.date32()),
        "label": pa.DictionaryArray.from_arrays(pa.array([1, None], pa.int32()), string_array(["a", 'b"'])),
    }
    first, second = map(json.loads, bytes(json_lines(columns)).splitlines())
    assert first == {"whole": 1, "share": 0.5, "yes": True, "list": [1, 2], "day": "1970-01-01", "label": 'b"'}
    assert set(second.values()) == {None}


def test_missing_values_are_empty_in_csv():
    columns = {"a": pa.array([None, 2]), "b": pa.array(["x", None])}
    assert bytes(separated_rows(columns, ",")) == b",x\n2,\n"


def test_a_slice_is_written_without_what_stands_around_it():
    column = string_array(["a", "b", None, "d"]).slice(1, 2)
    label = pa.DictionaryArray.from_arrays(pa.array([0, 1, 1, 0], pa.int32()), string_array(["x", "y"])).slice(1, 2)
    assert bytes(separated_rows({"a": column, "b": label}, ",")) == b"b,y\n,y\n"


def test_header_quotes_what_a_name_needs():
    assert separated_header(['say "hi"', "a,b", "c"], ",") == b'"say ""hi""","a,b",c\n'


def test_lines_have_no_quotes():
    assert bytes(lines({"a": string_array(['"x"', "y"])}, separator="\t")) == b'"x"\ny\n'


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.zeros(2, np.uint8), np.array([0, 3])), "the offsets end behind the bytes"),
        ((np.zeros(2, np.uint8), np.array([0, 2, 1])), "the offsets fall"),
        ((np.zeros(2, np.uint8), np.array([], np.int64)), "a column needs offsets from 0 on"),
        ((np.zeros(2, np.uint8), np.array([0, 2]), np.array([1], np.int32)), "codes holds 1, outside"),
        ((np.zeros(2, np.uint8), np.array([0, 2]), None, np.ones(2, np.uint8)), "valid has 2 values where 1"),
        ((np.zeros(2, np.uint8), np.array([0, 2]), None, None, b"", "loud"), "unknown quoting 'loud'"),
    ],
)
def test_native_column_checks_its_arrays(arguments, message):
    with pytest.raises(ValueError, match=message):
        _native.TextColumn(*arguments)


def test_native_rows_need_columns_of_one_length():
    one = _native.TextColumn(np.zeros(1, np.uint8), np.array([0, 1]))
    two = _native.TextColumn(np.zeros(2, np.uint8), np.array([0, 1, 2]))
    with pytest.raises(ValueError, match="a column has 2 values where 1 are needed"):
        _native.write_text_rows([one, two], b"\n", ",")
    with pytest.raises(ValueError, match="at least one column"):
        _native.write_text_rows([], b"\n", ",")
