"""``assay predict`` of texts from elsewhere: a note, a column, a threshold, a queue."""

from __future__ import annotations

import csv
import json

import pytest

import assay
from assay.samples import load_sample

TEXT = "Where is my parcel?"
FOREIGN = "asdf qwer zxcv"


@pytest.fixture(scope="module")
def knowing(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "knowing.assay"
    assay.TextClassifier(calibration="temperature", learn_novelty=True).fit(load_sample()).save(path)
    return str(path)


@pytest.fixture
def rows(tmp_path):
    (tmp_path / "in.csv").write_text(f"id,text\n1,{TEXT}\n2,{FOREIGN}\n3,Thank you so much\n")
    return "in.csv"


def test_a_text_unlike_the_training_texts_is_noted(run, knowing):
    shown = run("predict", knowing, FOREIGN)
    assert shown.returncode == 0
    assert f"Note: '{FOREIGN}' is unlike the training texts (0% of it was seen in them;" in shown.stderr
    assert run("predict", knowing, TEXT).stderr == ""
    assert run("predict", knowing, FOREIGN, "--quiet").stderr == ""


@pytest.mark.parametrize("text", ["", "  "])
def test_an_empty_text_is_answered_and_it_is_said_that_the_answer_means_nothing(run, knowing, text):
    note = f"Note: the text is empty ({text!r}): its label is what the model says where it knows nothing of a text"
    shown = run("predict", knowing, text)
    assert (shown.returncode, shown.stderr.startswith(note)) == (0, True)
    assert "is unlike" not in shown.stderr
    rejected = run("predict", knowing, text, "--reject", "0.9")
    assert (rejected.stdout, rejected.stderr) == ("(too unlike the training texts)\n", "")
    explained = run("explain", knowing, text)
    assert (explained.returncode, explained.stderr.startswith(note)) == (0, True)
    assert "There is no word in it" in explained.stdout


def test_a_typed_text_is_rejected_and_its_novelty_said(run, knowing):
    shown = run("predict", knowing, FOREIGN, "--novelty", "--reject", "0.9")
    assert shown.stdout.startswith("(too unlike the training texts)  novelty 0.9")
    facts = json.loads(run("predict", knowing, FOREIGN, TEXT, "--reject", "0.9", "--json").stdout)
    first, second = facts["answers"]
    assert (first["prediction"], second["prediction"]) == (None, "delivery")
    assert first["novelty"] > 0.9 > second["novelty"]


def test_rows_get_a_column_and_those_above_the_threshold_no_label(run, knowing, rows, tmp_path):
    shown = run("predict", knowing, rows, "--novelty", "--reject", "0.9", "--review", "review.csv", "-o", "out.csv")
    assert shown.returncode == 0, shown.stderr
    assert "1 text got no label: too unlike the training texts" in shown.stderr
    written = list(csv.DictReader((tmp_path / "out.csv").read_text().splitlines()))
    assert [row["prediction"] for row in written][:2] == ["delivery", ""]
    assert float(written[1]["novelty"]) > 0.9 > float(written[0]["novelty"])
    review = list(csv.DictReader((tmp_path / "review.csv").read_text("utf-8-sig").splitlines()))
    assert list(review[0]) == ["id", "row", "text", "prediction", "probability", "novelty", "why", "label"]
    assert (review[0]["row"], review[0]["text"], review[0]["prediction"]) == ("2", FOREIGN, "")
    assert (review[0]["why"], review[0]["label"]) == ("review-novel", "")
    assert "for a person to look at" in shown.stderr


def test_a_file_of_texts_from_elsewhere_is_noted_where_nobody_asked_for_novelty(run, knowing, tmp_path):
    own = load_sample().texts.to_pylist()[:20]
    for name, texts in (("own", own), ("mixed", [*own[:2], FOREIGN, "qwfp zxcv"]), ("one", [FOREIGN])):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    assert "unlike" not in run("predict", knowing, "own.jsonl").stderr
    mixed = run("predict", knowing, "mixed.jsonl")
    assert (
        "Note: mixed.jsonl: 2 of the first 4 texts are unlike the training texts (of 100 of them, one looks as new): "
        "such labels may mean nothing. --novelty says which texts, --review FILE collects them." in mixed.stderr
    )
    assert mixed.stdout.count("\n") == 4
    assert "Note: one.jsonl: the one text is unlike the training texts" in run("predict", knowing, "one.jsonl").stderr
    for asked in (["--novelty"], ["--reject", "0.9"], ["--review", "review.csv"]):
        assert "is unlike" not in run("predict", knowing, "one.jsonl", *asked).stderr
    assert run("predict", knowing, "mixed.jsonl", "--quiet").stderr == ""


def test_a_review_of_a_model_that_knows_no_novelty_has_the_unsure_rows(run, shop_model, rows, tmp_path):
    shown = run("predict", shop_model, rows, "--threshold", "0.99", "--review", "review.jsonl", "-o", "out.csv")
    if "cannot tell" in shown.stderr:  # the model may have been trained either way
        assert "the review has no new rows" in shown.stderr
    review = [json.loads(line) for line in (tmp_path / "review.jsonl").read_text().splitlines()]
    doubtful = [row["probability"] for row in review if row["why"] in ("review-abstained", "review-unsure")]
    assert doubtful == sorted(doubtful)
    assert {row["row"] for row in review} >= {2}


def test_what_cannot_be_is_said(run, tmp_path, rows, knowing):
    assay.TextClassifier(learner="nb").fit(["good", "bad"], ["a", "b"]).save(tmp_path / "plain.assay")
    shown = run("predict", "plain.assay", rows, "--novelty")
    assert shown.returncode != 0
    assert "This model cannot say how unlike its training texts a text is" in shown.stderr
    shown = run("predict", knowing, rows, "--reject", "2")
    assert "--reject must be a novelty above 0 and at most 1. Got 2" in shown.stderr
    assert "Leave --review out" in run("predict", knowing, TEXT, "--review", "q.csv").stderr
    shown = run("predict", knowing, rows, rows, "--review", "q.csv", "-o", "folder/")
    assert "q.csv: a review is of one file." in shown.stderr


def test_inspect_says_what_thresholds_do(run, knowing):
    assert "stops 1% of texts like the training texts" in " ".join(run("inspect", knowing).stdout.split())
    facts = json.loads(run("inspect", knowing, "--json").stdout)
    assert [row["training_texts"] for row in facts["novelty"]] == [0.01, 0.05]
