"""Sheets that assay writes, as openpyxl finds them."""

from __future__ import annotations

import gc
import io
import zipfile
from typing import Any

import openpyxl
import pyarrow as pa
import pytest

import assay
from assay.errors import DataError, MissingExtraError
from assay.streaming import sheet_writer
from assay.streaming.writers import open_writer


def written(*batches: dict[str, list[Any] | pa.Array]) -> io.BytesIO:
    sink = io.BytesIO()
    writer = open_writer(sink, "xlsx")
    for batch in batches:
        writer.write(
            {name: values if isinstance(values, pa.Array) else pa.array(values) for name, values in batch.items()}
        )
    writer.close()
    sink.seek(0)
    return sink


def cells(sink: io.BytesIO) -> list[list[Any]]:
    return [list(row) for row in openpyxl.load_workbook(sink).active.iter_rows(values_only=True)]


def test_a_full_disk_is_an_error_of_the_system_and_nothing_is_written_after_it() -> None:
    class Full(io.BytesIO):
        tried = 0

        def write(self, data: Any) -> int:
            self.tried += 1
            raise OSError(28, "No space left on device")

    sink = Full()
    writer = open_writer(sink, "xlsx")
    writer.write({"text": pa.array(["one"])})
    with pytest.raises(OSError, match="No space left on device"):
        writer.close()
    sink.close()  # an archive that is forgotten after that tries to write its end
    del writer
    gc.collect()
    assert sink.tried == 1


def test_rows_come_in_the_order_of_the_batches_below_one_header() -> None:
    found = cells(written({"text": ["one"], "label": ["a"]}, {"text": ["two"], "label": ["b"]}))
    assert found == [["text", "label"], ["one", "a"], ["two", "b"]]


@pytest.mark.parametrize(
    "text",
    ["=1+1", "=cmd|' /C calc'!A0", "+1", "@SUM(A1)", "http://example.org", "mailto:a@b.c", "{=A1}", "#N/A", "TRUE"],
)
def test_a_text_is_never_a_formula_a_link_or_anything_but_a_text(text: str) -> None:
    sink = written({"text": [text]})
    cell = openpyxl.load_workbook(sink).active["A2"]
    assert (cell.value, cell.hyperlink) == (text, None)
    sheet = zipfile.ZipFile(sink).read("xl/worksheets/sheet1.xml")
    assert b"<f>" not in sheet
    assert b"inlineStr" in sheet
    assert assay.read(written({"text": [text, "other"]})).texts[0].as_py() == text


def test_numbers_that_a_sheet_shows_as_they_are_become_numbers() -> None:
    texts = ["7", "-12", "0.5", "007", "1.50", "12345678901", "123456789012", "1e5", "-0", "1,5", ""]
    kinds = ["n", "n", "n", "s", "s", "n", "s", "s", "s", "s", "n"]
    sheet = openpyxl.load_workbook(written({"id": texts})).active
    assert [sheet.cell(row, 1).data_type for row in range(2, 13)] == kinds
    back = assay.read(written({"text": ["a text"] * len(texts), "id": texts}), label=False).column("id").to_pylist()
    assert back == texts


def test_values_of_every_type_are_written() -> None:
    labels = pa.array(["a", None]).dictionary_encode()
    day = pa.array([0, None], pa.date32())
    batch = {"p": [0.25, float("nan")], "n": [7, 2**60], "b": [True, None], "l": labels, "d": day, "s": [["x"], None]}
    assert cells(written(batch))[1:] == [
        [0.25, 7, True, "a", "1970-01-01", '["x"]'],
        ["nan", str(2**60), None, None, None, None],
    ]


def test_characters_that_xml_does_not_have_come_back() -> None:
    text = "bell \x07, escape \x1b, return \r, end"
    assert assay.read(written({"text": [text, "other"]})).texts[0].as_py() == text


def test_the_same_rows_give_the_same_bytes() -> None:
    assert written({"text": ["one"]}).getvalue() == written({"text": ["one"]}).getvalue()


def test_a_text_that_no_cell_holds_is_an_error_with_the_way_out() -> None:
    written({"text": ["x" * 32_767]})
    message = r"Row 3 of the sheet: column 'text' holds a text of 32,768 characters, and a cell holds 32,767: 'xxx"
    with pytest.raises(DataError, match=message) as caught:
        written({"text": ["short", "x" * 32_768]})
    assert "Write .csv, .jsonl or .parquet instead" in str(caught.value)
    with pytest.raises(DataError, match="32,768 characters"):
        written({"text": ["😀" * 16_384]})  # which Excel counts twice


def test_more_rows_or_columns_than_a_sheet_has_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet_writer, "LARGEST_ROW", 3)
    written({"text": ["one", "two"]})
    with pytest.raises(
        DataError, match=r"A sheet has at most 3 rows, and there are more. Nothing was written. Write .csv"
    ):
        written({"text": ["one", "two"]}, {"text": ["three"]})
    with pytest.raises(DataError, match=r"A sheet has at most 16,384 columns, and there are 16,385"):
        written({str(n): ["x"] for n in range(16_385)})


def test_the_missing_package_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "xlsxwriter", None)
    with pytest.raises(MissingExtraError, match=r"Spreadsheets need xlsxwriter.*pip install 'assay\[spreadsheets\]'"):
        written({"text": ["one"]})


@pytest.mark.parametrize(
    "text",
    [
        "<r><t>not a piece of the sheet</t></r>",
        "<r>a & b</r>",
        "_x0041_",
        "_x0041_x0042_",
        "__x0041__",
        "_x005F_x0041_",
        "_x000D_ as it is written",
        "bell \x07, escape \x1b[31m",
        "\ufffe and \uffff",
        "one\r\ntwo\rthree",
        "  blanks  ",
        "👍🏽",
    ],
)
def test_a_text_is_read_back_as_it_was(text: str, tmp_path) -> None:
    path = tmp_path / "out.xlsx"
    path.write_bytes(written({"text": [text, "other"]}).getvalue())
    assert assay.read(path, label=False).texts.to_pylist() == [text, "other"]
