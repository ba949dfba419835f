"""``assay workspace``, ``assay label`` and training in a workspace, through the installed command."""

from __future__ import annotations

import csv
import json
import os
import pty
import select
import subprocess
from pathlib import Path

import pytest

WORDS = {"pos": ("loved it", "great fun", "brilliant"), "neg": ("so dull", "a mess", "boring")}


def truth(text: str) -> str:
    return "neg" if int(text.rsplit(" ", 1)[1]) % 2 else "pos"


@pytest.fixture
def space(run, tmp_path) -> Path:
    """A workspace of 40 texts without labels."""
    texts = [f"{WORDS[('pos', 'neg')[n % 2]][n % 3]}, number {n}" for n in range(40)]
    (tmp_path / "reviews.csv").write_text("review\n" + "".join(f'"{text}"\n' for text in texts))
    made = run("workspace", "init", "space", "reviews.csv", "--labels", "pos,neg")
    assert (made.returncode, "space: 40 texts" in made.stdout) == (0, True), made.stderr
    return tmp_path / "space"


def test_from_texts_to_a_model_and_back(run, space, tmp_path):
    status = json.loads(run("workspace", "status", "space", "--json").stdout)
    assert (status["kind"], status["texts"], status["unlabelled"]) == ("workspace", 40, 40)
    rows = [{"review": row["review"], "label": truth(row["review"])} for row in read_csv(tmp_path / "reviews.csv")]
    write_csv(tmp_path / "mine.csv", rows[:30])
    taken = run("label", "space", "mine.csv", "--who", "ana")
    assert (taken.returncode, taken.stderr) == (0, "30 labels taken → space\n")
    trained = run("train", "space", "--learner", "logistic", "--ngrams", "1-2", "-q")
    assert trained.returncode == 0, trained.stderr
    assert (space / "models" / "0001.assay").is_file()
    assert (space / "runs" / "0001" / "card.md").is_file()
    record = json.loads((space / "runs" / "0001.json").read_text())
    assert (record["texts"], record["labels"]) == (30, {"pos": 15, "neg": 15})
    said = run("workspace", "status", "space")
    assert "models/0001.assay is not measured yet" in " ".join(said.stdout.split())
    assert run("inspect", "space").returncode == 0
    review = run("predict", "space/models/0001.assay", "reviews.csv", "--review", "review.csv", "-o", "out.csv")
    assert review.returncode == 0, review.stderr
    listed = read_csv(tmp_path / "review.csv")
    assert len(listed) == 40
    write_csv(tmp_path / "review.csv", [row | {"label": truth(row["text"])} for row in listed])
    back = run("label", "space", "review.csv", "--who", "ana", "--json")
    assert json.loads(back.stdout) == {
        "kind": "labels_taken",
        "version": 1,
        "recorded": 10,
        "changed": 0,
        "known": 30,
        "empty": 0,
        "new_labels": [],
        "read_as": {},
    }
    lines = [json.loads(line) for line in (space / "labels.jsonl").read_text().splitlines()]
    assert {line["why"] for line in lines if line["do"] == "label"} <= {
        *("chosen", "review-check", "review-unsure", "review-threshold", "review-novel")
    }


def test_lines_label_texts_where_there_is_no_terminal(run, space):
    done = run("label", "space", "--who", "ana", stdin="1\n2\nneg\ns\nu\nn not sure\n:po\n?\nmaybe\nu\nq\n1\n")
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in (space / "labels.jsonl").read_text().splitlines()]
    assert [line["do"] for line in lines] == ["label", "label", "label", "pass", "undo", "label", "undo"]
    assert [line.get("label") for line in lines if line["do"] == "label"] == ["pos", "neg", "neg", "pos"]
    assert lines[3]["text"] == lines[5]["text"]
    assert lines[5]["note"] == "not sure"
    assert "'maybe' is no key and no label; labels are 'neg', 'pos'. ? shows the keys." in done.stderr
    assert "3 labels → space." in done.stderr


