"""``assay drift`` through the installed command."""

from __future__ import annotations

import json

import pytest

import assay
from assay.samples import load_sample


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("drift")
    train, later = load_sample().split(test=0.3, seed=0)
    assay.train(train, learner="logistic", ngrams="1-2", folds=3).save(place / "shop.assay")
    (place / "old.csv").write_text("text\n" + "\n".join('"' + text.replace('"', '""') + '"' for text, _ in train))
    (place / "later.csv").write_text("text\n" + "\n".join('"' + text.replace('"', '""') + '"' for text, _ in later))
    (place / "foreign.csv").write_text(
        "text\n" + "\n".join(f"gamma rays from star number {k * k} were seen" for k in range(80))
    )
    return place


def test_texts_of_the_same_time_pass(run, folder):
    shown = run("drift", folder / "shop.assay", folder / "later.csv", "--reference", folder / "old.csv", "--strict")
    assert shown.returncode == 0
    assert shown.stdout.startswith("No drift was found.")
    assert "would have been found four times in five" in " ".join(shown.stdout.split())


def test_foreign_texts_end_with_exit_code_4(run, folder, tmp_path):
    page = tmp_path / "drift.html"
    shown = run("drift", folder / "shop.assay", folder / "foreign.csv", "--strict", "--html", page)
    assert shown.returncode == 4
    assert shown.stdout.startswith("The new texts have drifted")
    assert "gamma" in shown.stdout
    assert "have drifted" in page.read_text(encoding="utf-8")


def test_limits_end_with_exit_code_4_and_say_which(run, folder):
    shown = run("drift", folder / "shop.assay", folder / "foreign.csv", "--max", "novel_texts=0.3", "--json")
    assert shown.returncode == 4
    assert "Missed: novel_texts is" in shown.stderr
    told = json.loads(shown.stdout)
    assert told["drifted"] is True
    assert told["limits"] == [{"option": "--max", "figure": "novel_texts", "bound": 0.3, "passed": False}]
    assert told["model"]["file"] == "shop.assay"


def test_wrong_limits_and_files_are_refused(run, folder):
    wrong = run("drift", folder / "shop.assay", folder / "later.csv", "--max", "nowel=1")
    assert wrong.returncode == 2
    assert "there is no figure 'nowel' of drift. There are: novel_texts" in " ".join(wrong.stderr.split())
    missing = run("drift", folder / "shop.assay", folder / "nothing.csv")
    assert missing.returncode == 3
    assert "nothing.csv" in missing.stderr
