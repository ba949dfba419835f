"""``assay agree`` through the installed command."""

from __future__ import annotations

import csv
import json
import subprocess
from pathlib import Path

import pytest

ROWS = [("the parcel is late", "delivery", "delivery"), ("my money back", "refund", "other"), ("thanks", "other", "")]


@pytest.fixture
def codes(tmp_path: Path) -> Path:
    with (tmp_path / "codes.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("text", "ann", "ben"), *ROWS])
    return tmp_path / "codes.csv"


def run(command: Path, *arguments: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [command, "agree", *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == code, done.stderr
    return done


def test_texts_to_settle_are_written_with_room_for_a_label(codes, assay_command):
    out, every = codes.with_name("settle.csv"), codes.with_name("all.csv")
    done = run(assay_command, codes, "--coders", "ann,ben", "-o", out, "--settled", every)
    assert "Krippendorff's alpha (nominal)" in done.stdout
    assert "too low to rest" in done.stdout
    with out.open(newline="", encoding="utf-8-sig") as file:
        (row,) = csv.DictReader(file)
    assert (row["text"], row["ann"], row["ben"], row["tie"], row["label"]) == (
        "my money back",
        "refund",
        "other",
        "tie",
        "",
    )
    with every.open(newline="", encoding="utf-8-sig") as file:
        assert [row["majority"] for row in csv.DictReader(file)] == ["delivery", "", "other"]
    run(assay_command, codes, "--coders", "ann,ben", "-o", out, code=2)


def test_json_has_every_figure(codes, assay_command):
    found = json.loads(run(assay_command, codes, "--coders", "ann,ben", "--json").stdout)
    assert (found["kind"], found["texts"], found["labelled_twice"], found["disagreed"]) == ("agreement", 3, 2, 1)
    assert found["pairs"][0]["percent"]["value"] == 0.5


def test_coders_that_are_not_named_are_asked_for(codes, assay_command):
    done = run(assay_command, codes, code=2)
    assert "Name the columns of two coders or more with --coders ANN,BEN" in done.stderr


def test_rows_of_text_coder_and_label(tmp_path, assay_command):
    (tmp_path / "long.csv").write_text("text,who,topic\nt one,ann,a\nt one,ben,a\nt two,ann,b\nt two,ben,a\n")
    done = run(assay_command, tmp_path / "long.csv", "--coder", "who", "--label", "topic", "--json")
    assert json.loads(done.stdout)["disagreed"] == 1
