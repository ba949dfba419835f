"""Excel workbooks as people have them, read through `assay.read`."""

from __future__ import annotations

import datetime as dt
import gzip
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlsxwriter

import assay
from assay.data.formats import workbook
from assay.errors import DataError, MissingExtraError, ParameterError

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
HEADER = ["text", "label"]


@pytest.fixture
def book(tmp_path: Path) -> Callable[..., Path]:
    """Write a workbook: sheets of rows, by name."""

    def book(*rows: list[Any], **sheets: list[list[Any]]) -> Path:
        path = tmp_path / "reviews.xlsx"
        with xlsxwriter.Workbook(path) as made:
            for name, lines in (sheets or {"Sheet1": list(rows)}).items():
                sheet = made.add_worksheet(name)
                for number, line in enumerate(lines):
                    sheet.write_row(number, 0, line)
        return path

    return book


def by_hand(path: Path, sheet: str, *, strings: str | None = None, properties: str = "", book: str = MAIN) -> Path:
    """Write the parts of a workbook as they are given, as other programs do."""
    kinds = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kinds}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kinds}.worksheet+xml"/>'
        + f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kinds}.sharedStrings+xml"/>'
        * (strings is not None)
        + "</Types>",
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="r1" Type="{RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
        f'relationships"><Relationship Id="r1" Type="{RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="r2" Type="{RELATIONS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{book}" xmlns:r="{RELATIONS}">{properties}<sheets>'
        '<sheet name="Data" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{MAIN}"><sheetData>{sheet}</sheetData></worksheet>',
    }
    if strings is not None:
        parts["xl/sharedStrings.xml"] = f'<sst xmlns="{MAIN}">{strings}</sst>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def test_a_sheet_is_read_like_any_table(book: Callable[..., Path]) -> None:
    corpus = assay.read(book([*HEADER, "id"], ["loved it", "pos", 7], ["so dull", "neg", 8]))
    assert [tuple(example) for example in corpus] == [("loved it", "pos"), ("so dull", "neg")]
    assert corpus.column("id").to_pylist() == ["7", "8"]
    assert corpus.origin.place(1).endswith("reviews.xlsx, row 3")


def test_values_are_what_a_person_sees_in_the_sheet(tmp_path: Path) -> None:
    path = tmp_path / "seen.xlsx"
    with xlsxwriter.Workbook(path) as made:
        sheet = made.add_worksheet()
        formats = {kind: made.add_format({"num_format": kind}) for kind in ("yyyy-mm-dd", "hh:mm", "000")}
        sheet.write_row(0, 0, [*HEADER, "value"])
        values: list[tuple[Any, ...]] = [
            (sheet.write_number, 1.0),
            (sheet.write_number, 0.1 + 0.2),
            (sheet.write_number, 7, formats["000"]),
            (sheet.write_boolean, True),
            (sheet.write_datetime, dt.datetime(2026, 3, 12), formats["yyyy-mm-dd"]),
            (sheet.write_datetime, dt.datetime(2026, 3, 12, 9, 30), formats["yyyy-mm-dd"]),
            (sheet.write_datetime, dt.time(9, 30), formats["hh:mm"]),
            (sheet.write_formula, "=1+1", None, 2),
            (sheet.write_string, "007"),
        ]
        for row, (write, *cell) in enumerate(values, start=1):
            sheet.write_row(row, 0, ["a text", 1])
            write(row, 2, *cell)
        rich = len(values) + 1
        sheet.write_row(rich, 0, ["a text", 1])
        sheet.write_rich_string(rich, 2, "very ", made.add_format({"bold": True}), "bold")
    corpus = assay.read(path)
    assert corpus.label_names == ("1",)
    assert corpus.column("value").to_pylist() == [
        "1",
        "0.3",
        "007",
        "TRUE",
        "2026-03-12",
        "2026-03-12 09:30:00",
        "09:30:00",
        "2",
        "007",
        "very bold",
    ]


