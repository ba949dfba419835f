"""Cells that a spreadsheet would take for a formula."""

from __future__ import annotations

import pyarrow as pa
import pytest

from assay.errors import ParameterError
from assay.streaming.convert import convert_files
from assay.streaming.safe_cells import safe_values

CSV = 'text,label,=n\n"=HYPERLINK(""x"")",+pos,-1\nfine,neg,2\n'


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r"])
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
