"""``assay convert`` through the installed command."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.sparse import load_npz
from sklearn.datasets import load_svmlight_file

import assay
from assay.samples import SHOP_MESSAGES
from assay.streaming.convert import convert_files
from assay.streaming.libsvm import export_libsvm, import_libsvm

ROWS = 'id,text,label\n007,"a, b",x\n2,"say ""hi""\nto me",y\n3,plain,x\n'


@pytest.fixture
def data(tmp_path):
    (tmp_path / "in.csv").write_text(ROWS)
    return "in.csv"


@pytest.mark.parametrize("between", ["jsonl", "parquet", "tsv", "arrow", "feather", "jsonl.gz", "csv.zst"])
def test_every_format_and_back_is_the_same_file(tmp_path, between):
    (tmp_path / "in.csv").write_text(ROWS)
    convert_files([str(tmp_path / "in.csv")], tmp_path / f"between.{between}")
    convert_files([str(tmp_path / f"between.{between}")], tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == ROWS


def test_fasttext_lines_and_back(run, data, tmp_path):
    assert run("convert", data, "-o", "out.ft").returncode == 0
    assert (tmp_path / "out.ft").read_text() == '__label__x a, b\n__label__y say "hi" to me\n__label__x plain\n'
    shown = run("convert", "out.ft", "--to", "jsonl")
    assert json.loads(shown.stdout.splitlines()[0]) == {"text": "a, b", "label": "x"}


def test_labels_with_spaces_are_written_with_underscores_and_said(run, tmp_path):
    (tmp_path / "in.csv").write_text("text,label\na b,product question\nc d,praise\n")
    shown = run("convert", "in.csv", "--to", "fasttext")
    assert shown.stdout.splitlines()[0] == "__label__product_question a b"
    assert "'product question' is written as 'product_question'" in shown.stderr


SETS = "text,label\none,a|b\ntwo,a\nthree,\n"


def test_several_labels_become_several_labels_of_a_line_and_back(run, tmp_path):
    (tmp_path / "in.csv").write_text(SETS)
    assert run("convert", "in.csv", "-o", "out.ft", "--labels-separator", "|").returncode == 0
    assert (tmp_path / "out.ft").read_text() == "__label__a __label__b one\n__label__a two\nthree\n"
    assert run("convert", "out.ft", "-o", "back.csv").returncode == 0
    assert (tmp_path / "back.csv").read_text() == "text,label\none,a|b\ntwo,a\nthree,\n"
    assert run("convert", "out.ft", "--to", "csv", "--labels-separator", ";").stdout.splitlines()[1] == "one,a;b"
    assert run("convert", "out.ft", "-o", "again.ft").returncode == 0
    assert (tmp_path / "again.ft").read_text() == (tmp_path / "out.ft").read_text()


def test_lists_of_labels_stay_lists_and_become_lines(run, tmp_path):
    rows = '{"text": "one", "label": ["a b", "c"]}\n{"text": "two", "label": []}\n'
    (tmp_path / "in.jsonl").write_text(rows)
    assert run("convert", "in.jsonl", "--to", "jsonl").stdout == rows
    shown = run("convert", "in.jsonl", "--to", "fasttext")
    assert shown.stdout == "__label__a_b __label__c one\ntwo\n"
    assert "'a b' is written as 'a_b'" in shown.stderr


def test_a_separator_inside_a_label_is_refused(run, tmp_path):
    (tmp_path / "in.ft").write_text("__label__a|b __label__c one\n")
    shown = run("convert", "in.ft", "--to", "csv")
    assert shown.returncode == 3
    assert "'|', which is to stand between them, stands in the label 'a|b'. Choose another with" in shown.stderr


def test_plain_lines_are_texts(run, data):
    assert run("convert", data, "--to", "lines").stdout == 'a, b\nsay "hi" to me\nplain\n'


def test_several_files_become_one(run, data, tmp_path):
    shown = run("convert", data, data, "-o", "out.jsonl", "--json")
    facts = json.loads(shown.stdout)
    assert (facts["kind"], facts["version"], facts["rows"], facts["format"]) == ("conversion", 1, 6, "jsonl")
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 6


def test_data_without_labels_stays_without(run, tmp_path):
    (tmp_path / "in.csv").write_text("text\nthe first\n\nthe second\n")
    shown = run("convert", "in.csv", "--to", "fasttext", "--unlabelled")
    assert (shown.returncode, shown.stdout) == (0, "the first\nthe second\n")


def test_vectors_of_a_model_and_back(run, shop_model, tmp_path):
    shown = run("convert", SHOP_MESSAGES, "--model", shop_model, "-o", "shop.svm", "--json")
    facts = json.loads(shown.stdout)
    model = assay.load(shop_model)
    assert (facts["rows"], facts["columns"], facts["labels"]) == (549, model.model.n_features, list(model.labels))
    X, y = load_svmlight_file(str(tmp_path / "shop.svm"), n_features=facts["columns"], zero_based=False)
    scores = X @ np.asarray(model.model.weights) + model.model.bias
    np.testing.assert_allclose(scores, model.decision_function(assay.read(str(SHOP_MESSAGES)).texts), atol=1e-5)
    assert run("convert", "shop.svm", "-o", "shop.npz").returncode == 0
    assert load_npz(tmp_path / "shop.npz").shape[0] == 549
    labels = np.load(tmp_path / "shop.npz")["y"]
    assert [model.labels[int(k)] for k in y] == labels.tolist()


def test_vectors_without_a_model_are_learned_from_the_data(tmp_path):
    corpus = assay.read((["good film", "bad film"], ["pos", "neg"]))
    done = export_libsvm(corpus, tmp_path / "out.svm")
    assert (done.rows, done.columns, done.labels) == (2, 5, ("neg", "pos"))
    names = json.loads((tmp_path / "out.svm.json").read_text())
    assert names["columns"] == ["bad", "bad film", "film", "good", "good film"]
    X, labels = import_libsvm(tmp_path / "out.svm")
    assert (X.shape, labels) == ((2, 5), ["pos", "neg"])


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["in.csv", "-o", "old.csv"], 2, "old.csv: the file exists. Use --force"),
        (["in.csv", "-o", "out.ods"], 2, "out.ods: of spreadsheets, assay writes .xlsx. Name it so"),
        (["in.csv", "--to", "docx"], 2, "does not write the format 'docx'. It writes "),
        (["in.csv", "other.csv", "-o", "out.csv"], 3, "need the same columns: convert them one by one."),
        (["in.csv", "--to", "libsvm"], 2, "Give one with -o."),
        (["in.csv", "--model", "MODEL", "-o", "x.svm"], 3, "the model does not know the label 'x'"),
        (["bad.svm", "-o", "x.npz"], 3, "bad.svm: not in LIBSVM's format"),
        (["bad.svm", "-o", "x.csv"], 2, "One libsvm file is converted into one .npz file"),
        (["missing.svm", "-o", "x.npz"], 3, "no such file: missing.svm."),
        (["other.csv", "--to", "libsvm", "-o", "x.svm"], 3, "the texts have no labels"),
        (["same.csv", "--to", "fasttext"], 3, "would both be __label__a_b"),
    ],
)
def test_what_is_wrong_is_said_without_a_traceback(run, data, shop_model, tmp_path, arguments, code, message):
    (tmp_path / "old.csv").write_text("old")
    (tmp_path / "bad.svm").write_text("one two\n")
    (tmp_path / "other.csv").write_text("text\nhello there\nhello again\n")
    (tmp_path / "same.csv").write_text("text,label\nhello,a b\nthere,a_b\n")
    shown = run("convert", *(shop_model if item == "MODEL" else item for item in arguments))
    assert message in shown.stderr
    assert shown.returncode == code
    assert "Traceback" not in shown.stderr
    assert not (tmp_path / "out.csv").exists()


def test_a_label_column_is_asked_for_only_where_the_output_needs_one(run, tmp_path):
    rows = "".join(f"a text that is long enough {i},{'xy'[i % 2]},{'uv'[i % 2]}\n" for i in range(9))
    (tmp_path / "in.csv").write_text("words,first,second\n" + rows)
    done = run("convert", "in.csv", "-o", "out.jsonl")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.jsonl").read_text().startswith('{"words": "a text that is long enough 0", "first"')
    done = run("convert", "in.csv", "-o", "out.ft", "--to", "fasttext")
    assert done.returncode == 2
    assert "it is not clear which column holds the labels; 'first', 'second' could." in done.stderr


def test_label_sets_go_into_vectors_and_come_back(tmp_path, run):
    sets = [["law", "sport"], [], ["sport"], [], ["a|b"]]
    corpus = assay.Corpus(["vote ball", "rain", "ball", "", "rain"], sets)
    done = export_libsvm(corpus, tmp_path / "sets.svm")
    assert (done.rows, done.labels) == (5, ("a|b", "law", "sport"))
    lines = (tmp_path / "sets.svm").read_text().splitlines()
    assert [line.split(" ")[0] for line in lines] == ["1,2", "", "2", "", "0"]
    X, labels = import_libsvm(tmp_path / "sets.svm")
    assert labels == [("law", "sport"), (), ("sport",), (), ("a|b",)]
    assert (X.shape[0], X[[3]].sum()) == (5, 0)
    assert run("convert", tmp_path / "sets.svm", "-o", tmp_path / "sets.npz").returncode == 0
    assert np.load(tmp_path / "sets.npz")["y"].tolist() == ["law;sport", "", "sport", "", "a|b"]
