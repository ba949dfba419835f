"""CSV files are written in what they were read in."""

from __future__ import annotations

import codecs

import openpyxl
import pytest

import assay
from assay.data.options import ReadOptions
from assay.streaming.convert import convert_files
from assay.streaming.predict import predict_file

GERMAN = "Die Lieferung kam spät; „größer“ als bestellt – schön für die Gäste"


@pytest.fixture(scope="module")
def model():
    texts = ["schön und größer", "spät und schlecht"] * 5
    return assay.TextClassifier(learner="logistic").fit(texts, ["gut", "übel"] * 5)


@pytest.fixture(scope="module")
def chinese_model():
    return assay.TextClassifier(learner="logistic").fit(["schön und größer", "spät und schlecht"] * 5, ["好", "坏"] * 5)


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [("utf-8", b""), ("utf-8-sig", codecs.BOM_UTF8), ("cp1252", b""), ("utf-16", codecs.BOM_UTF16_LE)],
)
def test_a_file_comes_back_in_the_encoding_and_dialect_that_it_had(model, tmp_path, encoding, mark):
    content = f"text|nr\n{GERMAN}|1\n{GERMAN[::-1]}|2\n"
    (tmp_path / "in.csv").write_text(content, encoding=encoding)
    done = predict_file(model, str(tmp_path / "in.csv"), tmp_path / "out.csv", options=ReadOptions(text="text"))
    written = (tmp_path / "out.csv").read_bytes()
    assert written.startswith(mark + "text".encode("utf-16-le" if encoding == "utf-16" else "ascii"))
    assert written.decode(encoding).splitlines()[1].startswith(f"{GERMAN}|1|")
    assert not any("written in UTF-8" in note for note in done.notes)


def test_labels_that_the_encoding_does_not_have_make_it_utf8_with_a_mark(chinese_model, tmp_path):
    (tmp_path / "in.csv").write_text(f"text,nr\n{GERMAN},1\n{GERMAN[::-1]},2\n", encoding="cp1252")
    options = ReadOptions(text="text", errors="replace")
    for given in (ReadOptions(text="text"), options):
        done = predict_file(chinese_model, str(tmp_path / "in.csv"), tmp_path / "out.csv", options=given, force=True)
        assert (tmp_path / "out.csv").read_bytes().startswith(codecs.BOM_UTF8)
        assert any("out.csv is written in UTF-8, with a mark: cp1252 does not have" in note for note in done.notes)


def test_other_formats_are_utf8(model, tmp_path):
    (tmp_path / "in.csv").write_text(f"text,nr\n{GERMAN},1\n{GERMAN[::-1]},2\n", encoding="cp1252")
    predict_file(model, str(tmp_path / "in.csv"), tmp_path / "out.jsonl", options=ReadOptions(text="text"))
    assert GERMAN in (tmp_path / "out.jsonl").read_text(encoding="utf-8")


def test_what_comes_from_a_spreadsheet_has_the_mark_that_spreadsheets_know(model, tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["text", "label"])
    book.active.append([GERMAN, "gut"])
    book.save(tmp_path / "in.xlsx")
    for write in (
        lambda target: predict_file(model, str(tmp_path / "in.xlsx"), target, options=ReadOptions(text="text")),
        lambda target: convert_files([str(tmp_path / "in.xlsx")], target, force=True),
    ):
        write(tmp_path / "out.csv")
        assert (tmp_path / "out.csv").read_bytes().startswith(codecs.BOM_UTF8 + b"text,label")