def test_undo_has_no_end_and_asks_before_it_takes_back_a_table(run, space, tmp_path):
    rows = read_csv(tmp_path / "reviews.csv")
    write_csv(tmp_path / "mine.csv", [{"review": row["review"], "label": "pos"} for row in rows[:3]])
    run("label", "space", "mine.csv", "--who", "ana")
    done = run("label", "space", "--who", "ana", stdin="1\nu\nu\nno\nu\nyes\nu\nq\n")
    assert "Take back mine.csv, with 3 lines? Type yes: " in done.stderr
    assert "There is nothing to take back." in done.stderr
    assert json.loads(run("workspace", "status", "space", "--json").stdout)["decided"] == 0


def test_sets_of_labels_are_chosen_one_by_one(run, tmp_path):
    (tmp_path / "d.csv").write_text("text\nrain in the cup final\nno news\nthe vote\n")
    run("workspace", "init", "space", "d.csv", "--labels", "city,sport,law", "--sets", "--measure", "0")
    done = run("label", "space", stdin="1\n2\n1\n\n\n3\nsport\n\nq\n")
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in (tmp_path / "space" / "labels.jsonl").read_text().splitlines()]
    assert [line["labels"] for line in lines] == [["sport"], [], ["sport", "law"]]
    assert "[2 sport]" in done.stderr
    assert "There are no more texts to label." in done.stderr


def test_labels_that_come_up_are_added(run, space):
    done = run("label", "space", stdin="+ mixed\n3\n+ pos\n+\n\nq\n")
    assert done.returncode == 0, done.stderr
    status = json.loads(run("workspace", "status", "space", "--json").stdout)
    assert [(count["label"], count["decided"]) for count in status["labels"]] == [("pos", 0), ("neg", 0), ("mixed", 1)]


class Typist:
    """Types keys into a terminal, each when the text before it is shown."""

    def __init__(self, command: Path, folder: Path) -> None:
        self.outer, inner = pty.openpty()
        environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
        streams = {"stdin": inner, "stdout": inner, "stderr": inner}
        self.process = subprocess.Popen(
            [command, "label", "space", "--who", "ana"], cwd=folder, env=environment, **streams
        )
        os.close(inner)
        self.shown = ""

    def wait_for(self, mark: str) -> None:
        """Read until it is there, after all that was read before."""
        begin = len(self.shown)
        while mark not in self.shown[begin:]:
            ready = select.select([self.outer], [], [], 60)[0]
            piece = os.read(self.outer, 1 << 16) if ready else b""
            assert piece, self.shown
            self.shown += piece.decode("utf-8", "replace")

    def type(self, keys: str, mark: str = "q quit\r\n> ") -> None:
        os.write(self.outer, keys.encode())
        self.wait_for(mark)


def test_one_key_labels_a_text_at_a_terminal(request, assay_command, space, tmp_path):
    typist = Typist(assay_command, tmp_path)
    request.addfinalizer(typist.process.kill)
    typist.wait_for("q quit\r\n> ")
    for key in ("1", "2", "\x1b[A1", "é", "s", "u", "u"):
        mark = "is no key and no label" if key == "é" else "q quit\r\n> "
        typist.type(key, mark)
    typist.type("?")
    assert "  u       takes back the last label" in typist.shown
    typist.type("n", "Note: ")
    typist.type("why not\n", "note: 'why not'\r\n> ")
    typist.type("1")
    os.write(typist.outer, b"q")
    typist.wait_for("labels →")
    assert typist.process.wait(60) == 0
    os.close(typist.outer)
    lines = [json.loads(line) for line in (space / "labels.jsonl").read_text().splitlines()]
    assert [line["do"] for line in lines] == ["label", "label", "label", "pass", "undo", "undo", "label"]
    assert (lines[-1]["note"], lines[-1]["label"], lines[-1]["text"]) == ("why not", "pos", lines[2]["text"])


