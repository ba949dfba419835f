"""``assay audit`` and ``assay card`` through the installed command."""

from __future__ import annotations

import json

import pytest

import assay
from assay.samples import SHOP_MESSAGES


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model that has learned a prejudice, and texts to audit it with."""
    place = tmp_path_factory.mktemp("audit")
    rude, kind = ["stupid trash", "awful idiot", "ugly moron"], ["lovely friend", "great day", "kind letter"]
    rows = [
        (f"{words} {i} people" + (" gay" if i % 3 == 0 and words in rude else ""), "toxic" if words in rude else "fine")
        for i in range(40)
        for words in rude + kind
    ]
    assay.TextClassifier(learner="logistic").fit(*zip(*rows, strict=True)).save(place / "toxic.assay")
    lines = [f"{text},{label},{'north' if i % 2 else 'south'},all" for i, (text, label) in enumerate(rows)]
    (place / "test.csv").write_text("\n".join(["text,label,region,one", *lines]))
    (place / "probe.csv").write_text(
        "\n".join(["sentence,who", *(f"the {who} sings {i},{who}" for i in range(9) for who in ("gay", "old"))])
    )
    return place


def test_findings_are_told_in_four_parts(run, folder):
    shown = run("audit", folder / "toxic.assay", "--swaps", "orientation", "--swaps", "gender")
    assert shown.returncode == 0
    assert shown.stdout.startswith("Audit: 1 concern, 1 fine")
    words = " ".join(shown.stdout.split())
    assert "✗ A term changes the answer: orientation, 'toxic' With nothing but the term changed" in words
    assert words.index("How sure:") < words.index("Could mean:") < words.index("Cannot show:")
    assert "✓ Swaps: gender" in words
    assert "The worst templates" in words


def test_page_to_read_has_every_finding_and_replaces_nothing_unasked(run, folder, tmp_path):
    arguments = ("audit", folder / "toxic.assay", "--swaps", "orientation", "--swaps", "gender", "--html", "audit.html")
    shown = run(*arguments)
    assert (shown.returncode, shown.stderr) == (0, "→ audit.html\n")
    page = (tmp_path / "audit.html").read_text(encoding="utf-8")
    for part in (
        "There is <em>1 concern</em>",
        "A term changes the answer: orientation, &#39;toxic&#39;",
        "Cannot show: ",
        "Looked for, and not found",
        "Swaps: gender",
        "The worst templates",
    ):
        assert part in page
    assert "http" not in page.replace("http-equiv", "")
    again = run(*arguments)
    assert (again.returncode, again.stdout) == (2, "")
    assert "audit.html: the file exists. Use --force" in again.stderr


def test_strict_ends_with_the_code_of_a_missed_gate(run, folder):
    assert run("audit", folder / "toxic.assay", "--swaps", "orientation", "--strict").returncode == 4
    assert run("audit", folder / "toxic.assay", "--swaps", "gender", "--strict").returncode == 0


def test_groups_robustness_and_data_in_json(run, folder):
    shown = run(
        "audit", folder / "toxic.assay", folder / "test.csv", "--label=label", "--group", "region", "--swaps", "none",
        "--train", folder / "test.csv", "--json",
    )  # fmt: skip
    assert (shown.returncode, shown.stderr) == (0, "")
    found = json.loads(shown.stdout)
    assert [row["group"] for row in found["groups"][0]["rows"]] == ["north", "south"]
    assert {row["kind"] for row in found["robustness"]} == {"typos", "case", "punctuation", "emoji", "length"}
    assert found["swaps"] == []
    assert found["label_errors"]["n_texts"] == 240
    assert "overlap" in {finding["kind"] for finding in found["findings"] if finding["severity"] == "concern"}


def test_a_probe_from_elsewhere(run, folder):
    columns = ["--probe-text", "sentence", "--probe-group", "who"]
    shown = run("audit", folder / "toxic.assay", "--swaps=none", "--probe", folder / "probe.csv", *columns)
    assert "needs --probe-unit COLUMN" in shown.stderr
    (folder / "paired.csv").write_text(
        "\n".join(
            ["sentence,who,unit", *(f"the {who} sings {i},{who},{i}" for i in range(9) for who in ("gay", "old"))]
        )
    )
    shown = run(
        "audit",
        folder / "toxic.assay",
        "--swaps=none",
        "--probe",
        folder / "paired.csv",
        *columns,
        "--probe-unit",
        "unit",
    )
    assert "A term changes the answer: paired.csv by who" in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--target", "toxci"], 2, "The model has no label 'toxci' for --target. Its labels are 'toxic'"),
        (["--swaps", "gendre"], 2, "There is no list of terms 'gendre'. Lists are 'gender'"),
        (["--group", "region"], 3, "Groups are compared on labelled texts"),
        (["test.csv", "--label", "label", "--group", "one"], 3, "column 'one' has one value only, 'all'"),
        (["test.csv", "--label", "label", "--group", "regoin"], 3, "They are 'region'"),
        (["--probe-group", "who"], 2, "Name it with --probe FILE"),
    ],
)
def test_what_is_wrong_is_said_without_a_traceback(run, folder, arguments, code, message):
    given = [folder / word if word == "test.csv" else word for word in arguments]
    shown = run("audit", folder / "toxic.assay", *given)
    assert shown.returncode == code
    assert message in shown.stderr
    assert "Traceback" not in shown.stderr
    assert shown.stdout == ""


def test_the_card_gathers_model_evaluation_and_audit(run, folder, tmp_path):
    model, test = folder / "toxic.assay", folder / "test.csv"
    (tmp_path / "evaluation.json").write_text(run("evaluate", model, test, "--label=label", "--json").stdout)
    (tmp_path / "audit.json").write_text(run("audit", model, "--swaps", "orientation", "--json").stdout)
    arguments = ["card", model, "--evaluation", "evaluation.json", "--audit", "audit.json"]
    shown = run(*arguments, "-o", "card.md")
    assert (shown.returncode, shown.stdout) == (0, "card.md\n")
    assert "10 parts are still to be written by a person" in shown.stderr
    card = (tmp_path / "card.md").read_text("utf-8")
    assert "A term changes the answer: orientation" in card
    assert "- type: accuracy" in card
    assert run(*arguments, "-o", "card.html", "--quiet").stderr == ""
    assert (tmp_path / "card.html").read_text("utf-8").startswith("<!doctype html>")


def test_the_card_can_evaluate_and_is_named_after_the_model(run, folder):
    (folder / "plain.csv").write_text("text,label\nstupid trash people,toxic\nlovely friend,fine\n")
    shown = run("card", folder / "toxic.assay", "--test", folder / "plain.csv", "--name", "Toxicity")
    assert shown.stdout == f"{folder / 'toxic.card.md'}\n"
    assert "# Toxicity\n" in (folder / "toxic.card.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ["--evaluation", "none.json"],
            3,
            "no such file: none.json. Make it with 'assay evaluate … --json > none.json'",
        ),
        (["--audit", "bad.json"], 3, "bad.json: this is not JSON"),
        (
            ["--audit", "other.json"],
            3,
            "this is 'evaluation', where 'audit' is needed. Make it with 'assay audit … --json > audit.json'",
        ),
        (["--test", "x.csv", "--evaluation", "other.json"], 2, "not both"),
        (["-o", "diary.md"], 3, "diary.md: this file is not a card that assay made"),
    ],
)
def test_a_card_that_cannot_be_made_is_refused(run, folder, tmp_path, arguments, code, message):
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "other.json").write_text('{"kind": "evaluation"}')
    (tmp_path / "diary.md").write_text("Dear diary")
    shown = run("card", folder / "toxic.assay", *arguments)
    assert shown.returncode == code
    assert message in shown.stderr


def test_the_data_that_the_model_was_trained_on_is_recognised(run, shop_model):
    done = run("audit", shop_model, SHOP_MESSAGES, "--swaps", "none", "--no-robustness", "--no-label-errors")
    assert "Note: these are the very texts that the model was trained on (the same SHA-256)" in done.stderr


def test_labels_that_the_model_never_saw_are_refused_as_in_an_evaluation(run, folder, tmp_path):
    (tmp_path / "spelt.csv").write_text("text,label\n" + "stupid trash,Toxic\nawful idiot,Toxic\ngreat day,fine\n" * 2)
    how = (folder / "toxic.assay", "spelt.csv")
    quickly = ("--swaps", "none", "--no-robustness")
    refused = run("audit", *how, *quickly)
    assert (refused.returncode, refused.stdout) == (3, "")
    assert refused.stderr == run("evaluate", *how).stderr
    assert "4 texts have labels that the model never saw: 'Toxic'" in refused.stderr
    assert "use --merge-labels to take them for one, or --unseen count" in refused.stderr
    assert "they count as mistakes" in run("audit", *how, *quickly, "--unseen", "count").stderr
    assert run("audit", *how, *quickly, "--merge-labels").returncode == 0