def test_errors_of_formulas_are_empty_and_said(tmp_path: Path) -> None:
    path = tmp_path / "errors.xlsx"
    with xlsxwriter.Workbook(path) as made:
        sheet = made.add_worksheet()
        sheet.write_row(0, 0, HEADER)
        for row in (1, 2, 3):
            sheet.write_row(row, 0, [f"text {row}", "pos"])
        sheet.write_formula(2, 1, "=NA()", None, "#N/A")
    with pytest.raises(DataError, match=r"row 3: column 'label' is empty"):
        assay.read(path)
    corpus = assay.read(path, skip_unlabelled=True)
    assert len(corpus) == 2
    assert any("1 cell holds an error such as #N/A" in note and "row 3" in note for note in corpus.notes)


def test_a_merged_cell_stands_for_all_rows_that_it_spans(tmp_path: Path) -> None:
    path = tmp_path / "merged.xlsx"
    with xlsxwriter.Workbook(path) as made:
        sheet = made.add_worksheet()
        sheet.merge_range(0, 0, 0, 1, "All reviews")
        sheet.write_row(1, 0, HEADER)
        for row in range(2, 7):
            sheet.write_string(row, 0, f"text {row}")
        sheet.merge_range(2, 1, 4, 1, "pos")
        sheet.merge_range(5, 1, 6, 1, "neg")
    corpus = assay.read(path)
    assert corpus.labels.to_pylist() == ["pos", "pos", "pos", "neg", "neg"]
    assert any("2 merged cells span several rows" in note for note in corpus.notes)


def test_titles_above_the_header_are_passed_over_and_rows_keep_their_numbers(book: Callable[..., Path]) -> None:
    corpus = assay.read(book(["Export of 12.3.2026"], [], ["by Anna"], HEADER, ["loved it", "pos"], ["so dull", "neg"]))
    assert corpus.texts.to_pylist() == ["loved it", "so dull"]
    assert corpus.origin.place(0).endswith("row 5")
    assert any("the first 3 rows stand above the header" in note for note in corpus.notes)


def test_a_sheet_of_one_column_keeps_its_header(book: Callable[..., Path]) -> None:
    assert assay.read(book(["comment"], ["loved it"], ["so dull"])).texts.to_pylist() == ["loved it", "so dull"]


def test_empty_rows_and_columns_around_the_table_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "around.xlsx"
    with xlsxwriter.Workbook(path) as made:
        sheet = made.add_worksheet()
        gray = made.add_format({"bg_color": "#eeeeee"})
        sheet.write_row(2, 2, HEADER)
        sheet.write_row(3, 2, ["loved it", "pos"])
        sheet.write_row(5, 2, ["so dull", "neg"])
        for row in range(6, 200):
            sheet.write_blank(row, 9, None, gray)
    corpus = assay.read(path)
    assert corpus.to_arrow().column_names == ["text", "label"]
    assert [str(incident) for incident in corpus.incidents] == [f"1 blank row was left out ({path}, row 5)"]


def test_values_in_columns_without_a_name_that_come_late_are_said(book: Callable[..., Path]) -> None:
    rows = [[f"text {n}", "pos"] for n in range(600)] + [["text", "neg", "a remark"]]
    corpus = assay.read(book(HEADER, *rows))
    assert any("1 row holds values in columns without a name" in n and "row 602" in n for n in corpus.notes)


def test_the_first_sheet_with_rows_is_taken_and_said(book: Callable[..., Path]) -> None:
    rows = [HEADER, ["loved it", "pos"], ["so dull", "neg"]]
    corpus = assay.read(book(Cover=[], Data=rows, Notes=[["text"], ["nothing"]]))
    assert corpus.label_names == ("pos", "neg")
    assert any("read the sheet 'Data'; there are 2 others: 'Cover', 'Notes'" in note for note in corpus.notes)


def test_hidden_sheets_are_not_taken_unless_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "hidden.xlsx"
    made = openpyxl.Workbook()
    for row in (HEADER, ["old", "a"], ["older", "b"]):
        made.active.append(row)
    made.active.sheet_state = "hidden"
    shown = made.create_sheet("Shown")
    for row in (HEADER, ["new", "c"], ["newer", "d"]):
        shown.append(row)
    made.save(path)
    assert assay.read(path).label_names == ("c", "d")
    assert "'Sheet' (hidden)" in " ".join(assay.read(path).notes)
    assert assay.read(path, sheet="Sheet").label_names == ("a", "b")


