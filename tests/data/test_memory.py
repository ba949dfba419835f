"""Data in memory: lists, pairs, rows, columns, Arrow, pandas and polars."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import assay
from assay.errors import DataError, ParameterError

TEXTS = ["loved it", "dull", "fun"]
LABELS = ["pos", "neg", "pos"]
ROWS = [("loved it", "pos"), ("dull", "neg"), ("fun", "pos")]
COLUMNS = {"text": TEXTS, "label": LABELS}


class OnlyStream:
    """Speaks the stream protocol and nothing else."""

    def __init__(self, data):
        self._data = data

    def __arrow_c_stream__(self, requested_schema=None):
        return self._data.__arrow_c_stream__(requested_schema)


class OnlyArray:
    """Speaks the array protocol and nothing else."""

    def __init__(self, data):
        self._data = data

    def __arrow_c_array__(self, requested_schema=None):
        return self._data.__arrow_c_array__(requested_schema)


class HubDataset:
    """Has the methods of a Hugging Face Dataset that matter here."""

    def __iter__(self):
        raise AssertionError("rows one by one are slow")

    def with_format(self, kind):
        assert kind == "arrow"
        return self

    def __getitem__(self, rows):
        features = {"info": {"features": {"label": {"names": ["neg", "pos"], "_type": "ClassLabel"}, "text": {}}}}
        table = pa.table({"text": TEXTS, "label": [1, 0, 1]})
        return table.replace_schema_metadata({"huggingface": json.dumps(features)})


@pytest.mark.parametrize(
    "source",
    [
        (TEXTS, LABELS),
        (tuple(TEXTS), tuple(LABELS)),
        (np.array(TEXTS), np.array(LABELS)),
        (np.array(TEXTS, object), LABELS),
        (pd.Series(TEXTS, index=[7, 8, 9]), pd.Series(LABELS, dtype="category")),
        (pl.Series(TEXTS), pl.Series(LABELS)),
        (pa.array(TEXTS), pa.chunked_array([["pos"], ["neg", "pos"]])),
        ROWS,
        COLUMNS,
        [{"text": text, "label": label} for text, label in ROWS],
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS, index=[5, 6, 7]),
        pl.DataFrame(COLUMNS),
        pa.table(COLUMNS),
        pa.RecordBatch.from_pydict(COLUMNS),
        OnlyStream(pa.table(COLUMNS)),
        OnlyArray(pa.RecordBatch.from_pydict(COLUMNS)),
        HubDataset(),
        assay.Corpus(TEXTS, LABELS),
        OnlyStream(assay.Corpus(TEXTS, LABELS)),
    ],
    ids=lambda source: type(source).__name__,
)
def test_labelled_texts(source):
    corpus = assay.read(source)
    assert [tuple(example) for example in corpus] == ROWS
    assert corpus.columns == ()


@pytest.mark.parametrize(
    "source",
    [
        TEXTS,
        np.array(TEXTS),
        pd.Series(TEXTS),
        pl.Series(TEXTS),
        pa.array(TEXTS),
        pa.chunked_array([TEXTS[:1], TEXTS[1:]]),
        OnlyArray(pa.array(TEXTS)),
        OnlyStream(pa.chunked_array([TEXTS])),
        (text for text in TEXTS),
        {"text": TEXTS},
        pd.DataFrame({"review": TEXTS}),
    ],
    ids=lambda source: type(source).__name__,
)
def test_texts_without_labels(source):
    corpus = assay.read(source)
    assert corpus.texts.to_pylist() == TEXTS
    assert corpus.labels is None


def test_texts_are_not_copied_when_they_need_not_be():
    texts = pa.chunked_array([TEXTS], pa.large_string())
    corpus = assay.read(pa.table({"text": texts, "label": LABELS}))
    assert corpus.texts.chunk(0).buffers()[2].address == texts.chunk(0).buffers()[2].address


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        ([1, 0, 1], ("1", "0")),
        ([True, False, True], ("true", "false")),
        ([1.0, 0.5, 1.0], ("1", "0.5")),
        (np.array([2, 1, 2], np.int8), ("2", "1")),
        (["1", 2, True], ("1", "2", "true")),
        ([" a", "a ", "a"], (" a", "a ", "a")),
    ],
)
def test_labels_become_strings(labels, names):
    assert assay.read((TEXTS, labels)).label_names == names


def test_columns_are_chosen_by_name():
    frame = pd.DataFrame({"body": TEXTS, "kind": LABELS, "n": [1, 2, 3]})
    corpus = assay.read(frame, text="body", label="kind")
    assert [tuple(example) for example in corpus] == ROWS
    assert corpus.column("n").to_pylist() == [1, 2, 3]
    assert corpus.notes == ()
    assert assay.read(frame, label=False).labels is None


def test_a_dict_of_datasets_must_be_chosen_from():
    class HubDict(dict):
        with_format = None

    with pytest.raises(DataError, match=r"^HubDict: it holds several tables, 'train', 'test'\. Give one of them\.$"):
        assay.read(HubDict(train=None, test=None))


def test_an_unknown_class_of_a_class_label_is_missing():
    features = {"info": {"features": {"label": {"names": ["neg", "pos"], "_type": "ClassLabel"}}}}
    table = pa.table({"text": TEXTS, "label": [1, -1, 0]})
    table = table.replace_schema_metadata({"huggingface": json.dumps(features)})
    with pytest.raises(DataError, match=r"^Table, row 2: column 'label' is missing\."):
        assay.read(table)


@pytest.mark.parametrize("metadata", [b"not json", b"[]", b'{"info": {"features": {"label": {"names": null}}}}'])
def test_metadata_of_another_shape_is_ignored(metadata):
    table = pa.table({"text": TEXTS, "label": [1, 0, 1]}).replace_schema_metadata({"huggingface": metadata})
    assert assay.read(table).label_names == ("1", "0")


@pytest.mark.parametrize(
    ("setting", "given", "way_out"),
    [
        ("text", ["a", "b"], "join the columns into one before reading"),
        ("text", ("a",), "write 'a'"),
        ("label", ["c"], "write 'c'"),
    ],
)
@pytest.mark.parametrize("kind", [dict, pd.DataFrame, pl.DataFrame])
def test_a_list_of_columns_is_refused_with_a_way_out(kind, setting, given, way_out):
    table = kind({"a": ["x", "y"], "b": ["z", "w"], "c": ["p", "q"]})
    expected = f"The '{setting}' parameter of read must be the name of one column. Got {given!r} instead; {way_out}."
    with pytest.raises(ParameterError, match=f"^{re.escape(expected)}$"):
        assay.read(table, **{"text": "a", "label": "c"} | {setting: given})


# -- what is refused -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ((TEXTS, LABELS[:2]), "(texts, labels): there are 3 texts and 2 labels. There must be as many of both."),
        (["a", None], "list, row 2: column 'text' is missing. Use skip_empty=True"),
        (["a", math.nan], "list, row 2: column 'text' is missing."),
        (["a", ""], "list, row 2: column 'text' is empty."),
        (["a", 5], "list, row 2: column 'text' holds '5', of type int, among strings."),
        ([1, 2], "list: the texts must be strings. Got values of type int64 instead, such as 1."),
        ([["a", "x"], ["b", "y"]], "list, row 1: a list, where a text was expected. Give (texts, labels) as a tuple"),
        ([("a", "x"), ("b",)], "list, row 2: \"('b',)\" where a tuple (text, label) was expected"),
        ([("a", "x"), "b"], "list, row 2: \"'b'\" where a tuple (text, label) was expected"),
        ([{"text": "a"}, "b"], "list, row 2: str where the rows before are dicts."),
        ((["a", "b"], ["x", None]), "list, row 2: column 'label' is missing. Use skip_unlabelled=True"),
        ((["a", "b"], ["x", ""]), "list, row 2: column 'label' is empty."),
        ((["a", "b"], [1.0, math.nan]), "list, row 2: column 'label' is missing."),
        (pd.Series(["a", np.nan, "b"]), "Series, row 2: column 'text' is missing."),
        (pd.Series(["a", None, "b"], dtype=object), "Series, row 2: column 'text' is missing."),
        (pl.Series(["a", None]), "Series, row 2: column 'text' is missing."),
        (pd.DataFrame({"text": ["a", 1]}, dtype=object), "DataFrame: the data cannot be handed over as Arrow: "),
        (
            {"text": ["a"], "label": ["x", "y"]},
            "dict: the columns differ in length: 'text' has 1 row, 'label' has 2 rows.",
        ),
        ({"text": "abc"}, "dict: the 'text' column is one string, 'abc'. Give a list of strings."),
        ([], "list: no rows are left to work with."),
        (([], []), "list: no rows are left to work with."),
        (["\ud800"], "list, row 1: column 'text' has half of a surrogate pair, U+D800, at the beginning"),
        (5, "read takes a file, a folder or data in memory. Got '5', of type int, instead."),
        (None, "read takes a file, a folder or data in memory. Got 'None', of type NoneType, instead."),
        (
            b"text,label",
            "read takes a file, a folder or data in memory, not bytes: 'text,label'. Put them in io.BytesIO",
        ),
        ((pd.DataFrame({"a": ["x"]}), ["y"]), "DataFrame: column 'text' is itself a table with columns ['a']."),
    ],
    ids=repr,
)
def test_what_cannot_be_read_says_why(source, message):
    with pytest.raises(DataError) as caught:
        assay.read(source)
    assert str(caught.value).startswith(message)


def test_missing_values_can_be_left_out():
    corpus = assay.read((["a", None, "c", ""], ["x", "y", None, "z"]), skip_empty=True, skip_unlabelled=True)
    assert [tuple(example) for example in corpus] == [("a", "x")]
    assert corpus.notes == (
        "1 row without a label was left out (list, row 3)",
        "2 rows with an empty text were left out (list, rows 2, 4)",
    )
