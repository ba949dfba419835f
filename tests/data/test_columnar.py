"""Parquet and Arrow files."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import assay
from assay.errors import DataError

TABLE = pa.table({"id": [1, 2, 3], "text": ["loved it", "dull", "fun"], "label": ["pos", "neg", "pos"]})


def write_parquet(table, name, **options):
    pyarrow.parquet.write_table(table, name, **options)
    return name


def write_arrow(table, name, **options):
    with pa.ipc.new_file(name, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as sink:
        sink.write_table(table)
    return name


def write_stream(table, name, **options):
    with pa.ipc.new_stream(name, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as sink:
        sink.write_table(table)
    return name


WRITERS = {"r.parquet": write_parquet, "r.arrow": write_arrow, "r.feather": write_arrow, "r.arrows": write_stream}


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", WRITERS)
def test_columns_keep_their_types(name):
    corpus = assay.read(WRITERS[name](TABLE, name))
    assert [tuple(example) for example in corpus] == [("loved it", "pos"), ("dull", "neg"), ("fun", "pos")]
    assert corpus.column("id").to_pylist() == [1, 2, 3]
    assert corpus.origin.place(2) == f"{name}, row 3"


def test_feather_files_with_compression():
    pyarrow.feather.write_feather(TABLE, "r.feather", compression="zstd")
    assert len(assay.read("r.feather")) == 3


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (pa.array([1, 0, 1]), ("1", "0")),
        (pa.array([True, False, True]), ("true", "false")),
        (pa.array([1.0, 2.5, 1.0]), ("1", "2.5")),
        (pa.array(["b", "a", "b"]).dictionary_encode(), ("b", "a")),
        (pa.DictionaryArray.from_arrays(pa.array([1, 0, 1]), pa.array(["a", "b"])), ("b", "a")),
        (pa.array(["b", "a", "b"], pa.large_string()), ("b", "a")),
    ],
    ids=["int", "bool", "float", "dictionary", "dictionary in another order", "large_string"],
)
def test_labels_of_any_type_become_strings(name, labels, names):
    assert assay.read(WRITERS[name](TABLE.set_column(2, "label", labels), name)).label_names == names


@pytest.mark.parametrize(
    "kind", [pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()]
)
def test_texts_of_any_string_type_are_read(kind):
    corpus = assay.read(write_arrow(TABLE.set_column(1, "text", TABLE["text"].cast(kind)), "r.arrow"))
    assert corpus.texts.type == pa.large_string()
    assert corpus.texts.to_pylist() == ["loved it", "dull", "fun"]


def test_row_groups_and_batches_do_not_show():
    table = pa.table({"text": [f"t{i}" for i in range(1000)], "label": [f"l{i % 7}" for i in range(1000)]})
    from_parquet = assay.read(write_parquet(table, "r.parquet", row_group_size=64))
    from_arrow = assay.read(write_arrow(pa.Table.from_batches(table.to_batches(max_chunksize=33)), "r.arrow"))
    assert from_parquet == from_arrow
    assert from_parquet.fingerprint == assay.read((table["text"], table["label"])).fingerprint


def test_columns_of_the_same_name_in_parquet():
    table = pa.table([["a"], ["x"], ["1"], ["2"]], names=["text", "label", "id", "id"])
    corpus = assay.read(write_parquet(table, "r.parquet"))
    assert corpus.columns == ("id", "id_2")
    assert corpus.column("id_2").to_pylist() == ["2"]


def test_progress_ends_at_the_size(tmp_path):
    name = write_parquet(TABLE, "r.parquet")
    seen = []
    assay.read(name, progress=lambda *step: seen.append(step))
    assert seen[-1] == ((tmp_path / name).stat().st_size,) * 2


# -- what is refused -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_without_text_columns(name):
    WRITERS[name](pa.table({"id": [1, 2], "score": [0.5, 0.25]}), name)
    with pytest.raises(DataError) as caught:
        assay.read(name)
    assert str(caught.value) == (
        f"{name}: no column holds text. The columns are: 'id' (int64, for example '1'), 'score' (double, for example "
        "'0.5'). The texts must be strings."
    )


def test_a_text_column_that_is_numbers():
    with pytest.raises(DataError, match=r"^r\.parquet: column 'id' holds int64, not text\. The columns are: "):
        assay.read(write_parquet(TABLE, "r.parquet"), text="id")


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize(("column", "option"), [("text", "skip_empty"), ("label", "skip_unlabelled")])
def test_nulls(name, column, option):
    values = TABLE[column].to_pylist()
    values[1] = None
    WRITERS[name](TABLE.set_column(TABLE.column_names.index(column), column, pa.array(values)), name)
    with pytest.raises(DataError, match=rf"^{name}, row 2: column '{column}' is missing\. Use {option}=True"):
        assay.read(name)
    corpus = assay.read(name, **{option: True})
    assert corpus.column("id").to_pylist() == [1, 3]
    assert corpus.origin.place(1) == f"{name}, row 3"


@pytest.mark.parametrize("name", WRITERS)
def test_strings_that_are_not_utf8(name):
    bad = pa.Array.from_buffers(pa.string(), 3, pa.array([b"a", b"caf\xe9", b"c"], pa.binary()).buffers())
    WRITERS[name](TABLE.set_column(1, "text", bad), name)
    with pytest.raises(
        DataError, match=rf"^{name}, row 2: column 'text' has byte 0xE9 after 'caf', which is not UTF-8"
    ):
        assay.read(name)
    assert assay.read(name, errors="replace")[1].text == "caf\ufffd"


def test_an_empty_table():
    with pytest.raises(DataError, match=r"^r\.parquet: no rows are left to work with\.$"):
        assay.read(write_parquet(TABLE.slice(0, 0), "r.parquet"))


@pytest.mark.parametrize("name", WRITERS)
def test_a_truncated_file(name, tmp_path):
    path = tmp_path / WRITERS[name](pa.concat_tables([TABLE] * 100), name)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(DataError, match=rf"^{name}: the (Parquet|Arrow) file cannot be read; it is damaged"):
        assay.read(name)


@pytest.mark.parametrize("name", ["r.parquet", "r.arrow"])
def test_a_file_that_is_something_else(name, write):
    write(name, b"text,label\na,x\n")
    with pytest.raises(DataError) as caught:
        assay.read(name)
    assert str(caught.value).startswith(
        f"{name}: the name says {name[2:]}, but the bytes do not: they begin with b'text,"
    )