@pytest.mark.parametrize("sheet", ["Second", "second", "2", 2])
def test_a_sheet_is_taken_by_name_or_number(book: Callable[..., Path], sheet: str | int) -> None:
    first, second = ([HEADER, [f"{name} text", name], ["x", "y"]] for name in ("one", "two"))
    corpus = assay.read(book(First=first, Second=second), sheet=sheet)
    assert corpus.label_names[0] == "two"
    assert not any("read the sheet" in note for note in corpus.notes)


def test_a_sheet_that_is_not_there_is_named_with_those_that_are(book: Callable[..., Path]) -> None:
    with pytest.raises(DataError, match=r"there is no sheet 'Dat'. The sheets are 'Data', 'Notes'"):
        assay.read(book(Notes=[HEADER], Data=[HEADER]), sheet="Dat")
    with pytest.raises(ParameterError, match=r"'sheet' parameter of read must be the name .* Got 0 instead"):
        assay.read(book(HEADER), sheet=0)


def test_empty_sheets_and_headers_without_rows_are_refused(book: Callable[..., Path]) -> None:
    with pytest.raises(DataError, match=r"the sheet 'Sheet1' is empty"):
        assay.read(book([]))
    with pytest.raises(DataError, match=r"header in row 1 of the sheet 'Sheet1' and nothing below it: 'text, label'"):
        assay.read(book(HEADER))


def test_a_sheet_without_a_header_gets_names(book: Callable[..., Path]) -> None:
    path = book(["loved it very much, all of it, and more", "pos"], ["so dull", "neg"])
    with pytest.raises(DataError, match="does not look like column names"):
        assay.read(path)
    assert len(assay.read(path, names=["text", "label"])) == 2
    with pytest.raises(ParameterError, match=r"must name all columns. .* has 2; got 1 instead"):
        assay.read(path, names=["text"])


def test_the_longest_cell_comes_whole(book: Callable[..., Path]) -> None:
    assert len(assay.read(book(HEADER, ["x" * 32_767, "pos"])).texts[0].as_py()) == 32_767


def test_many_rows_come_in_pieces_with_their_own_numbers(book: Callable[..., Path]) -> None:
    corpus = assay.read(book(HEADER, *([f"text {n}", "ab"[n % 2]] for n in range(5000))))
    assert len(corpus) == 5000
    assert corpus.origin.place(4999).endswith("row 5001")


def test_a_workbook_is_found_by_its_bytes_through_any_door(book: Callable[..., Path], tmp_path: Path) -> None:
    path = book(HEADER, ["loved it", "pos"], ["so dull", "neg"])
    misnamed = path.rename(tmp_path / "reviews.csv")
    packed = tmp_path / "reviews.xlsx.gz"
    packed.write_bytes(gzip.compress(misnamed.read_bytes()))
    for source in (misnamed, packed, [misnamed, packed], str(tmp_path / "rev*")):
        assert set(assay.read(source).label_names) == {"pos", "neg"}
    with misnamed.open("rb") as file:
        assert len(assay.read(file)) == 2


def test_sheets_of_other_programs_are_read(tmp_path: Path) -> None:
    # No dimension, no styles, cells without places, inline and shared strings, a row left out, days counted from 1904.
    rows = (
        '<row><c t="inlineStr"><is><t>text</t></is></c><c t="s"><v>0</v></c><c t="str"><v>day</v></c></row>'
        '<row r="3"><c r="A3" t="inlineStr"><is><r><t>loved </t></r><r><t>it</t></r></is></c><c r="B3" t="s"><v>1</v>'
        '</c><c r="C3" t="d"><v>2026-03-12</v></c></row>'
        '<row r="4"><c r="A4" t="str"><f>"so"&amp;"dull"</f><v>so_x000D_dull</v></c><c r="B4" t="b"><v>1</v></c></row>'
    )
    strings = "<si><t>label</t></si><si><r><t>p</t></r><r><t>os</t></r></si>"
    path = by_hand(tmp_path / "other.xlsx", rows, strings=strings, properties='<workbookPr date1904="1"/>')
    corpus = assay.read(path)
    assert corpus.texts.to_pylist() == ["loved it", "so\rdull"]
    assert corpus.labels.to_pylist() == ["pos", "TRUE"]
    assert corpus.column("day").to_pylist() == ["2026-03-12", ""]
    assert corpus.origin.place(0).endswith("row 3")


