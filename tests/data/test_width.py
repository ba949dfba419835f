"""Tables with very many columns."""

from __future__ import annotations

import io
import json

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import assay
from assay.data.columns.choosing import distinct_names
from assay.data.columns.width import MOST_COLUMNS

MOST = f"there are more than {MOST_COLUMNS:,} columns, which is the most."


@pytest.mark.parametrize("n_values", [MOST_COLUMNS + 1, 1_000_000])
@pytest.mark.parametrize("options", [{}, {"delimiter": ","}, {"quotes": False}])
def test_a_row_of_more_values_is_refused_before_it_is_parsed(refused, n_values, options):
    message = refused(b",".join([b"a"] * n_values) + b"\nb\n", **options)
    assert message.startswith(f"reviews.csv, row 1 (with a comma as delimiter): {MOST} Say which delimiter=")


@pytest.mark.parametrize("end", [b'"\n', b'", label\ngood, p\n'])
def test_delimiters_inside_quotes_make_no_columns(write, end):
    text = b"a, b\n" * 300_000  # of which the sample that the dialect is found from holds only a part
    write("reviews.csv", b'"' + text + end)
    with pytest.raises(assay.errors.DataError) as caught:
        assay.read("reviews.csv")
    assert MOST not in str(caught.value)


def test_objects_with_more_keys_are_refused(refused):
    content = json.dumps({"text": "good"} | {f"k{i}": i for i in range(MOST_COLUMNS)}).encode()
    assert refused(content, "r.jsonl") == (
        f"r.jsonl: {MOST} Every key of an object is one: keys that are no names but data belong into values."
    )


@pytest.mark.parametrize("save", [pyarrow.parquet.write_table, pyarrow.feather.write_feather])
def test_columnar_files_and_tables_with_more_columns_are_refused(save):
    values = pa.array(["good"])
    table = pa.table([values] * (MOST_COLUMNS + 1), names=[f"c{i}" for i in range(MOST_COLUMNS + 1)])
    file = io.BytesIO()
    save(table, file)
    file.seek(0)
    for source in (file, table):
        with pytest.raises(assay.errors.DataError, match=rf"{MOST} Leave those out that are not needed\.$"):
            assay.read(source)


def test_tables_in_memory_with_more_columns_are_refused_before_any_is_looked_at():
    columns = dict.fromkeys((f"c{i}" for i in range(MOST_COLUMNS + 1)), object())
    with pytest.raises(assay.errors.DataError, match=rf"^dict: {MOST}"):
        assay.read(columns)

    class Frame:
        shape = (1, MOST_COLUMNS + 1)

        def __arrow_c_stream__(self, requested=None):
            raise AssertionError("nobody asks for this")

    with pytest.raises(assay.errors.DataError, match=rf"^Frame: {MOST}"):
        assay.read(Frame())


def test_names_that_repeat_are_numbered():
    names = distinct_names(["a"] * 50_000 + ["a_2", "b"])
    assert names[:3] == ["a", "a_2", "a_3"]
    assert names[-3:] == ["a_50000", "a_2_2", "b"]
    assert len(set(names)) == len(names)