def test_hostile_texts_and_labels_do_not_command_the_terminal(run, tmp_path):
    hostile = ["\x1b[31mred\x07\x00", "\u202edesrever", "x\x9b2J", "wide " * 100_000]
    (tmp_path / "d.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in hostile))
    made = run("workspace", "init", "space", "d.jsonl", "--labels", "\x1b[1mbold,\u202eevil")
    assert made.returncode == 0, made.stderr
    done = run("label", "space", stdin="1\n2\nm\nm\n1\n2\n")
    assert done.returncode == 0, done.stderr
    for shown in (made.stdout, done.stderr, run("workspace", "status", "space").stdout):
        assert not any(mark in shown for mark in ("\x1b", "\x07", "\x00", "\x9b", "\u202e"))
    assert "… m shows more" in done.stderr
    assert json.loads(run("workspace", "status", "space", "--json").stdout)["decided"] == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["workspace", "start", "space"], "What to do must be one of 'status', "),
        (["workspace", "status", "."], ".: this is no workspace: there is no workspace.json in it."),
        (["workspace", "status", "space", "x.csv"], "x.csv: status takes a folder and nothing else. Leave it out."),
        (["workspace", "add", "space"], "There is no DATA to add. Name a file: assay workspace add space FILE."),
        (
            ["workspace", "rename", "space", "pos"],
            "rename takes a label and its new name: assay workspace rename space",
        ),
        (["workspace", "rename", "space", "pos", "neg"], "Use --merge to make the two one, or give another name."),
        (["workspace", "status", "space", "--copy"], "--copy is for 'assay workspace init and add'. Leave it out."),
        (["workspace", "add", "space", "reviews.csv", "--labels", "a"], "--labels is for 'assay workspace init'."),
        (["workspace", "init", "space", "reviews.csv"], "space: this is a workspace already."),
        (["label", "space", "nothing.csv"], "nothing.csv"),
        (
            ["label", "space", "--retrain", "-1"],
            "--retrain must be a number of labels, or 0 for never. Got -1 instead.",
        ),
        (["label", "space", "--who", " "], "who must be a name of a person, on one line. Got ' ' instead."),
        (["train", "space", "--text", "review"], "space: a workspace knows how its data is read. Leave --text out."),
        (["train", "space"], "space: there is nothing to train on yet: no text has a label. 'assay label space' asks"),
    ],
)
def test_what_cannot_be_is_said(run, space, arguments, message):
    shown = run(*arguments, stdin="1\n")
    assert shown.returncode in (2, 3)
    assert message in shown.stderr


def test_a_workspace_is_no_data_to_predict(run, space, shop_model):
    shown = run("predict", shop_model, "space")
    assert (shown.returncode, "space: this is a workspace. Give the files of its data" in shown.stderr) == (2, True)


def test_a_label_is_renamed_and_two_are_made_one(run, space):
    run("label", "space", stdin="1\n2\nq\n")
    assert run("workspace", "rename", "space", "pos", "good").returncode == 0
    shown = run("workspace", "rename", "space", "good", "neg", "--merge", "--json")
    assert [(count["label"], count["decided"]) for count in json.loads(shown.stdout)["labels"]] == [("neg", 2)]


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def write_csv(path: Path, rows: list[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_what_to_label_next_goes_out_and_comes_back(run, space, tmp_path):
    run("label", "space", "--who", "ana", stdin="1\n2\ns\nq\n")
    lines = [json.loads(line) for line in (space / "labels.jsonl").read_text().splitlines()]
    passed = next(line["text"] for line in lines if line["do"] == "pass")
    done = run("next", "space", "-n", "10", "-o", "next.csv", "--who", "ana")
    assert done.returncode == 0, done.stderr
    rows = read_csv(tmp_path / "next.csv")
    assert len(rows) == 10
    assert not {passed[:23], *(line["text"][:23] for line in lines)} & {row["id"] for row in rows}
    assert "random" in {row["why"] for row in rows}
    write_csv(tmp_path / "next.csv", [row | {"label": truth(row["text"])} for row in rows])
    assert run("label", "space", "next.csv", "--who", "ana").stderr == "10 labels taken → space\n"
    added = [json.loads(line) for line in (space / "labels.jsonl").read_text().splitlines()][len(lines) + 1 :]
    assert [(line["text"][:23], line["why"]) for line in added] == [(row["id"], row["why"]) for row in rows]
    shown = run("next", "space", "--aside", "0.5")
    assert (shown.returncode, "Leave --aside out." in shown.stderr) == (2, True)