def test_days_are_counted_from_1904_where_the_workbook_says_so(tmp_path: Path) -> None:
    path = tmp_path / "mac.xlsx"
    with xlsxwriter.Workbook(path, {"date_1904": True}) as made:
        sheet = made.add_worksheet()
        sheet.write_row(0, 0, [*HEADER, "day"])
        sheet.write_row(1, 0, ["loved it", "pos"])
        sheet.write_datetime(1, 2, dt.datetime(2026, 3, 12), made.add_format({"num_format": "d mmm yyyy"}))
    assert assay.read(path).column("day").to_pylist() == ["2026-03-12"]


# -- files that mean harm, or are broken -------------------------------------------------------------------------------


def test_a_part_that_unpacks_to_far_more_than_it_is_is_refused(tmp_path: Path) -> None:
    strings = "<si><t>" + " " * (80 << 20) + "</t></si>"
    path = by_hand(tmp_path / "bomb.xlsx", "", strings=strings)
    with pytest.raises(DataError, match=r"its part xl/sharedStrings.xml would unpack from [\d,]+ to 83,886,\d+ bytes"):
        assay.read(path)


def test_two_cells_at_the_corners_take_no_memory(tmp_path: Path) -> None:
    corner = '<row r="1"><c r="A1" t="str"><v>text</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    with pytest.raises(DataError):
        assay.read(by_hand(tmp_path / "corners.xlsx", corner))


def test_entities_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "entities.xlsx"
    by_hand(path, "")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("xl/theme.xml", '<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>')
    with pytest.raises(DataError, match=r"its part xl/theme.xml declares entities"):
        assay.read(path)


def test_rows_beyond_the_last_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "LARGEST_ROW", 2)
    cell = '<c t="str"><v>text</v></c>'
    path = by_hand(tmp_path / "long.xlsx", f"<row>{cell}</row>" * 3)
    with pytest.raises(DataError, match="more than 2 rows, which is more than a spreadsheet can have"):
        assay.read(path)


def test_damage_is_said(tmp_path: Path) -> None:
    path = by_hand(tmp_path / "damaged.xlsx", '<row><c t="s"><v>17</v></c></row>')
    with pytest.raises(DataError, match=r"damaged.xlsx: the spreadsheet is damaged, or not written as Excel writes it"):
        assay.read(path)
    cut = tmp_path / "cut.xlsx"
    cut.write_bytes(path.read_bytes()[:300])
    with pytest.raises(DataError, match=r"cut.xlsx: this is a zip archive, .* damaged or not complete"):
        assay.read(cut)


def test_strict_open_xml_is_named(tmp_path: Path) -> None:
    path = by_hand(tmp_path / "strict.xlsx", "", book="http://purl.oclc.org/ooxml/spreadsheetml/main")
    with pytest.raises(DataError, match=r"strict Open XML spreadsheet, which assay does not read"):
        assay.read(path)


def test_sheets_of_charts_are_no_sheets_of_cells(tmp_path: Path) -> None:
    path = tmp_path / "chart.xlsx"
    for data in (True, False):
        with xlsxwriter.Workbook(path) as made:
            chart = made.add_chart({"type": "line"})
            chart.add_series({"values": "={1,2}"})
            made.add_chartsheet("Chart").set_chart(chart)
            if data:
                sheet = made.add_worksheet("Data")
                sheet.write_row(0, 0, HEADER)
                sheet.write_row(1, 0, ["loved it", "pos"])
        if data:
            assert len(assay.read(path)) == 1
        else:
            with pytest.raises(DataError, match="the workbook has no sheet with cells"):
                assay.read(path)


def test_what_only_claims_to_be_a_workbook_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "not.xlsx"
    path.write_text("text,label\nloved it,pos\n")
    with pytest.raises(DataError, match="the name says xlsx, but the bytes do not"):
        assay.read(path)


