"""Workbooks in and out, through the installed command."""

from __future__ import annotations

import openpyxl
import pytest


@pytest.fixture
def shop_book(tmp_path):
    """A workbook with a cover, a title, and messages of a shop."""
    from assay.samples import load_sample

    made = openpyxl.Workbook()
    made.active.title = "Cover"
    sheet = made.create_sheet("Messages")
    sheet.append(["Export of 12.3.2026"])
    sheet.append(["Nachricht", "Kategorie", "Nr"])
    for number, (text, label) in enumerate(load_sample()[:120], start=1):
        sheet.append([text, label, number])
    made.save(tmp_path / "shop.xlsx")
    return tmp_path / "shop.xlsx"


def test_a_workbook_is_trained_on_and_labelled_into_a_workbook(run, shop_book, tmp_path):
    done = run("train", "shop.xlsx", "--learner", "logistic", "--ngrams", "1", "-o", "m.assay")
    assert done.returncode == 0, done.stderr
    assert "texts are in column 'Nachricht' and labels are in column 'Kategorie'" in done.stderr
    assert "read the sheet 'Messages'; there is 1 other: 'Cover' (--sheet takes another)" in done.stderr
    done = run("predict", "m.assay", "shop.xlsx", "-o", "out.xlsx", "--top", "1")
    assert done.returncode == 0, done.stderr
    rows = list(openpyxl.load_workbook(tmp_path / "out.xlsx").active.iter_rows(values_only=True))
    assert rows[0] == ("Nachricht", "Kategorie", "Nr", "prediction", "probability")
    assert len(rows) == 121
    assert rows[120][2] == 120
    assert isinstance(rows[1][4], float)
    assert run("evaluate", "m.assay", "out.xlsx", "--label", "prediction", "--json").returncode == 0


def test_a_workbook_that_comes_through_a_pipe_is_read(run, shop_book):
    done = run("convert", "-", "--to", "csv", stdin=shop_book.read_bytes())
    assert done.stdout.startswith("Nachricht,Kategorie,Nr\n"), done.stderr


def test_a_sheet_that_is_not_there_is_data_that_is_not_there(run, shop_book):
    done = run("inspect", "shop.xlsx", "--sheet", "Mesages")
    assert (done.returncode, done.stdout) == (3, "")
    assert "there is no sheet 'Mesages'. The sheets are 'Messages', 'Cover'" in done.stderr
