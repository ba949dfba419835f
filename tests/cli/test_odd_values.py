"""Options and files with values that nobody means: refused in words, quickly, and never half-way through."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from assay.cli.main import main

CSV = "text,label\n" + "".join(f"good film {i},a\nbad thing {i},b\n" for i in range(8))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with data and a model."""
    monkeypatch.chdir(tmp_path)
    Path("d.csv").write_text(CSV)
    assert main(["train", "d.csv", "-o", "m.assay", "--learner", "nb", "--ngrams", "1", "--quiet"]) == 0
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["cluster", "d.csv", "-k", "2-100000000"], 3, "too few to choose among up to 100000000 clusters"),
        (["cluster", "d.csv", "-k", "9" * 5000], 2, "Give a number such as 8, a range such as 5-20, or auto."),
        (["predict", "m.assay", "d.csv", "--shard", "1/" + "9" * 5000], 2, "--shard must be written as i/n"),
        (
            ["train", "d.csv", "--learner", "nb", "--ngrams", "1", "--C", "1e308", "-o", "n.assay"],
            2,
            "--C must be a number above 0, 1e+100 at most",
        ),
        (["audit", "m.assay", "--swaps", "x" * 5000], 2, "There is no list of terms"),
        (["card", "m.assay", "--audit", "d.csv/x"], 3, "no such file: d.csv/x"),
        (["train", "d.csv", "--learner", "x" * 100_000], 2, "There is no learner"),
    ],
)
def test_values_that_nobody_means_are_refused(folder, capsys, arguments, code, message):
    assert main(arguments) == code
    said = capsys.readouterr().err
    assert message in said
    assert "Traceback" not in said
    assert "Warning" not in said
    assert len(said) < 5000


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        ("evaluation", {"classes": [1]}, "a value in it is missing or of the wrong kind (TypeError"),
        ("evaluation", {"metrics": {"accuracy": {"value": "x"}}}, "a value in it is missing or of the wrong kind"),
        ("evaluation", {"model": "x"}, "its 'model' is 'x', which names none."),
        ("evaluation", {"level": float("nan")}, "it holds NaN, which is no number"),
        ("audit", {"findings": [None]}, "a value in it is missing or of the wrong kind (TypeError"),
    ],
)
def test_a_result_that_somebody_changed_makes_no_card(folder, capsys, kind, change, message):
    command = {"evaluation": "evaluate", "audit": "audit"}[kind]
    assert main([command, "m.assay", "d.csv", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    Path("r.json").write_text(json.dumps(result | change))
    assert main(["card", "m.assay", f"--{kind}", "r.json", "-o", "c.md"]) == 3
    assert message in capsys.readouterr().err
    assert not Path("c.md").exists()


def test_names_of_files_that_are_no_text_are_taken(folder):
    name = os.fsdecode(b"d\xff.csv")
    try:
        Path(name).write_text(CSV)
    except OSError:
        pytest.skip("this file system takes only names that are text")
    out = os.fsdecode(b"m\xff.assay")
    assert main(["train", name, "-o", out, "--budget", "1s", "--quiet"]) == 0
    assert main(["card", out, "--test", name, "-o", "c.md"]) == 0
    assert main(["card", out, "--name", name, "-o", "c.html"]) == 0
    assert main(["inspect", out]) == 0
    for page in ("c.md", "c.html", os.fsdecode(b"m\xff.run/settings.toml"), os.fsdecode(b"m\xff.run/report.html")):
        assert Path(page).read_text(encoding="utf-8")


def test_stop_words_that_are_read_as_two_are_taken_without_a_word(folder, capsys):
    Path("stop.txt").write_text("don't film-maker")
    assert main(["cluster", "d.csv", "-k", "2", "--stop-words", "stop.txt"]) == 0
    assert "Warning" not in capsys.readouterr().err