def test_the_missing_package_is_named_with_its_extra(
    book: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = book(HEADER, ["loved it", "pos"])
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(MissingExtraError, match=r"Spreadsheets need openpyxl.*pip install 'assay\[spreadsheets\]'"):
        assay.read(path)


def test_escapes_are_read_as_spreadsheets_read_them(tmp_path: Path) -> None:
    rows = "<row><c t='inlineStr'><is><t>text</t></is></c></row>" + "".join(
        f"<row><c t='inlineStr'><is><t>{text}</t></is></c></row>"
        for text in ("_x005F_x0041_", "caf_x00E9_", "_xD83D__xDE00_", "_xd83d_", "_x00_")
    )
    texts = assay.read(by_hand(tmp_path / "a.xlsx", rows), label=False).texts.to_pylist()
    assert texts == ["_x0041_", "café", "😀", "\ufffd", "_x00_"]


def test_a_formula_that_was_saved_without_its_result_is_said(book, tmp_path: Path) -> None:
    made = openpyxl.Workbook()
    for row in (["text", "label", "n"], ["loved it", "pos", "=1+1"], ["so dull", '=IF(1,"neg","")', 2]):
        made.active.append(row)
    made.save(tmp_path / "a.xlsx")
    with pytest.raises(
        DataError, match=r"row 3: column 'label' is empty \(its formula was saved without a result; open"
    ):
        assay.read(tmp_path / "a.xlsx")
    notes = assay.read(tmp_path / "a.xlsx", skip_unlabelled=True).notes
    assert any(
        "2 cells hold a formula that was saved without its result, and are read as empty; open" in n for n in notes
    )


def test_a_formula_whose_result_is_an_empty_text_is_not_unsaved(tmp_path: Path) -> None:
    cells = "<c r='A{0}' t='inlineStr'><is><t>{1}</t></is></c><c r='B{0}' t='str'><f>A1</f><v>{2}</v></c>"
    cells = f"<row r='{{0}}'>{cells}</row>"
    rows = "".join(cells.format(*row) for row in ((1, "text", "label"), (2, "loved it", "pos"), (3, "so dull", "")))
    corpus = assay.read(by_hand(tmp_path / "a.xlsx", rows), text="text", label=False)
    assert not any("formula" in note for note in corpus.notes)


def test_an_error_in_the_place_of_a_label_is_named(tmp_path: Path) -> None:
    made = openpyxl.Workbook()
    for row in (HEADER, ["loved it", "pos"], ["so dull", "#REF!"]):
        made.active.append(row)
    made.save(tmp_path / "a.xlsx")
    with pytest.raises(
        DataError, match=r"row 3: column 'label' is empty \(the cell shows '#REF!'\)\. Use skip_unlabelled"
    ):
        assay.read(tmp_path / "a.xlsx")


def test_a_sheet_with_nothing_but_a_title_is_passed_over(book) -> None:
    corpus = assay.read(book(Cover=[["Feedback of 2026"]], Data=[HEADER, ["loved it", "pos"]]))
    assert corpus[0] == ("loved it", "pos")
    assert any("read the sheet 'Data'; there is 1 other: 'Cover'" in note for note in corpus.notes)


def test_a_sheet_without_rows_names_the_others(book) -> None:
    path = book(Cover=[["Feedback of 2026"]], Data=[HEADER, ["loved it", "pos"]])
    with pytest.raises(
        DataError, match=r"nothing below it: 'Feedback of 2026'\. .* There is also 'Data': sheet= takes it"
    ):
        assay.read(path, sheet="Cover")


@pytest.mark.parametrize(
    "above",
    [
        [["Exported by", "Jane"], ["on", "2026-03-12"], []],
        [["Feedback"], ["Team", "Shop"], ["Period", "May", "June"]],
        [["", "What they wrote", "", "What we say"]],
    ],
)
def test_rows_of_several_values_above_the_header_are_passed_over(book, above: list[list[str]]) -> None:
    table = [["id", "Comment", "date", "Category"], [1, "loved it", "x", "pos"], [2, "so dull", "y", "neg"]]
    corpus = assay.read(book(*above, *table))
    assert [tuple(example) for example in corpus] == [("loved it", "pos"), ("so dull", "neg")]
    rows = "the first row stands" if len(above) == 1 else f"the first {len(above)} rows stand"
    assert any(rows in note for note in corpus.notes)


def test_a_row_of_data_that_has_the_name_of_a_column_is_no_header(book) -> None:
    table = [["Frage", "Sorte", "Wert"], ["text of a long kind, which goes on", "a", "x"], ["text", "b", "y"]]
    corpus = assay.read(book(*table), text="Frage", label="Sorte")
    assert len(corpus) == 2
