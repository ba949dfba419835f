"""What other programs write is read back as it was."""

from __future__ import annotations

import csv
import io
import json

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import assay
from assay.data.formats.json_lines import JsonLinesReader

# No NUL (refused in text files) and no lone surrogates (not text).
TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=20)
AWKWARD = st.text(alphabet="ab,;|\"\t\n\r '\\é日🤷\ufeff\u2028", min_size=1, max_size=12)
ROWS = st.lists(st.tuples(TEXT | AWKWARD, TEXT | AWKWARD), min_size=1, max_size=12)

PIECES = [
    *(bytes([byte]) for byte in b'",\n\r\tax{}[]:1\\\0\xff'),
    "é".encode(),
    b"\xed\xa0\x80",
    b"null",
    b"a,x\n",
    b'"q\nq",y\n',
    b"__label__y b",
    b'{"text": "b", "label": 2}',
]


def read_bytes(content: bytes, **options):
    return [tuple(row) for row in assay.read(io.BytesIO(content), **options)]


@settings(max_examples=60, deadline=None)
@given(rows=ROWS, delimiter=st.sampled_from(",;\t|"), end=st.sampled_from(["\n", "\r\n", "\r"]), bom=st.booleans())
@example(rows=[("a", "\r")], delimiter=",", end="\n", bom=False)
@example(rows=[("\ufeff", "\n")], delimiter=";", end="\r\n", bom=True)
def test_what_the_csv_module_writes(rows, delimiter, end, bom):
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerow(("text", "label"))
    writer.writerows(rows)
    content = out.getvalue().encode("utf-8-sig" if bom else "utf-8")
    assert read_bytes(content, format="csv", delimiter=delimiter) == rows


@settings(max_examples=60, deadline=None)
@given(rows=ROWS)
def test_what_the_csv_module_writes_with_few_quotes(rows):
    out = io.StringIO(newline="")
    csv.writer(out).writerows([("text", "label"), *rows])
    assert read_bytes(out.getvalue().encode(), format="csv") == rows


@settings(max_examples=60, deadline=None)
@given(rows=ROWS)
def test_what_pyarrow_writes(rows):
    table = pa.table({"text": [text for text, _ in rows], "label": [label for _, label in rows]})
    out = io.BytesIO()
    pyarrow.csv.write_csv(table, out)
    assert read_bytes(out.getvalue(), format="csv") == rows
    out = pa.BufferOutputStream()
    pyarrow.parquet.write_table(table, out)
    assert read_bytes(out.getvalue().to_pybytes()) == rows


@settings(max_examples=60, deadline=None)
@given(rows=ROWS, ascii_only=st.booleans(), end=st.sampled_from(["\n", "\r\n"]))
def test_what_the_json_module_writes(rows, ascii_only, end):
    lines = [json.dumps({"text": text, "label": label}, ensure_ascii=ascii_only) for text, label in rows]
    assert read_bytes((end.join(lines) + end).encode()) == rows


VALUES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
LINES = st.lists(
    st.fixed_dictionaries({"text": TEXT, "label": TEXT | st.integers() | st.booleans() | st.just(-0.0)})
    | st.fixed_dictionaries({"text": TEXT, "label": TEXT}, optional={"n": VALUES, "m": st.integers(-9, 9), "t": TEXT})
    | st.fixed_dictionaries({"text": TEXT, "label": st.sampled_from([0, 1, 2])}, optional={"f": st.floats(0, 1)}),
    min_size=1,
    max_size=8,
)


@settings(max_examples=60, deadline=None)
@given(lines=LINES, odd=st.sampled_from(["", '{"text": "NaN", "label": -0}', " ", '{"text": ": NaN", "label": "Inf"}']))
def test_the_quick_way_through_json_is_the_exact_way(lines, odd):
    content = "\n".join([*(json.dumps(line, ensure_ascii=False) for line in lines), odd]).encode()
    quick = assay.read(io.BytesIO(content), format="jsonl")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(JsonLinesReader, "_quickly", lambda *_: (None, []))
        exact = assay.read(io.BytesIO(content), format="jsonl")
    assert quick == exact
    assert quick.label_names == exact.label_names
    assert [quick.origin.place(i) for i in range(len(quick))] == [exact.origin.place(i) for i in range(len(exact))]


@settings(max_examples=60, deadline=None)
@given(rows=ROWS, encoding=st.sampled_from(["utf-16", "utf-16-be", "utf-32", "utf-7", "gb18030"]))
def test_other_encodings(rows, encoding):
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([("text", "label"), *rows])
    assert read_bytes(out.getvalue().encode(encoding), format="csv", encoding=encoding) == rows


@settings(max_examples=60, deadline=None)
@given(content=st.binary(max_size=200), name=st.sampled_from([None, "csv", "tsv", "jsonl", "fasttext", "lines"]))
def test_whatever_the_bytes_there_is_a_corpus_or_one_clear_error(content, name):
    try:
        corpus = assay.read(io.BytesIO(content), format=name)
    except assay.errors.DataError as error:
        said = str(error)
    else:
        said = f"the open file: {len(corpus)} rows"
        corpus.profile()
    assert said.startswith("the open file")


@settings(max_examples=60, deadline=None)
@given(
    head=st.sampled_from([b"text,label\n", b'{"text": "a", "label": 1}\n', b"__label__x a\n", b"text\tlabel\n"]),
    pieces=st.lists(st.sampled_from(PIECES), max_size=30),
    errors=st.sampled_from(["strict", "replace"]),
)
def test_whatever_the_pieces_there_is_a_corpus_or_one_clear_error(head, pieces, errors):
    try:
        corpus = assay.read(io.BytesIO(head + b"".join(pieces)), errors=errors, skip_empty=True, skip_unlabelled=True)
    except assay.errors.DataError as error:
        said = str(error)
    else:
        said = f"the open file: {len(corpus)} rows"
        corpus.profile()
    assert said.startswith("the open file")


@pytest.mark.parametrize("name", ["imdb/test.csv.gz", "20ng/test.csv.gz", "langid_lingua_sentences/all.csv.gz"])
def test_real_files_are_read_as_the_csv_module_reads_them(real_data, name):
    import gzip

    path = real_data / name
    if not path.exists():
        pytest.skip(f"{name} is not among the real data")
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        header = next(rows)
        csv.field_size_limit(1 << 30)
        expected = [(row[header.index("text")], row[header.index("label")]) for row in rows]
    assert [tuple(row) for row in assay.read(path)] == expected
