"""A file of which only some rows have a label: learned from, then labelled."""

from __future__ import annotations

import csv
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
BY_HAND = ("--learner", "nb", "--ngrams", "1", "--folds", "2")


def write(path: Path, n: int = 8) -> None:
    lines = [f"win money {i};spam\nlunch at noon {i};ham\nfree money {i};" for i in range(n)]
    path.write_text("\n".join(["text;kind", *lines]) + "\n", encoding="utf-8")


def pasted(command: str, folder: Path, assay_command: Path) -> None:
    """Run a line of the screen in a shell."""
    path = f"{assay_command.parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(command, shell=True, cwd=folder, env=os.environ | {"PATH": path}, check=True, capture_output=True)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=";"))


@pytest.mark.parametrize("options", [(), ("--text", "text", "--label", "kind", "--delimiter", ";")])
def test_a_half_labelled_file_ends_with_the_command_that_labels_the_rest(
    run: Run, tmp_path: Path, assay_command: Path, options: tuple[str, ...]
) -> None:
    write(tmp_path / "half done.csv")
    done = run("train", "half done.csv", *BY_HAND, "--skip-unlabelled", *options)
    assert done.returncode == 0, done.stderr
    assert "Note: 8 rows without a label were left out" in done.stderr
    assert "no label" not in done.stdout, "what was asked for is no warning"
    *_, command, purpose = done.stdout.splitlines()
    assert purpose == "  labels the other 8 texts"
    pasted(command, tmp_path, assay_command)
    labelled = rows(tmp_path / "half done.labelled.csv")
    assert [row["text"] for row in labelled] == [f"free money {i}" for i in range(8)]
    assert {row["prediction"] for row in labelled} == {"spam"}


def test_several_files_are_labelled_into_a_folder(run: Run, tmp_path: Path, assay_command: Path) -> None:
    for name in ("a.csv", "b.csv"):
        write(tmp_path / name)
    done = run("train", "[ab].csv", "-o", "m.assay", *BY_HAND, "--skip-unlabelled")
    assert done.returncode == 0, done.stderr
    *_, command, purpose = done.stdout.splitlines()
    assert purpose == "  labels the other 16 texts"
    pasted(command, tmp_path, assay_command)
    assert len(rows(tmp_path / "labelled" / "a.csv")) == len(rows(tmp_path / "labelled" / "b.csv")) == 8


def test_a_file_that_is_labelled_throughout_ends_as_ever(run: Run, tmp_path: Path) -> None:
    (tmp_path / "all.csv").write_text("text,label\nwin,spam\nlunch,ham\n" * 4, encoding="utf-8")
    done = run("train", "all.csv", *BY_HAND[:4], "--skip-unlabelled")
    assert "labels the other" not in done.stdout


def test_a_label_column_without_only_unlabelled_is_refused(run: Run, shop_model: Path) -> None:
    done = run("predict", shop_model, "a text", "--label", "kind")
    assert done.returncode == 2
    assert "--label says where the labels are for --only-unlabelled" in done.stderr


def test_the_sheet_and_odd_names_are_in_the_command(run: Run, tmp_path: Path, assay_command: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["nothing", "here"])
    book.active.append(["of", "use"])
    sheet = book.create_sheet("My data")
    for row in [("text", "kind"), *(row for i in range(4) for row in ((f"win {i}", "spam"), (f"noon {i}", "ham")))]:
        sheet.append(row)
    sheet.append(("win again", None))
    book.save(tmp_path / "-it's 1.2.xlsx")
    done = run("train", "./-it's 1.2.xlsx", *BY_HAND, "--sheet", "My data", "--skip-unlabelled")
    assert done.returncode == 0, done.stderr
    *_, command, _purpose = done.stdout.splitlines()
    pasted(command, tmp_path, assay_command)
    labelled = openpyxl.load_workbook(tmp_path / "-it's 1.2.labelled.xlsx").active
    assert [cell.value for cell in labelled[2]] == ["win again", None, "spam"]
    assert (tmp_path / "-it's 1.2.assay").is_file()
