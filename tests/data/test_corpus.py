"""The corpus itself."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import assay
from assay.data.corpus.corpus import Corpus, Example
from assay.data.corpus.two_classes import require_two_classes
from assay.errors import DataError, ParameterError

ROWS = [("loved it", "pos"), ("dull", "neg"), ("fun", "pos"), ("so-so", "mixed")]


@pytest.fixture
def corpus():
    return Corpus([text for text, _ in ROWS], [label for _, label in ROWS], {"id": [10, 11, 12, 13]})


def test_texts_are_large_strings_and_labels_one_dictionary(write):
    write("a.csv", b"text,label\n" + b"a,x\nb,y\n" * 3)
    write("b.csv", b"text,label\nc,z\n")
    corpus = assay.read("*.csv")
    assert corpus.texts.type == pa.large_string()
    assert corpus.labels.type == pa.dictionary(pa.int32(), pa.string())
    assert corpus.labels.num_chunks == 2
    assert {tuple(chunk.dictionary.to_pylist()) for chunk in corpus.labels.chunks} == {("x", "y", "z")}


def test_classes_are_indices_that_cannot_be_changed(corpus):
    assert corpus.classes.dtype == np.int32
    assert corpus.classes.tolist() == [0, 1, 0, 2]
    assert corpus.class_counts.tolist() == [2, 1, 1]
    with pytest.raises(ValueError, match="read-only"):
        corpus.classes[0] = 1


def test_a_corpus_does_not_change(corpus):
    with pytest.raises(AttributeError, match="a Corpus does not change; 'source' cannot be set"):
        corpus.source = "elsewhere"
    with pytest.raises(AttributeError, match="a Corpus does not change; 'notes' cannot be deleted"):
        del corpus.notes


@pytest.mark.parametrize("index", [0, 1, 3, -1, -4, np.int64(2)])
def test_an_index_gives_an_example(corpus, index):
    assert corpus[index] == Example(*ROWS[index])
    assert corpus[index].label == ROWS[index][1]


@pytest.mark.parametrize("index", [4, -5])
def test_an_index_outside_is_an_index_error(corpus, index):
    with pytest.raises(IndexError, match=f"row {index} of a corpus with 4 rows"):
        corpus[index]


@pytest.mark.parametrize("index", ["text", 1.0, None, [0, 1], np.array([True, False, True, False])])
def test_other_indices_point_to_select(corpus, index):
    with pytest.raises(TypeError, match=r"for masks and lists of rows there is \.select\(\)"):
        corpus[index]


@pytest.mark.parametrize(
    "part",
    [
        slice(None),
        slice(1, 3),
        slice(-2, None),
        slice(None, None, 2),
        slice(None, None, -1),
        slice(3, 1),
        slice(10, 20),
    ],
)
def test_a_slice_is_a_corpus_with_the_same_names(corpus, part):
    cut = corpus[part]
    assert [tuple(example) for example in cut] == ROWS[part]
    assert cut.label_names == corpus.label_names
    assert cut.column("id").to_pylist() == [10, 11, 12, 13][part]
    assert [cut.origin.place(i) for i in range(len(cut))] == [corpus.origin.place(i) for i in range(4)[part]]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (np.array([True, False, True, False]), [0, 2]),
        ([False, False, False, True], [3]),
        (pa.array([True, True, False, False]), [0, 1]),
        (pa.chunked_array([[True], [False, True, False]]), [0, 2]),
        ([2, 0, 2], [2, 0, 2]),
        (np.array([], int), []),
        ([], []),
        (np.uint8([3]), [3]),
        (pa.array([1, 2]), [1, 2]),
        (range(2), [0, 1]),
    ],
)
def test_select_takes_masks_and_row_numbers(corpus, rows, expected):
    part = corpus.select(rows)
    assert [tuple(example) for example in part] == [ROWS[index] for index in expected]
    assert [part.origin.place(i) for i in range(len(part))] == [f"memory, row {index + 1}" for index in expected]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([True, False], r"The mask given to select must have one boolean a row, 4\. Got 2 instead\."),
        ([0, 4], r"must be from 0 to 3\. Got 4 instead\."),
        ([-1], r"must be from 0 to 3\. Got -1 instead\."),
        ([0.5], r"Got an array of float64 with shape \(1,\) instead\."),
        ([[0]], r"Got an array of int64 with shape \(1, 1\) instead\."),
    ],
)
def test_select_says_what_is_wrong(corpus, rows, message):
    with pytest.raises(ParameterError, match=message):
        corpus.select(rows)


def test_iteration_gives_examples_in_order(corpus):
    assert [tuple(example) for example in corpus] == ROWS
    assert all(isinstance(example, Example) for example in corpus)


def test_a_corpus_without_labels():
    corpus = Corpus(["a", "b"])
    assert corpus.labels is None
    assert corpus.label_names == ()
    assert list(corpus) == [("a", None), ("b", None)]
    assert corpus[0].label is None
    with pytest.raises(DataError, match=r"^memory: the texts have no labels\. Read them with assay\.read\(…, label=…"):
        _ = corpus.classes


def test_another_column_is_found_by_name(corpus):
    assert corpus.columns == ("id",)
    assert corpus.column("id").to_pylist() == [10, 11, 12, 13]
    with pytest.raises(DataError, match=r"^memory: there is no other column 'ID'\. They are 'id'\.$"):
        corpus.column("ID")
    with pytest.raises(DataError, match=r"There are none\.$"):
        Corpus(["a"]).column("id")


def test_arrow_pandas_and_polars_take_a_corpus(corpus):
    table = corpus.to_arrow()
    assert table.column_names == ["text", "label", "id"]
    assert pa.table(corpus).equals(table)
    assert pl.DataFrame(corpus)["text"].to_list() == [text for text, _ in ROWS]
    assert pd.DataFrame.from_arrow(corpus)["label"].tolist() == [label for _, label in ROWS]
    assert assay.read(table) == corpus


def test_the_fingerprint_does_not_depend_on_chunks_or_sources(write):
    rows = [(f"text {i} é", f"label {i % 3}") for i in range(100)]
    whole = assay.read(rows)
    chunks = pa.chunked_array([[text for text, _ in rows[i : i + 7]] for i in range(0, 100, 7)])
    csv = "text,label\n" + "".join(f"{text},{label}\n" for text, label in rows)
    assert assay.read((chunks, [label for _, label in rows])).fingerprint == whole.fingerprint
    assert assay.read(write("r.csv", csv.encode())).fingerprint == whole.fingerprint
    assert assay.read(write("r.csv", csv.encode()))[50:].fingerprint == assay.read(rows[50:]).fingerprint


def test_the_fingerprint_tells_corpora_apart(corpus):
    others = [
        Corpus(["ab", "c"], ["x", "y"]),
        Corpus(["a", "bc"], ["x", "y"]),
        Corpus(["ab", "c"], ["y", "x"]),
        Corpus(["ab", "c"], ["x", "x"]),
        Corpus(["ab", "c"]),
        Corpus(["ab", "c"], ["xy", ""]),
        Corpus(["ab", "c", ""], ["x", "y", "x"]),
        Corpus([]),
        corpus,
    ]
    assert len({other.fingerprint for other in others}) == len(others)
    assert len(corpus.fingerprint) == 64


def test_the_fingerprint_is_the_same_in_every_version():
    assert Corpus(["a", "é"], ["x", "y"]).fingerprint == (
        "992109dbe2b09dc0de701b7d1858008ec573964972215e8e379704df20267ad5"
    )


def test_equality_is_of_contents(corpus):
    assert corpus == copy.copy(corpus)
    assert corpus == assay.read(corpus.to_arrow())
    assert corpus != corpus[:3]
    assert corpus != Corpus([text for text, _ in ROWS])
    assert corpus != Corpus([text for text, _ in ROWS], ["pos", "neg", "pos", "other"], {"id": [10, 11, 12, 13]})
    assert corpus != Corpus([text for text, _ in ROWS], [label for _, label in ROWS])
    assert corpus != "a corpus"
    assert corpus[::-1] == assay.read(
        {"text": [t for t, _ in ROWS[::-1]], "label": [y for _, y in ROWS[::-1]], "id": [13, 12, 11, 10]}
    )


def test_a_corpus_can_be_pickled(write):
    corpus = assay.read(write("r.csv", b"text,label,id\na,x,1\n\nb,y,2\n"))
    back = pickle.loads(pickle.dumps(corpus))
    assert back == corpus
    assert (back.source, back.notes, back.incidents) == (corpus.source, corpus.notes, corpus.incidents)
    assert back.origin.place(1) == "r.csv, row 4"
    assert back.label_names == ("x", "y")


def test_it_shows_itself(corpus):
    assert repr(corpus) == "<Corpus: 4 texts, 3 classes ('pos' 2, 'neg' 1, 'mixed' 1), from memory>"
    assert repr(corpus[1:2]) == "<Corpus: 1 text, 1 class ('neg' 1), from memory>"
    assert repr(Corpus(["a"])) == "<Corpus: 1 text, no labels, from memory>"
    many = Corpus([str(i) for i in range(9)], [f"l{i}" for i in range(9)])
    assert "'l5' 1 and 3 more)" in repr(many)


def test_html_is_escaped():
    html = Corpus(["<script>alert(1)</script>"], ["<b>"], notes=["a & b"])._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;alert(1)" in html
    assert "&lt;b&gt;" in html
    assert "<li>a &amp; b</li>" in html


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["a", None],), r"^memory, row 2: the text is missing\."),
        ((["a", "b"], ["x", None]), r"^memory, row 2: the label is missing\."),
        (
            (["a"], [1]),
            r"^memory: the label 1 is of type int\. A Corpus is made of strings; assay\.read turns other labels",
        ),
        ((["a", "b"], ["x"]), r"^memory: the columns differ in length: 'text' has 2 rows, 'label' has 1 row\.$"),
        ((["a"], None, {"id": [1, 2]}), r"^memory: the columns differ in length: 'text' has 1 row, 'id' has 2 rows\.$"),
    ],
)
def test_a_corpus_is_not_made_of_parts_that_do_not_fit(arguments, message):
    with pytest.raises(DataError, match=message):
        Corpus(*arguments)


def test_training_needs_labels_and_two_classes(corpus):
    require_two_classes(corpus)
    with pytest.raises(
        DataError, match=r"^memory: all 2 texts have the label 'pos'\. A classifier needs examples of two classes"
    ):
        require_two_classes(corpus.select(corpus.classes == 0))
    with pytest.raises(DataError, match=r"^memory: the texts have no labels"):
        require_two_classes(Corpus(["a", "b"]))
    with pytest.raises(DataError, match=r"^memory: there are no texts to learn from\. Give some of each class\.$"):
        require_two_classes(corpus[:0])


def test_reading_does_not_import_pandas_or_scikit_learn(write):
    import subprocess
    import sys

    write("r.csv", b"text,label\na,x\nb,y\nc,x\nd,y\n")
    code = (
        "import sys, assay; corpus = assay.read('r.csv'); corpus.profile(); corpus.split(test=0.5); "
        "corpus.fingerprint; print([name for name in ('pandas', 'sklearn', 'matplotlib') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_corpus_knows_what_the_file_called_its_texts(tmp_path):
    (tmp_path / "a.csv").write_text("review,stars\nfine,5\ndull,1\n")
    (tmp_path / "a.ft").write_text("__label__x one\n__label__y two\n")
    corpus = assay.read(str(tmp_path / "a.csv"))
    assert corpus.text_column == corpus[:1].text_column == "review"
    assert assay.read({"body": ["a text"], "label": ["x"]}).text_column == "body"
    assert assay.read(str(tmp_path / "a.ft")).text_column is None
    assert assay.read((["a"], ["b"])).text_column is None
