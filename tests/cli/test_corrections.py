"""From likely label errors to a corrected training: ``audit --label-errors`` and ``train --corrections``."""

from __future__ import annotations

import csv
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from assay import load

Run = Callable[..., subprocess.CompletedProcess[str]]
QUICKLY = ("--swaps", "none", "--no-robustness")
BY_HAND = ("--learner", "nb", "--ngrams", "1")


@pytest.fixture
def mail(tmp_path: Path) -> Path:
    """Two files in which every 25th label is wrong."""
    folder = tmp_path / "mail"
    folder.mkdir()
    words = {"spam": ["win", "prize", "money", "free", "offer", "click"]}
    words["ham"] = ["meeting", "lunch", "report", "family", "dinner", "noon"]
    for part in "ab":
        rows = []
        for i in range(100):
            own, other = ("spam", "ham") if i % 2 else ("ham", "spam")
            said = [words[own][(i * k + k) % 6] for k in (1, 2, 3, 5)]
            rows.append(f'"{" ".join(said)}, ä{part}{i}",{own if i % 25 else other}')
        (folder / f"{part}.csv").write_text("\n".join(["text,label", *rows]) + "\n", encoding="utf-8")
    return folder


def test_the_list_goes_out_is_corrected_and_comes_back(run: Run, mail: Path) -> None:
    assert run("train", "mail/*.csv", *BY_HAND, "-o", "m.assay").returncode == 0
    audited = run("audit", "m.assay", "mail/*.csv", *QUICKLY, "--label-errors", "errors.csv")
    assert audited.returncode == 0, audited.stderr
    assert "8 likely label errors → errors.csv" in audited.stderr
    path = mail.parent / "errors.csv"
    assert path.read_bytes().startswith(b"\xef\xbb\xbffile,row,text,label,likely_label,correct_label,text_sha256")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {(row["file"], row["row"]) for row in rows} == {
        (f"mail/{part}.csv", str(i + 2)) for part in "ab" for i in range(0, 100, 25)
    }
    for item in rows:
        if (item["file"], item["row"]) != ("mail/a.csv", "2"):
            item["correct_label"] = item["likely_label"]
    with (mail.parent / "fixed.csv").open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(reversed(rows[0])), delimiter=";", lineterminator="\r\n")
        writer.writeheader()
        writer.writerows(reversed(rows))
    done = run("train", "mail/*.csv", *BY_HAND, "-o", "fixed.assay", "--corrections", "fixed.csv")
    assert done.returncode == 0, done.stderr
    assert "Note: 7 labels were corrected, as fixed.csv says." in done.stderr
    model = mail.parent / "fixed.assay"
    assert load(model).provenance["data"]["corrections"]["corrected"] == 7
    assert "7 labels were corrected, as fixed.csv says." in (mail.parent / "fixed.run" / "card.md").read_text("utf-8")
    assert run("train", "--settings", "fixed.run/settings.toml", "-o", "again.assay").returncode == 0
    assert (mail.parent / "again.assay").read_bytes() == model.read_bytes()
    changed = mail / "b.csv"
    changed.write_text(changed.read_text("utf-8").replace("äb0", "äb000"), encoding="utf-8")
    refused = run("train", "mail/*.csv", *BY_HAND, "-o", "no.assay", "--corrections", "fixed.csv")
    assert refused.returncode == 3, (refused.returncode, refused.stderr)
    assert "the data has changed since the list was made: mail/b.csv, row 2 is now" in refused.stderr


def test_a_workbook_goes_out_too(run: Run, mail: Path) -> None:
    assert run("train", "mail/a.csv", *BY_HAND, "-o", "m.assay").returncode == 0
    audited = run("audit", "m.assay", "mail/a.csv", *QUICKLY, "--label-errors", "errors.xlsx")
    assert audited.returncode == 0, audited.stderr
    done = run("train", "mail/a.csv", *BY_HAND, "-o", "n.assay", "--corrections", "errors.xlsx")
    assert done.returncode == 3
    assert "errors.xlsx: its column 'correct_label' is empty in all 4 rows: was it saved?" in done.stderr
    assert not (mail.parent / "n.assay").exists()


def test_a_list_needs_texts_and_does_not_replace_a_file(run: Run, mail: Path) -> None:
    assert run("train", "mail/a.csv", *BY_HAND, "-o", "m.assay").returncode == 0
    without = run("audit", "m.assay", "--label-errors", "errors.csv")
    assert without.returncode == 2
    assert "name the texts after the model" in without.stderr
    there = run("audit", "m.assay", "mail/a.csv", "--label-errors", "mail/b.csv")
    assert there.returncode == 2
    assert "mail/b.csv: the file exists" in there.stderr


def test_the_command_that_takes_the_list_is_ready_to_copy(run: Run, mail: Path, assay_command: Path) -> None:
    text = (mail / "a.csv").read_text("utf-8").replace("text,label", "said,is it\nwithout a label,", 1)
    (mail.parent / "my mail.csv").write_text(text, "utf-8")
    reading = ("--text", "said", "--label", "is it", "--skip-unlabelled")
    assert run("train", "my mail.csv", *reading, *BY_HAND, "-o", "m.assay").returncode == 0
    audited = run("audit", "m.assay", "my mail.csv", *reading, *QUICKLY, "--label-errors", "the errors.csv")
    command = audited.stderr.rpartition("then: assay ")[2].strip()
    assert command == (
        "train 'my mail.csv' --corrections 'the errors.csv' --text said --label 'is it' --skip-unlabelled "
        "-o m.corrected.assay"
    )
    path = mail.parent / "the errors.csv"
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(row | {"correct_label": row["likely_label"]} for row in rows)
    done = run(*shlex.split(command), *BY_HAND)
    assert done.returncode == 0, done.stderr
    assert f"{len(rows)} labels were corrected" in done.stderr


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (["see you at noon,ham", "lunch report,ham", "win a prize,spam"], "of 'spam' there is one text only"),
        (["see you at noon,ham", "lunch report,ham"], "there is one class only"),
    ],
)
def test_where_label_errors_were_not_looked_for_no_list_is_written(run: Run, mail: Path, rows, why) -> None:
    assert run("train", "mail/a.csv", *BY_HAND, "-o", "m.assay").returncode == 0
    (mail.parent / "few.csv").write_text("\n".join(["text,label", *rows]), "utf-8")
    audited = run("audit", "m.assay", "few.csv", *QUICKLY, "--label-errors", "errors.csv")
    assert audited.returncode == 0, audited.stderr
    assert f"They were not looked for: {why}. errors.csv was not written." in audited.stderr
    assert "0 likely label errors" not in audited.stderr
    assert not (mail.parent / "errors.csv").exists()
