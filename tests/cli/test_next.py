"""``assay next`` through the installed command."""

from __future__ import annotations

import csv
import json
import random

import openpyxl
import pytest

TOPICS = {"animals": ["cat", "dog", "horse", "cow"], "money": ["bank", "stock", "loan", "tax"]}


@pytest.fixture
def texts(tmp_path):
    """A file of 60 texts, of which the first 20 have a label."""
    rng = random.Random(0)
    with (tmp_path / "texts.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["text", "topic"])
        for number in range(60):
            topic = rng.choice(list(TOPICS))
            words = [*rng.choices(TOPICS[topic], k=3), *rng.choices(["a", "the", "my", "one"], k=2), f"n{number}"]
            table.writerow([" ".join(words), topic if number < 20 else ""])
    return "texts.csv"


def rows(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_texts_to_label_are_shown_with_the_reason(run, texts):
    shown = run("next", texts, "-n", "6")
    assert shown.returncode == 0, shown.stderr
    assert "6 texts to label next; 20 of 60 texts labelled" in shown.stdout
    assert "undecided between" in shown.stdout
    assert "→ " in shown.stdout
    assert "labels are in column 'topic'" in " ".join(shown.stderr.split())
    assert "left out" not in shown.stderr, "rows without a label are what this is about"


def test_a_file_to_fill_is_written_and_never_over_the_data(run, texts, tmp_path):
    shown = run("next", texts, "-n", "8", "-o", "todo.csv")
    assert shown.returncode == 0
    assert "→ todo.csv: write the labels into its column 'label'" in shown.stderr
    picked = rows(tmp_path / "todo.csv")
    assert list(picked[0]) == ["id", "file", "row", "text", "why", "suggestion", "current_label", "label"]
    assert len(picked) == 8
    assert {pick["label"] for pick in picked} == {""}
    data = rows(tmp_path / "texts.csv")
    assert all(data[int(pick["row"]) - 2]["text"] == pick["text"] for pick in picked)
    assert all(not pick["suggestion"] for pick in picked if pick["why"] == "random")
    assert run("next", texts, "-o", texts).returncode == 2
    assert "more" not in shown.stdout
    many = run("next", texts, "-n", "26", "-o", "many.csv")
    assert len(rows(tmp_path / "many.csv")) == 26
    assert many.stdout.endswith("  … and 6 more\n"), "the file has all of them, the screen the first"
    book = run("next", texts, "-n", "3", "-o", "todo.xlsx")
    assert book.returncode == 0
    assert openpyxl.load_workbook(tmp_path / "todo.xlsx").active.max_row == 4


def test_formulas_are_made_safe_where_asked_for(run, tmp_path):
    (tmp_path / "texts.txt").write_text("=1+1 cat\nthe dog barks\nmy horse\n")
    assert run("next", "texts.txt", "-o", "todo.csv", "--safe-cells", "--aside", "0").returncode == 0
    assert "'=1+1 cat" in {pick["text"] for pick in rows(tmp_path / "todo.csv")}


def test_json_says_where_each_text_is(run, texts):
    shown = run("next", texts, "-n", "5", "--json")
    told = json.loads(shown.stdout)
    assert (told["kind"], told["version"], told["texts"], told["labelled"]) == ("picks", 1, 60, 20)
    assert {"id", "position", "file", "row", "text", "why", "score", "suggestion", "label", "sentence"} == set(
        told["picks"][0]
    )
    assert told["picks"][0]["id"].startswith("sha256:")
    assert run("next", texts, "-n", "5", "--json", "--threads", "1").stdout == shown.stdout


def test_what_labels_have_bought_is_said(run, tmp_path):
    lines = [f"the {word} number {k},{kind}" for k in range(400) for word, kind in (("cat", "pets"), ("bank", "money"))]
    (tmp_path / "some.csv").write_text("\n".join(["text,label", *lines]))
    shown = run("next", "some.csv", "-n", "2", "--bought")
    assert shown.returncode == 0, shown.stderr
    assert "Enough: 100.0% are right with" in shown.stdout
    assert "What labels have bought" in shown.stdout
    told = json.loads(run("next", "some.csv", "-n", "2", "--aside", "0.4", "--bought", "--json").stdout)
    assert told["bought"]["kind"] == "labels_bought"
    assert told["bought"]["verdict"] == "enough"


def test_without_any_label_typical_texts_are_shown(run, tmp_path, texts):
    empty = "text,topic\n" + "".join(f"{row['text']},\n" for row in rows(tmp_path / texts))
    (tmp_path / "empty.csv").write_text(empty)
    for options in (["empty.csv", "--label", "topic"], [texts, "--unlabelled"]):
        shown = run("next", *options, "-n", "4", "--aside", "0")
        assert shown.returncode == 0, shown.stderr
        assert "typical of a cluster" in shown.stdout
        assert "0 of 60 texts labelled" in shown.stdout


def test_a_model_says_what_it_is_unsure_of(run, texts):
    assert run("train", texts, "--skip-unlabelled", "-o", "m.assay", "--learner", "logistic").returncode == 0
    shown = run("next", texts, "m.assay", "-n", "5")
    assert shown.returncode == 0, shown.stderr
    assert "5 texts to label next" in shown.stdout
    wrong = run("next", "m.assay", texts)
    assert wrong.returncode == 2
    assert "m.assay: this is a model, not data: the model comes last, after the files of texts." in wrong.stderr


def test_sets_of_labels(run, tmp_path):
    lines = [f"the {a} and the {b} of day {k},{'pets' if k % 3 else 'pets|farm'}"
             for k, (a, b) in enumerate([("cat", "dog"), ("cow", "horse")] * 15)]  # fmt: skip
    (tmp_path / "sets.csv").write_text(
        "\n".join(["text,label", *lines, *(f"a dog of day {k}," for k in range(40, 60))])
    )
    shown = run("next", "sets.csv", "--labels-separator", "|", "-n", "4", "-o", "todo.csv", "--json")
    assert shown.returncode == 0, shown.stderr
    own = [pick for pick in json.loads(shown.stdout)["picks"] if pick["why"] != "random"]
    assert all(isinstance(pick["suggestion"], list) for pick in own)


def test_everything_labelled_is_said(run, tmp_path):
    (tmp_path / "all.csv").write_text("text,label\nthe cat sat,pets\nmy loan is due,money\n")
    shown = run("next", "all.csv")
    assert shown.returncode == 0
    assert "0 texts to label next; 2 of 2 texts labelled" in shown.stdout
    assert "Note: all 2 texts are labelled already." in shown.stderr


def test_bad_input_is_said(run, texts):
    piped = run("next", "-", stdin="a text\n")
    assert piped.returncode == 2
    assert "Standard input can be read only once" in piped.stderr
    assert "-n is 0. Ask for at least 1 text" in run("next", texts, "-n", "0").stderr
    assert "--aside is the share of the texts" in run("next", texts, "--aside", "0.9").stderr
    assert run("next", "nowhere.csv").returncode == 3
