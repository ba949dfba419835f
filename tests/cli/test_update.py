"""``assay update`` through the installed command."""

from __future__ import annotations

import csv
import json
import subprocess
from pathlib import Path

import pytest

from assay.samples import load_sample


def run(command: Path, *arguments: object, cwd: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [command, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == code, done.stderr
    return done


def write(path: Path, rows: list[tuple[str, ...]], header: tuple[str, ...] = ("message", "topic")) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def read(path: Path) -> list[list[str]]:
    with path.open(newline="") as file:
        return list(csv.reader(file))[1:]


@pytest.fixture
def folder(tmp_path: Path, assay_command: Path) -> Path:
    """Messages, and a model of them."""
    corpus = load_sample()
    write(tmp_path / "messages.csv", [tuple(example) for example in corpus][:300])
    options = ("--learner", "svm", "--ngrams", "1-1", "--holdout", "0.2", "-q")
    run(assay_command, "train", "messages.csv", *options, cwd=tmp_path)
    return tmp_path


def test_an_update_finds_the_old_data_and_leaves_what_the_next_one_needs(folder, assay_command):
    rows = read(folder / "messages.csv")
    labels = sorted({label for _, label in rows})
    other = next(label for label in labels if label != rows[3][1])
    write(
        folder / "new.csv",
        [(rows[3][0], other, "uncertain"), ("parcel lost again", labels[0], "uncertain")],
        ("text", "label", "why"),
    )
    done = run(assay_command, "update", "messages.assay", "new.csv", cwd=folder)
    assert "1 text is new, 1 old label is replaced, 0 are as they were." in done.stdout
    assert "on texts held out since the first training" in " ".join(done.stdout.split())
    again = json.loads(run(assay_command, "update", "messages-2.assay", "new.csv", "--json", cwd=folder).stdout)
    assert (again["added"], again["replaced"], again["confirmed"]) == (0, 0, 2)
    assert [parent["file"] for parent in again["lineage"]["parents"]] == ["messages.assay", "messages-2.assay"]
    assert (folder / "messages-3.run" / "train.parquet").is_file()
    # The settings in the run folder repeat the training: the same weights, and nothing else is different but lineage.
    run(assay_command, "train", "--settings", "messages-3.run/settings.toml", "-o", "same.assay", "-q", cwd=folder)
    shown = [
        json.loads(run(assay_command, "inspect", name, "--json", cwd=folder).stdout)
        for name in ("messages-3.assay", "same.assay")
    ]
    assert shown[0]["provenance"]["data"]["sha256"] == shown[1]["provenance"]["data"]["sha256"]


def test_a_model_that_is_worse_is_not_written(folder, assay_command):
    rows = read(folder / "messages.csv")
    labels = sorted({label for _, label in rows})
    wrong = [(text, labels[(labels.index(label) + 1) % len(labels)]) for text, label in rows]
    write(folder / "wrong.csv", wrong)
    write(folder / "right.csv", [(f"{text} today", label) for text, label in rows])
    test = ("--test", "right.csv")
    done = run(assay_command, "update", "messages.assay", "wrong.csv", *test, cwd=folder, code=4)
    assert "The updated model is clearly worse than the old one" in done.stderr
    assert "--even-if-worse" in done.stderr
    assert not (folder / "messages-2.assay").exists()


def test_an_unknown_label_is_refused_with_the_option_for_new_classes(folder, assay_command):
    write(folder / "new.csv", [("parcel lost", "nonsense")])
    done = run(assay_command, "update", "messages.assay", "new.csv", cwd=folder, code=3)
    assert "new.csv, row 2: the model does not know the label 'nonsense'" in done.stderr
    assert "--new-labels" in done.stderr


def test_where_the_old_texts_are_gone_the_model_goes_on_alone(folder, assay_command):
    write(folder / "new.csv", [("parcel lost", "x"), ("parcel lost again", "x")])
    (folder / "messages.csv").rename(folder / "moved.csv")
    done = run(assay_command, "update", "messages.assay", "new.csv", "--new-labels", "--only-known", cwd=folder, code=3)
    assert "is not to be found: messages.run names" in done.stderr
    assert "--data" in done.stderr
    done = run(assay_command, "update", "messages.assay", "new.csv", "--new-labels", cwd=folder)
    said = " ".join(done.stdout.split())
    assert "The old texts are not there: messages.run names" in said
    assert "Went on from the model alone, without the texts that it was trained on." in said
    assert "2 texts are learned from." in said
    assert "New classes: 'x'." in said
    assert "on texts that no update learns from: 60 texts" in said  # those of the first training's test
    assert (folder / "messages-2.run" / "learned.parquet").is_file()
    write(folder / "more.csv", [("parcel found", "x")])
    again = json.loads(run(assay_command, "update", "messages-2.assay", "more.csv", "--json", cwd=folder).stdout)
    assert (again["way"], again["added"]) == ("onward", 1)
    assert [one["way"] for one in again["lineage"]["updates"]] == ["onward", "onward"]
    assert "60 texts" in again["measured_by"]
    card = (folder / "messages-3.run" / "card.md").read_text()
    assert "messages.assay (SHA-256" in card
    assert "3 texts added, 0 labels replaced; 2 updates onward, without the old texts" in card
    run(assay_command, "update", "messages.assay", "new.csv", "--new-labels", "--data", "moved.csv", "-f", cwd=folder)


def test_onward_goes_without_old_texts_that_are_there(folder, assay_command):
    write(folder / "new.csv", [read(folder / "messages.csv")[3]])
    done = run(assay_command, "update", "messages.assay", "new.csv", "--onward", cwd=folder)
    assert "Went on from the model alone" in done.stdout
    done = run(assay_command, "update", "messages.assay", "new.csv", "--onward", "--only-known", cwd=folder, code=2)
    assert "--only-known is for a training on the old texts" in done.stderr


def test_an_empty_file_and_missing_columns_are_said(folder, assay_command):
    (folder / "empty.csv").write_text("")
    done = run(assay_command, "update", "messages.assay", "empty.csv", cwd=folder, code=3)
    assert "empty.csv" in done.stderr
    (folder / "only.csv").write_text("message\nparcel lost\n")
    done = run(assay_command, "update", "messages.assay", "only.csv", "--label", "topic", cwd=folder, code=3)
    assert "there is no column 'topic'" in done.stderr


def test_nothing_that_exists_is_replaced_unasked(folder, assay_command):
    write(folder / "new.csv", [("parcel lost", "x")])
    (folder / "messages-2.assay").write_text("mine")
    done = run(assay_command, "update", "messages.assay", "new.csv", cwd=folder, code=2)
    assert "messages-2.assay" in done.stderr
    assert (folder / "messages-2.assay").read_text() == "mine"
