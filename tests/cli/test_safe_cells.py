"""Cells that a spreadsheet would take for a formula."""

from __future__ import annotations

from types import SimpleNamespace

import pyarrow as pa
import pytest

from assay.cli.writing.label_errors import write_suspects
from assay.errors import ParameterError
from assay.streaming.convert import convert_files
from assay.streaming.safe_cells import safe_values

CSV = 'text,label,=n\n"=HYPERLINK(""x"")",+pos,-1\nfine,neg,2\n'


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff20"])
def test_what_begins_like_a_formula_gets_an_apostrophe(first):
    given = [first + "1", "a" + first, "", None, "b\n" + first]
    assert safe_values(pa.array(given)).to_pylist() == ["'" + first + "1", *given[1:]]
    encoded = safe_values(pa.array(given).dictionary_encode())
    assert encoded.to_pylist() == ["'" + first + "1", *given[1:]]


def test_numbers_stay_numbers():
    assert safe_values(pa.array([-1, 2])).to_pylist() == [-1, 2]


@pytest.mark.parametrize("command", ["convert", "predict"])
def test_a_command_writes_safe_cells_where_it_is_asked_to(run, shop_model, tmp_path, command):
    (tmp_path / "in.csv").write_text(CSV)
    arguments = ["convert", "in.csv", "--to", "csv"] if command == "convert" else ["predict", shop_model, "in.csv"]
    plain, safe = run(*arguments), run(*arguments, "--safe-cells")
    assert plain.stdout.splitlines()[1].startswith('"=HYPERLINK')
    assert safe.stdout.splitlines()[0].startswith("text,label,'=n")
    assert safe.stdout.splitlines()[1].startswith('"\'=HYPERLINK(""x"")",\'+pos,\'-1')


def test_other_formats_have_no_formulas(tmp_path):
    (tmp_path / "in.csv").write_text(CSV)
    with pytest.raises(ParameterError, match=r"safe_cells=True is for what spreadsheets open .*the output is jsonl"):
        convert_files([str(tmp_path / "in.csv")], tmp_path / "out.jsonl", safe_cells=True)


def test_clusters_are_written_in_safe_cells_too(run, tmp_path):
    (tmp_path / "in.csv").write_text("text\n=sum of parts\n=sum of all\nlate parcel\nlate parcel again\n")
    done = run("cluster", "in.csv", "-k", "2", "-o", "out.csv", "--safe-cells")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.csv").read_text().splitlines()[1].startswith("'=sum of parts,")


@pytest.mark.parametrize(
    ("more", "message"),
    [([], "is for the table that --output writes"), (["-o", "out.jsonl"], "and the output is jsonl")],
)
def test_safe_cells_without_cells_are_refused_before_anything_is_read(run, more, message):
    done = run("cluster", "absent.csv", *more, "--safe-cells")
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr


def test_the_list_of_label_errors_has_safe_cells_and_the_digest_of_the_text_itself(tmp_path):
    suspect = SimpleNamespace(file="a.csv", row=2, text="=1+1", label="-1", suggested="+1")
    assert write_suspects(SimpleNamespace(suspects=[suspect]), tmp_path / "list.csv", safe_cells=True) == 1
    row = (tmp_path / "list.csv").read_text("utf-8-sig").splitlines()[1]
    assert row == "a.csv,2,'=1+1,'-1,'+1,,sha256:bac90eef5bf3aecd"
