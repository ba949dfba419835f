"""Reading texts with several labels, in every form that they are written in."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import assay
from assay.data.columns.separator import guess_separator, separator_of_known
from assay.data.options import ReadOptions
from assay.data.reading.read import read_with
from assay.errors import DataError, ParameterError, UnclearColumnError

ROWS = [
    ("rain stops the cup final", ["sport", "weather"]),
    ("a quiet day", []),
    ("the vote is tomorrow", ["politics"]),
    ("ministers at the cup final", ["sport", "politics"]),
]
TEXTS, SETS = [text for text, _ in ROWS], [frozenset(labels) for _, labels in ROWS]


def sets_of(corpus):
    assert corpus.task == "label-sets"
    return [frozenset(label) for _, label in corpus]


def csv_of(separator="|", rows=ROWS):
    return "text,labels\n" + "".join(f'{text},"{separator.join(labels)}"\n' for text, labels in rows)


def test_a_separator_that_is_given_makes_sets(write):
    corpus = assay.read(write("news.csv", csv_of().encode()), labels_separator="|")
    assert sets_of(corpus) == SETS
    assert corpus.texts.to_pylist() == TEXTS
    assert corpus.label_names == ("sport", "weather", "politics")
    assert (corpus.text_column, corpus.label_column, corpus.labels_separator) == ("text", "labels", "|")
    assert corpus.notes == (
        "news.csv: texts are in column 'text' and labels are in column 'labels' (guessed; text= and label= say "
        "otherwise)",
        "1 text has no label (news.csv, row 3)",
    )
    assert [(incident.kind, incident.count) for incident in corpus.incidents] == [("empty_set", 1)]


@pytest.mark.parametrize("separator", [";", ", ", " and ", "\t", "."])
def test_any_text_may_separate(write, separator):
    corpus = assay.read(write("news.csv", csv_of(separator).encode()), labels_separator=separator)
    assert sets_of(corpus) == SETS


def test_empty_sets_are_left_out_with_rows_without_a_label(write):
    corpus = assay.read(write("news.csv", csv_of().encode()), labels_separator="|", skip_unlabelled=True)
    assert sets_of(corpus) == [SETS[0], SETS[2], SETS[3]]
    assert corpus.notes[-1] == "1 row without a label was left out (news.csv, row 3)"
    assert corpus.origin.place(1) == "news.csv, row 4"
    with pytest.raises(DataError, match=r"news.csv: no rows are left to work with\. No text has a label\."):
        assay.read(write("news.csv", b"text,label\na,|\nb,\n"), labels_separator="|", skip_unlabelled=True)


def test_what_is_odd_in_a_cell_is_counted_and_said(write):
    content = b'text,label\na,x|y|x\nb,"x | y"\nc,|x||y\nd,x\ne, | \n'
    corpus = assay.read(write("odd.csv", content), labels_separator="|")
    assert sets_of(corpus) == [{"x", "y"}, {"x", "y"}, {"x", "y"}, {"x"}, set()]
    assert corpus.notes[1:] == (
        "1 text has no label (odd.csv, row 6)",
        "1 cell names a label twice, which counts once (odd.csv, row 2)",
        "2 cells have nothing where a label should be (odd.csv, rows 4, 6)",
        "1 cell has blanks around its labels, left out (odd.csv, row 3)",
    )


def test_a_separator_that_stands_nowhere_is_said(write):
    corpus = assay.read(write("a.csv", b"text,label\na,x\nb,y\n"), labels_separator=";")
    assert sets_of(corpus) == [{"x"}, {"y"}]
    assert corpus.notes[-1] == "a.csv: ';' stands in no cell: every text has one label at most"


@pytest.mark.parametrize("given", [False, "|"])
def test_a_separator_for_lists_is_said_to_change_nothing(tmp_path, given):
    path = tmp_path / "lists.jsonl"
    path.write_text('{"text": "rain", "labels": ["a|b", "c"]}\n{"text": "sun", "labels": []}\n')
    corpus = assay.read(path, text="text", label="labels", labels_separator=given)
    assert corpus[0].label == ("a|b", "c")
    said = f"column 'labels' holds lists of labels, which stand as they are: labels_separator={given!r} changes nothing"
    assert any(said in note for note in corpus.notes)


@pytest.mark.parametrize("separator", ["", True, 7])
def test_what_cannot_separate_is_refused(separator):
    with pytest.raises(ParameterError) as error:
        assay.read((["a"], ["x"]), labels_separator=separator)
    assert str(error.value) == (
        "The 'labels_separator' parameter of read must be what stands between the labels of a cell, such as '|', or "
        f"False where a cell is one label. Got {separator!r} instead."
    )


# -- a guess -----------------------------------------------------------------------------------------------------------

CLEAR = [("joy", 9), ("love", 8), ("fear", 7), ("joy|love", 5), ("love|fear", 3)]


def repeated(cells):
    labels = [cell for cell, n in cells for _ in range(n)]
    return "text,label\n" + "".join(f"text {i},{label}\n" for i, label in enumerate(labels))


def test_a_clear_separator_is_taken_and_said(write):
    corpus = assay.read(write("emotions.csv", repeated(CLEAR).encode()))
    assert corpus.task == "label-sets"
    assert dict(zip(corpus.label_names, corpus.class_counts.tolist(), strict=True)) == {
        "joy": 14,
        "love": 16,
        "fear": 10,
    }
    assert corpus.notes[1] == (
        "emotions.csv: cells hold several labels with '|' between them, such as 'joy|love' (guessed; "
        "labels_separator=False takes a cell for one label)"
    )
    whole = assay.read("emotions.csv", labels_separator=False)
    assert whole.label_names == ("joy", "love", "fear", "joy|love", "love|fear")
    assert len(whole.notes) == 1


def test_an_empty_cell_beside_a_clear_separator_is_an_empty_set(write):
    corpus = assay.read(write("emotions.csv", (repeated(CLEAR) + "nothing,\n").encode()))
    assert corpus[-1].label == ()
    assert corpus.notes[-1] == "1 text has no label (emotions.csv, row 34)"


def test_all_rows_together_may_show_what_the_first_do_not(write):
    sorted_by_label = repeated([("joy", 100_000), *CLEAR[1:], ("joy|fear", 2000)])
    corpus = assay.read(write("emotions.csv", sorted_by_label.encode()))
    assert corpus.task == "label-sets"
    assert corpus.notes[-1].startswith("emotions.csv: cells hold several labels with '|' between them, such as")


def test_an_unclear_separator_is_said_and_not_taken(write):
    corpus = assay.read(write("news.csv", b"text,label\na,sport|city\nb,sport|city\nc,sport\nd,city\n"))
    assert corpus.task == "labels"
    assert corpus.label_names == ("sport|city", "sport", "city")
    assert corpus.notes[-1] == (
        "news.csv: 2 cells hold '|', such as 'sport|city', and each is taken for one label; if these are several, say "
        "labels_separator='|'"
    )


@pytest.mark.parametrize(
    "cells",
    [
        {"sport|ball": 90, "sport|chess": 90, "city|roads": 40, "city|water": 30, "city|fire": 30},  # paths
        {"Smith, John": 10, "Jones, John": 10, "Brown, Ann": 10},  # names
        {"New York, NY": 20, "Albany, NY": 20, "Austin, TX": 20},  # places
        {"very good": 9, "good": 8, "bad": 8, "very bad": 7},  # a blank separates nothing
        {"a|": 9, "b": 9, "c|d": 8},  # nothing behind it
        {"pos": 50, "neg": 50},
        {"a," + "b" * 61: 9, "a": 9, "b" * 61: 9, "a,c": 5, "c": 9},  # too long for labels
        {},
    ],
)
def test_names_with_a_separator_in_them_are_names(cells):
    assert guess_separator(cells) is None


def test_labels_that_never_stand_alone_need_more_evidence():
    tags = "abcde"
    pairs = {f"{x};{y}": 3 for x in tags for y in tags if x < y}
    assert not guess_separator(pairs).strong  # all of one length: they may be pairs of something
    triples = {f"{x};{y};{z}": 2 for x in tags for y in tags for z in tags if x < y < z}
    assert guess_separator(pairs | triples | {"a;b;c;d": 1}).strong


def test_labels_given_beside_their_texts_in_memory_stand_as_they_are():
    labels = [cell for cell, n in CLEAR for _ in range(n)]
    corpus = assay.read(([f"text {i}" for i in range(len(labels))], labels))
    assert corpus.task == "labels"
    assert corpus.notes == ()
    assert assay.read({"text": [f"text {i}" for i in range(len(labels))], "label": labels}).task == "label-sets"


def test_the_labels_of_a_model_show_the_separator(write):
    path = write("new.csv", b"text,label\na,joy;love\nb,joy\nc,\n")
    known = {"known_labels": ("love", "joy")}
    assert sets_of(read_with(path, ReadOptions(task="label-sets", **known))) == [{"joy", "love"}, {"joy"}, set()]
    one = read_with(write("one.csv", b"text,label\na,love\nb,joy\nc,\n"), ReadOptions(task="label-sets", **known))
    assert sets_of(one) == [{"love"}, {"joy"}, set()]
    plain = write("plain.csv", repeated(CLEAR).encode())
    assert read_with(plain, ReadOptions(task="labels", **known)).task == "labels"
    assert separator_of_known(["joy|anger"], {"joy"}) == "|"
    assert separator_of_known(["awe|anger"], {"joy"}) is None


# -- lists -------------------------------------------------------------------------------------------------------------


def test_json_lists_are_sets(write):
    lines = [json.dumps({"text": text, "labels": labels}) for text, labels in ROWS]
    corpus = assay.read(write("news.jsonl", "\n".join(lines).encode()))
    assert sets_of(corpus) == SETS
    assert corpus.labels_separator is None
    assert corpus.notes[-1] == "1 text has no label (news.jsonl, row 2)"


def test_a_lone_label_null_and_numbers_in_json(write):
    content = b'{"text": "a", "label": [1, "x", true]}\n{"text": "b", "label": "x"}\n{"text": "c", "label": null}\n'
    corpus = assay.read(write("a.jsonl", content + b'{"text": "d", "label": 7}\n{"text": "e"}\n'))
    assert sets_of(corpus) == [{"1", "x", "true"}, {"x"}, set(), {"7"}, set()]


@pytest.mark.parametrize(
    ("value", "what"), [('["x", ["y"]]', "a list"), ('[{"x": 1}]', "an object"), ('["x", null]', "null")]
)
def test_lists_of_other_things_are_refused(refused, value, what):
    shown = value.replace("'", "\\'")
    assert refused(f'{{"text": "a", "label": ["x"]}}\n{{"text": "b", "label": {value}}}\n'.encode(), "a.jsonl") == (
        f"a.jsonl, row 2: the list of labels '{shown}' holds {what} where a label should be. Labels are strings or "
        "numbers; write each text's labels as one plain list."
    )


def test_an_object_is_no_label_among_lists_either(refused):
    content = b'{"text": "a", "label": ["x"]}\n{"text": "b", "label": {"x": 1}}\n'
    assert refused(content, "a.jsonl").startswith("a.jsonl, row 2: 'label' holds an object and not a text or label")


def table_of(kind=None):
    labels = pa.array([labels for _, labels in ROWS], kind or pa.list_(pa.string()))
    return pa.table({"text": TEXTS, "tags": labels})


@pytest.mark.parametrize(
    "kind", [None, pa.large_list(pa.large_string()), pa.list_(pa.dictionary(pa.int32(), pa.string()))]
)
def test_columns_of_lists_are_sets(tmp_path, kind):
    table = table_of(kind)
    pyarrow.parquet.write_table(table, tmp_path / "news.parquet")
    assert sets_of(assay.read(tmp_path / "news.parquet")) == SETS
    pyarrow.feather.write_feather(table, tmp_path / "news.arrow")
    assert sets_of(assay.read(tmp_path / "news.arrow")) == SETS
    assert sets_of(assay.read(table)) == SETS


def test_data_frames_with_lists_are_sets():
    columns = {"text": TEXTS, "labels": [labels for _, labels in ROWS]}
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns), columns):
        assert sets_of(assay.read(frame)) == SETS


def test_class_numbers_in_lists_get_the_names_that_a_dataset_keeps():
    features = {
        "labels": {"feature": {"names": ["weather", "sport", "politics"], "_type": "ClassLabel"}, "_type": "List"}
    }
    metadata = {"huggingface": json.dumps({"info": {"features": features}})}
    table = pa.table({"text": TEXTS, "labels": [[1, 0], [], [2], [1, 2]]}).replace_schema_metadata(metadata)
    assert sets_of(assay.read(table)) == SETS


@pytest.mark.parametrize("kind", [pa.list_(pa.float64()), pa.list_(pa.list_(pa.string()))])
def test_lists_of_other_types_are_refused(kind):
    table = pa.table({"text": ["a"], "label": pa.array([[]], kind)})
    with pytest.raises(DataError) as error:
        assay.read(table)
    assert str(error.value) == (
        f"Table: column 'label' holds lists of {kind.value_type}, which are no labels. Labels are strings or whole "
        "numbers; write each text's labels as one plain list."
    )


# -- in memory ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [list, tuple, set, frozenset])
def test_labels_in_memory_may_be_any_collection(kind):
    labels = [kind(labels) for _, labels in ROWS]
    assert sets_of(assay.read((TEXTS, labels))) == SETS
    assert sets_of(assay.read(list(zip(TEXTS, labels, strict=True)))) == SETS


def test_labels_of_several_types_in_memory_are_text():
    corpus = assay.read((["a", "b", "c", "d"], [[1, "x"], ["y"], None, [2]]))
    assert sets_of(corpus) == [{"1", "x"}, {"y"}, set(), {"2"}]
    assert corpus.label_type == "text"


def test_whole_numbers_come_back_as_such():
    corpus = assay.read((["a", "b"], [[10, 9], [9]]))
    assert corpus.label_type == "integer"
    assert sorted(corpus.label_values.tolist()) == [9, 10]


@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix, sparse.coo_array])
@pytest.mark.parametrize("kind", [np.int64, bool, float])
def test_a_table_of_zeros_and_ones_is_sets(form, kind):
    table = np.array([[0, 1, 0, 1], [0, 0, 0, 0], [0, 0, 0, 1]], kind)
    corpus = assay.read((["a", "b", "c"], form(table)))
    assert sets_of(corpus) == [{"1", "3"}, set(), {"3"}]
    assert corpus.label_values.tolist() == [0, 1, 2, 3]
    assert (corpus.label_sets.table() == table.astype(bool)).all()


@pytest.mark.parametrize(("table", "value"), [(np.array([[0, 2]]), "2"), (np.array([["x", "y"]]), "'x'")])
def test_a_table_of_other_values_is_refused(table, value):
    with pytest.raises(DataError) as error:
        assay.read((["a"], table))
    assert str(error.value) == (
        f"(texts, labels): the labels are a table of 1 rows and 2 columns that holds {value}. A table of labels has a "
        "column for each label, with 1 where a text has it and 0 elsewhere; for one label a text, give a list."
    )


def test_as_many_sets_as_texts():
    with pytest.raises(DataError, match=r"\(texts, labels\): there are 2 texts and 1 label"):
        assay.read((["a", "b"], [["x"]]))


# -- a column for each label -------------------------------------------------------------------------------------------

FLAGS = b"text,sport,politics,weather,id\na,1,0,yes,7\nb,0,0,no,8\nc, TRUE ,1,0,9\n"


def test_columns_of_zeros_and_ones_are_sets(write):
    corpus = assay.read(write("flags.csv", FLAGS), label_columns=["weather", "sport", "politics"])
    assert [label for _, label in corpus] == [("sport", "weather"), (), ("sport", "politics")]
    assert corpus.label_names == ("sport", "politics", "weather")
    assert corpus.columns == ("id",)
    assert corpus.notes[-1] == "1 text has no label (flags.csv, row 3)"
    assert corpus.label_column is None


def test_columns_may_be_named_by_patterns_and_hold_any_kind_of_flag():
    frame = pd.DataFrame({"review": ["a", "b"], "is_a": [1, 0], "is_b": [True, False], "is_c": [0.0, 1.0], "note": "x"})
    corpus = assay.read(frame, text="review", label_columns=["is_*"])
    assert [label for _, label in corpus] == [("is_a", "is_b"), ("is_c",)]
    unused = assay.read(frame[:1], text="review", label_columns=["is_*"])
    assert unused.label_names == ("is_a", "is_b", "is_c")
    assert unused.class_counts.tolist() == [1, 1, 0]


@pytest.mark.parametrize(("value", "shown"), [("2", "'2'"), ("maybe", "'maybe'"), ("", "nothing")])
def test_a_column_of_other_values_is_refused(refused, value, shown):
    content = f"text,a,b\none,1,0\ntwo,{value},0\n".encode()
    assert refused(content, "flags.csv", label_columns=["a", "b"]) == (
        f"flags.csv, row 3: column 'a' holds {shown}, where 1 or 0 says whether the text has this label. Write 1 or 0 "
        "(or true and false, yes and no) in every row, or leave the column out of label_columns=."
    )


def test_a_column_that_is_not_there_is_refused(refused):
    assert refused(FLAGS, "flags.csv", label_columns=["sports"]) == (
        "flags.csv: there is no column 'sports' for label_columns=. The columns are 'sport', 'politics', 'text', "
        "'weather', 'id'."
    )


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {"label": "sport"},
            "names the columns of all labels, so there is no label= beside it. Leave one of the two out.",
        ),
        ({"labels_separator": "|"}, "so there is no labels_separator= beside it. Leave one of the two out."),
        ({"label_columns": "sport"}, "must be a list of column names. Got 'sport' instead; write ['sport']."),
    ],
)
def test_settings_that_contradict_each_other_are_refused(settings, said):
    with pytest.raises(ParameterError) as error:
        assay.read((["a"], ["x"]), **({"label_columns": ["sport"]} | settings))
    assert said in str(error.value)


def test_several_columns_for_one_label_point_to_columns_of_flags():
    with pytest.raises(
        ParameterError, match=r"or, where each holds 0 and 1 for one label, give label_columns=\['a', 'b'\]"
    ):
        assay.read((["a"], ["x"]), label=["a", "b"])


def test_unclear_columns_of_flags_may_be_labels(write):
    with pytest.raises(UnclearColumnError) as error:
        assay.read(write("flags.csv", b"text,hot,new\na,1,0\nb,0,1\nc,1,1\n"))
    message = str(error.value)
    assert "'hot', 'new' could" in message
    assert "If each of these is a label with 1 where a text has it, say label_columns=. The columns are" in message


@settings(max_examples=30)
@given(
    st.lists(st.tuples(st.text("xyz", min_size=1), st.sets(st.sampled_from(["a", "b c", "ü", "-", "0"]))), min_size=1)
)
def test_every_form_gives_the_same_sets(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("forms")
    texts, sets = [text for text, _ in rows], [sorted(labels) for _, labels in rows]
    table = pa.table({"text": texts, "label": pa.array(sets, pa.list_(pa.string()))})
    pyarrow.parquet.write_table(table, folder / "a.parquet")
    lines = (json.dumps({"text": text, "label": labels}) for text, labels in zip(texts, sets, strict=True))
    (folder / "a.jsonl").write_text("\n".join(lines))
    joined = ["|".join(labels) for labels in sets]
    pd.DataFrame({"text": texts, "label": joined}).to_csv(folder / "a.csv", index=False)
    found = [
        assay.read((texts, sets)),
        assay.read(folder / "a.parquet"),
        assay.read(folder / "a.jsonl"),
        assay.read(folder / "a.csv", labels_separator="|"),
        assay.read({"text": texts, "label": joined}, labels_separator="|"),
    ]
    names = sorted({label for labels in sets for label in labels})
    if names:
        flags = {name: [int(name in labels) for labels in sets] for name in names}
        found.append(assay.read({"text": texts, **flags}, text="text", label_columns=names))
    for corpus in found:
        assert sets_of(corpus) == [frozenset(labels) for labels in sets]
        assert corpus.fingerprint == found[0].fingerprint


# -- fastText's lines and folders --------------------------------------------------------------------------------------


def test_lines_with_several_labels_are_sets(write):
    content = b"__label__a __label__b one two\n__label__b three\nfour\n__label__c five __label__a six\n"
    corpus = assay.read(write("train.txt", content), format="fasttext")
    assert [tuple(row) for row in corpus] == [
        ("one two", ("a", "b")),
        ("three", ("b",)),
        ("four", ()),
        ("five six", ("a", "c")),
    ]
    assert corpus.notes == (
        "train.txt: lines have several labels, such as 'a b'; a text has a set of them",
        "1 text has no label (train.txt, row 3)",
    )


def test_a_late_line_with_several_labels_makes_sets_of_all(write):
    corpus = assay.read(write("train.txt", b"__label__a one\n" * 70_000 + b"__label__a __label__b two\n"))
    assert corpus[0].label == ("a",)
    assert corpus[-1].label == ("a", "b")


def test_lines_of_one_label_refuse_several(refused):
    message = refused(b"__label__a one\n__label__a __label__b two\n", "train.txt", labels_separator=False)
    assert message == (
        "train.txt, row 2: the line has 2 labels ('__label__a', '__label__b'): '__label__a __label__b two'. Every text "
        "was to have one: leave labels_separator=False out, or keep one of them on each line."
    )


def folder_of(tmp_path, files):
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_a_text_that_stands_in_several_folders_has_several_labels(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {
        "sport/1.txt": "cup",
        "city/1.txt": "cup",
        "sport/2.txt": "run",
        "city/2.txt": "roads",
        "city/x/3.txt": "mayor",
    }
    folder_of(tmp_path / "news", files | {"sport/x/3.txt": "mayor"})
    corpus = assay.read("news")
    assert [tuple(row) for row in corpus] == [
        ("cup", ("city", "sport")),
        ("roads", ("city",)),
        ("mayor", ("city", "sport")),
        ("run", ("sport",)),
    ]
    assert corpus.notes == (
        "news: 2 texts stand in several sub-folders, such as 'city', 'sport', under the same name; a text has the "
        "labels of all (guessed; labels_separator=False takes each file for a text of its own)",
    )
    apart = assay.read("news", labels_separator=False)
    assert (apart.task, len(apart), apart.notes) == ("labels", 6, ())


def test_one_text_in_two_folders_is_a_conflict_and_no_set(tmp_path):
    corpus = assay.read(folder_of(tmp_path / "n", {"a/1.txt": "x", "b/1.txt": "x", "a/2.txt": "y", "b/2.txt": "z"}))
    assert corpus.task == "labels"
    assert corpus.profile().conflicts.rows == 2


def test_spellings_in_sets_are_merged_while_reading(write):
    corpus = assay.read(write("a.csv", b"text,label\na,Joy|joy\nb,joy|love\n"), labels_separator="|", merge_labels=True)
    assert sets_of(corpus) == [{"joy"}, {"joy", "love"}]
    assert corpus.labels_separator == "|"


def test_goemotions_is_read_as_sets(shared_data):
    corpus = assay.read(shared_data / "goemotions_multilabel" / "dev.csv.gz")
    assert corpus.task == "label-sets"
    assert (len(corpus), len(corpus.label_names), len(corpus.label_sets.members)) == (5426, 28, 6380)


def test_nothing_between_two_separators_hides_no_separator(write):
    odd = [("joy", 9), ("love", 8), ("fear", 7), ("joy||love", 5), ("love|fear|", 3), ("|joy", 2)]
    corpus = assay.read(write("emotions.csv", repeated(odd).encode()))
    assert dict(zip(corpus.label_names, corpus.class_counts.tolist(), strict=True)) == {
        "joy": 16,
        "love": 16,
        "fear": 10,
    }
    assert corpus.notes[-1].startswith("10 cells have nothing where a label should be (emotions.csv, rows 26, 27,")


@pytest.mark.parametrize("labels", [[["x"], "y"], [{"x"}, None, 7]])
def test_a_lone_label_among_sets_in_memory_is_refused(labels):
    with pytest.raises(DataError) as caught:
        assay.read((["a"] * len(labels), labels))
    assert f"(texts, labels), row {len(labels)}: {labels[-1]!r} stands where other texts have a set of labels" in str(
        caught.value
    )


def test_columns_named_like_a_models_labels_hold_its_sets_where_all_are_flags():
    known = {"task": "label-sets", "known_labels": ("law", "sport")}
    options = replace(ReadOptions(), **known)
    table = {"text": ["vote", "ball"], "law": [1, 0], "sport": [False, False], "other": ["1", "0"]}
    found = read_with(table, options)
    assert sets_of(found) == [{"law"}, set()]
    assert found.label_names == ("law", "sport")
    graded = read_with({**table, "law": [1, 2]}, options)
    assert graded.label_names != ("law", "sport")


def test_a_new_label_beside_known_ones_hides_no_separator():
    options = replace(ReadOptions(), task="label-sets", known_labels=("Sports", "World"))
    found = read_with({"text": ["a", "b", "c"], "label": ["Sports|Unseen", "World", "Sports|Sports"]}, options)
    assert sets_of(found) == [{"Sports", "Unseen"}, {"World"}, {"Sports"}]
