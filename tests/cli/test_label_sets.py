"""Several labels a text through the installed command: trained, answered, measured, compared, and refused in words."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import assay

WORDS = {"law": ["vote", "court"], "money": ["bank", "tax"], "sport": ["ball", "goal"]}


def write_topics(path, n=160, seed=0):
    random = np.random.default_rng(seed)
    lines = ["text,topics,flag_never,flag_law"]
    for i in range(n):
        mine = [name for name in WORDS if random.random() < 0.4]
        said = [str(random.choice(WORDS[name])) for name in mine]
        words = [f"n{i}", *random.choice(["the", "of", "and", "in"], 4).tolist(), *said]
        lines.append(f"{' '.join(words)},{'|'.join(mine)},0,{int('law' in mine)}")
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("sets")


@pytest.fixture(scope="module")
def topics(folder):
    return write_topics(folder / "topics.csv")


@pytest.fixture(scope="module")
def model(folder, topics):
    made = folder / "topics.assay"
    command = [Path(sys.executable).with_name("assay"), "train", topics, "--label", "topics", "-o", made]
    subprocess.run([*command, "--learner", "svm", "-q"], check=True, capture_output=True)
    return made


def test_a_training_leaves_everything_behind(model, folder):
    run = folder / "topics.run"
    told = json.loads((run / "metrics.json").read_text())
    assert told["evaluation"]["kind"] == "set_evaluation"
    assert "every label whose probability reaches its threshold" in (run / "card.md").read_text()
    assert (run / "report.html").read_text().startswith("<!doctype html>")
    table = pq.read_table(run / "predictions.parquet")
    assert {"labels", "predicted", "correct", "probabilities"} <= set(table.column_names)


def test_files_are_answered_in_the_way_of_their_format(run, model, folder):
    (folder / "few.csv").write_text("text\nthe vote about the goal\nrain all day\n")
    rows = run("predict", model, folder / "few.csv").stdout.splitlines()
    assert rows == ["text,prediction", "the vote about the goal,law|sport", "rain all day,"]
    answers = run("predict", model, folder / "few.csv", "--to", "jsonl").stdout.splitlines()
    assert [json.loads(row)["prediction"] for row in answers] == [["law", "sport"], []]
    lines = run("predict", model, folder / "few.csv", "--to", "fasttext").stdout.splitlines()
    assert lines == ["__label__law __label__sport the vote about the goal", "rain all day"]
    assert run("predict", model, "rain all day").stdout == "(none of the labels)\n"


def test_gates_and_comparisons_of_sets(run, model, topics, folder):
    passed = run("evaluate", model, topics, "--label", "topics", "--min", "micro_f1=0.5", "--max", "hamming_loss=0.4")
    assert passed.returncode == 0, passed.stderr
    missed = run("evaluate", model, topics, "--label", "topics", "--min", "recall:law=1.5")
    assert missed.returncode == 4
    page = folder / "compared.html"
    other = folder / "other.assay"
    made = run("train", topics, "--label", "topics", "-o", other, "--learner", "nb", "--ngrams", "1-1", "-q")
    assert made.returncode == 0, made.stderr
    done = run("compare", model, other, topics, "--label", "topics", "--html", page)
    assert done.returncode == 0, done.stderr
    assert page.read_text().startswith("<!doctype html>")


def test_labels_of_another_kind_are_refused_in_words(run, model, topics):
    done = run("evaluate", model, topics, "--label", "topics", "--one-label", "--skip-unlabelled")
    assert (done.returncode, "Leave --one-label out." in done.stderr) == (3, True)
    done = run("train", topics, "--label", "topics", "--labels-separator", "", "-o", "x.assay")
    assert (done.returncode, "--labels-separator must be what stands between labels" in done.stderr) == (2, True)


def test_a_label_that_no_text_has_is_no_trouble(run, topics, folder):
    how = ("--label-columns", "flag_*", "--text", "text", "--learner", "svm", "--ngrams", "1-1", "--holdout", "0.2")
    done = run("train", topics, *how, "--folds", "3", "-o", folder / "flags.assay", "-q")
    assert done.returncode == 0, done.stderr
    assert assay.load(folder / "flags.assay").labels == ("flag_law",)


def test_two_texts_are_too_few_and_that_is_said(run, folder):
    (folder / "two.csv").write_text("text,topics\nball,a|b\nvote,a\n")
    done = run("train", folder / "two.csv", "--labels-separator", "|", "-o", folder / "two.assay")
    assert done.returncode == 3
    assert "nothing is left for 'test'" in done.stderr


def test_labels_that_cannot_be_learned_are_named_where_training_is_chosen_by_hand(run, folder):
    lines = [f"{word} and so on {i},1,{int(word == 'ball')},0" for i in range(10) for word in ("ball", "vote")]
    (folder / "odd.csv").write_text("\n".join(["text,news,sport,never", *lines]) + "\n")
    done = run(
        "train", folder / "odd.csv", "--label-columns", "news,sport,never", "--learner", "svm", "--ngrams", "1-1"
    )
    said = " ".join(done.stdout.split())
    assert "No text to train on has 'never': it is left out." in said
    assert "Every text to train on has 'news': what texts without it are like cannot be learned." in said


def test_perceptrons_refuse_weights_of_labels_in_sets(run, topics):
    chosen = ("--learner", "averaged-perceptron", "--ngrams", "1-1", "--class-weight", "balanced")
    done = run("train", topics, "--label", "topics", *chosen, "-f")
    assert done.returncode == 2
    assert "cannot weigh sets of labels by --class-weight. Leave it out" in done.stderr


def test_probabilities_that_are_not_there_are_promised_by_options(run, topics, folder):
    made = folder / "scores.assay"
    run("train", topics, "--label", "topics", "--learner", "svm", "--ngrams", "1-1", "-o", made, "-q")
    done = run("predict", made, "the ball", "--proba")
    assert done.returncode == 2
    assert "'assay train … --folds 5' makes one with probabilities" in done.stderr


def test_columns_of_flags_are_not_lost_in_fasttexts_lines(run, topics, folder):
    done = run("convert", topics, "-o", folder / "t.fasttext", "--label-columns", "flag_*", "--text", "text")
    assert done.returncode == 2
    assert "columns of 0 and 1 would be lost" in done.stderr


def test_what_a_label_weighs_is_shown_without_a_lead_over_others(run, model, folder):
    done = run("explain", model, "--html", folder / "learned.html")
    assert done.stdout.splitlines()[1].split() == ["feature", "weight"]
    assert "<th>lead</th>" not in (folder / "learned.html").read_text()


def test_columns_of_flags_are_found_again_by_the_labels_of_a_model(run, folder):
    topics = [line.split(",") for line in write_topics(folder / "again.csv", n=60).read_text().splitlines()[1:]]
    rows = [f"{text},{int('law' in of)},{int('sport' in of)}" for text, of, *_ in topics]
    (folder / "flagged.csv").write_text("\n".join(["text,law,sport", *rows]) + "\n")
    how = ("--label-columns", "law,sport", "--learner", "svm", "--ngrams", "1-1", "--holdout", "0", "-q")
    made = run("train", folder / "flagged.csv", *how, "-o", folder / "flagged.assay")
    assert made.returncode == 0, made.stderr
    done = run("evaluate", folder / "flagged.assay", folder / "flagged.csv")
    assert done.returncode == 0, done.stderr
    assert "Evaluation on 60 texts with sets of 2 labels" in " ".join(done.stdout.split())
    assert "the labels are in columns of 0 and 1 that are called as the model's are" in done.stderr


def test_a_review_has_the_texts_of_which_some_label_is_likely_wrong(run, folder):
    lines = write_topics(folder / "doubt.csv").read_text().splitlines()
    of_law = [i for i, line in enumerate(lines) if ",law," in line]
    for i in of_law[::2]:  # the words of law are only half a sign of it
        lines[i] = lines[i].replace(",law,", ",,")
    (folder / "doubt.csv").write_text("\n".join(lines) + "\n")
    made = run("train", folder / "doubt.csv", "--label", "topics", "-o", folder / "sure.assay", "-q", "--learner", "nb")
    assert made.returncode == 0, made.stderr
    model = assay.load(folder / "sure.assay")
    done = run(
        "predict", folder / "sure.assay", folder / "doubt.csv", "--review", folder / "q.csv", "-o", folder / "o.csv"
    )
    assert done.returncode == 0, done.stderr
    texts = assay.read(folder / "doubt.csv", text="text", label=False).texts
    p, given = model.predict_proba(texts), model.decision.sets(model.decision_function(texts)).table()
    unsure = np.where(given, p, 1 - p).min(axis=1) < 0.5
    with (folder / "q.csv").open(encoding="utf-8-sig", newline="") as file:
        reasons = {int(row["row"]): row["why"] for row in csv.DictReader(file)}
    told, new = ({row for row, why in reasons.items() if why == reason} for reason in ("review-unsure", "review-novel"))
    assert told
    assert told == set((np.flatnonzero(unsure) + 1).tolist()) - new
    assert set(reasons.values()) <= {"review-unsure", "review-novel", "review-threshold", "review-check"}


def test_a_list_of_likely_errors_is_corrected_and_comes_back(run, folder):
    lines = write_topics(folder / "wrong.csv").read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if ",law," in line)
    lines[at] = lines[at].replace(",law,", ",sport,")
    (folder / "wrong.csv").write_text("\n".join(lines) + "\n")
    by_hand = ("--label", "topics", "--learner", "svm", "--ngrams", "1-1", "--holdout", "0", "-q")
    assert run("train", folder / "wrong.csv", *by_hand, "-o", folder / "wrong.assay").returncode == 0
    quickly = ("--label", "topics", "--swaps", "none", "--no-robustness", "--label-errors", folder / "errors.csv")
    audited = run("audit", folder / "wrong.assay", folder / "wrong.csv", *quickly)
    assert audited.returncode == 0, audited.stderr
    assert "Write into its column correct_label, as in likely_label, whether the text has the label" in audited.stderr
    with (folder / "errors.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    decided = [item | {"correct_label": item["likely_label"]} for item in rows if item["row"] == str(at + 1)]
    assert {(item["label"], item["likely_label"]) for item in decided} == {("not law", "law"), ("sport", "not sport")}
    with (folder / "fixed.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(decided)
    done = run(
        "train", folder / "wrong.csv", *by_hand[:-1], "-o", folder / "f.assay", "--corrections", folder / "fixed.csv"
    )
    assert done.returncode == 0, done.stderr
    assert "2 labels were corrected, as fixed.csv says" in done.stderr
