"""Files that the system does not let a command read: named, and not taken for absent, empty or damaged."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.usefixtures("permissions_count")

CSV = "text,label\nloved it,pos\nso dull,neg\n"


@pytest.fixture
def closed(tmp_path):
    """A file, and a folder with a file in it."""
    (tmp_path / "mine.csv").write_text(CSV)
    (tmp_path / "closed.csv").write_text(CSV)
    (tmp_path / "closed.csv").chmod(0)
    (tmp_path / "folder").mkdir(mode=0)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        ["predict", "closed.csv", "mine.csv"],
        ["inspect", "closed.csv"],
        ["convert", "closed.csv", "--to", "jsonl"],
        ["train", "mine.csv", "--settings", "closed.csv"],
        ["train", "mine.csv", "--vectors", "closed.csv"],
        ["neighbors", "closed.csv", "good"],
        ["cluster", "mine.csv", "--stop-words", "closed.csv"],
        ["trace", "perceptron", "closed.csv"],
    ],
    ids=lambda command: f"{command[0]} {command[-2]}",
)
def test_a_closed_file(run, closed, command):
    done = run(*command)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("Error: closed.csv: Permission denied. Change its permissions")


@pytest.mark.parametrize("command", [["predict", "folder/in.assay", "mine.csv"], ["inspect", "folder/in.csv"]])
def test_a_file_in_a_closed_folder(run, closed, command):
    done = run(*command)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: folder/in.")
    assert "Permission denied" in done.stderr


def test_a_result_for_a_card(run, closed, shop_model):
    done = run("card", shop_model, "--evaluation", "closed.csv")
    assert (done.returncode, done.stderr.split(".")[0]) == (1, "Error: closed")
