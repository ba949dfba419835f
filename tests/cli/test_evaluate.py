"""``assay evaluate`` and ``assay compare`` through the installed command."""

from __future__ import annotations

import json

import pytest

from assay.samples import SHOP_MESSAGES


def test_metrics_are_shown_with_their_intervals(run, shop_model):
    shown = run("evaluate", shop_model, SHOP_MESSAGES)
    assert shown.returncode == 0
    assert "Evaluation on 549 documents of 5 classes, with 95% intervals" in shown.stdout
    assert "macro_f1" not in shown.stderr
    assert "labels are in column 'label'" in shown.stderr


def test_json_has_metrics_and_gates(run, shop_model):
    shown = run("evaluate", shop_model, SHOP_MESSAGES, "--json", "--min", "accuracy=0.5", "--max", "log_loss=9")
    facts = json.loads(shown.stdout)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert (facts["kind"], facts["n_documents"]) == ("evaluation", 549)
    assert [(gate["option"], gate["metric"], gate["passed"]) for gate in facts["gates"]] == [
        ("--min", "accuracy", True),
        ("--max", "log_loss", True),
    ]
    assert facts["gates"][0]["estimate"] == facts["metrics"]["accuracy"]


def test_a_gate_that_is_missed_ends_with_code_4_and_says_which(run, shop_model):
    shown = run("evaluate", shop_model, SHOP_MESSAGES, "-q", "--min", "macro_f1=0.9999", "--min", "recall:praise=0.1")
    assert shown.returncode == 4
    assert shown.stderr.startswith("Missed: macro_f1 is 0.9")
    assert shown.stderr.rstrip().endswith("but must be at least 0.9999.")
    assert len(shown.stderr.splitlines()) == 1
    assert "Evaluation on 549 documents" in shown.stdout


def test_the_same_seed_gives_the_same_intervals(run, shop_model):
    first, second, other = (
        run(
            "evaluate", shop_model, SHOP_MESSAGES, "-q", "--resamples", "50", "--seed", seed, "--threads", threads
        ).stdout
        for seed, threads in (("1", "1"), ("1", "2"), ("2", "1"))
    )
    assert first == second
    assert first != other


@pytest.fixture
def strange(tmp_path):
    (tmp_path / "strange.csv").write_text(
        "text,label\nWhere is my parcel,delivery\nmy card is declined,payment\nbuy now,spam\nbuy it,spam\n"
    )
    return "strange.csv"


def test_labels_that_training_never_saw_are_refused_with_the_way_out(run, shop_model, strange):
    shown = run("evaluate", shop_model, strange)
    assert (shown.returncode, shown.stdout) == (3, "")
    assert (
        "strange.csv: 2 texts have labels that the model never saw: 'spam' (the first: strange.csv, row 4)"
        in shown.stderr
    )
    assert "--unseen count" in shown.stderr


def test_unseen_labels_can_be_counted_or_skipped(run, shop_model, strange):
    counted = json.loads(run("evaluate", shop_model, strange, "--json", "--unseen", "count").stdout)
    assert counted["n_documents"] == 4
    shown = run("evaluate", shop_model, strange, "--unseen", "skip")
    assert "Evaluation on 2 documents" in shown.stdout
    assert "they are left out" in shown.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["MODEL", "DATA", "--min", "macrof1=0.8"], 2, "There is no metric 'macrof1'. Metrics are 'macro_f1'"),
        (["MODEL", "DATA", "--min", "recall:prais=0.8"], 2, "There is no label 'prais'. Labels are 'praise'"),
        (["MODEL", "DATA", "--min", "accuracy"], 2, "--min accuracy: write it as METRIC=VALUE"),
        (["MODEL", "DATA", "--min", "accuracy=high"], 2, "write it as METRIC=VALUE"),
        (["MODEL", "DATA", "--min", "log_loss=1"], 2, "of log_loss, less is better. Use --max log_loss=1."),
        (["MODEL", "DATA", "--max", "accuracy=1"], 2, "of accuracy, more is better. Use --min accuracy=1."),
        (["MODEL", "DATA", "--unseen", "cont"], 2, "--unseen must be one of 'count'"),
        (["MODEL", "DATA", "--label", "text"], 3, "--text and --label both name the column 'text'"),
        (["MODEL", "alien.csv"], 3, "not one label is known to the model."),
        (["MODEL", "plain.csv"], 3, "the texts have no labels"),
        (["MODEL", "other.csv"], 3, "there is no column 'text', which held the texts that the model was trained on"),
        (["MODEL", "single.csv"], 3, "The test set: all"),
        (["DATA", "DATA"], 3, "this is no model"),
    ],
)
def test_what_is_wrong_is_said_without_a_traceback(run, shop_model, tmp_path, arguments, code, message):
    (tmp_path / "alien.csv").write_text("text,label\na b,x\nc d,y\n")
    (tmp_path / "plain.csv").write_text("text\nthe first\nthe second\n")
    (tmp_path / "other.csv").write_text("review,label\na b,payment\nc d,praise\n")
    (tmp_path / "single.csv").write_text("text,label\na b,payment\nc d,payment\n")
    given = [{"MODEL": shop_model, "DATA": SHOP_MESSAGES}.get(item, item) for item in arguments]
    shown = run("evaluate", *given)
    assert message in shown.stderr
    assert (shown.returncode, shown.stdout) == (code, "")
    assert "Traceback" not in shown.stderr


def test_one_class_can_be_measured_when_asked_for(run, shop_model, tmp_path):
    (tmp_path / "single.csv").write_text("text,label\nmy card is declined,payment\nsend the invoice,payment\n")
    assert run("evaluate", shop_model, "single.csv", "--allow-one-class").returncode == 0


def test_two_models_are_compared_under_their_names(run, shop_model, score_model):
    shown = run("compare", shop_model, score_model, SHOP_MESSAGES, "--metric", "accuracy", "--resamples", "200")
    assert shown.returncode == 0
    assert "shop against scores on 549 documents" in shown.stdout
    assert "Conclusion" in shown.stdout


def test_comparison_as_json(run, shop_model, score_model):
    facts = json.loads(run("compare", shop_model, score_model, SHOP_MESSAGES, "--test", "mcnemar", "--json").stdout)
    assert (facts["kind"], facts["first"], facts["second"], facts["metric"]) == (
        "comparison",
        "shop",
        "scores",
        "accuracy",
    )


def test_three_models_are_compared_pair_by_pair(run, shop_model, score_model):
    arguments = (shop_model, score_model, shop_model, SHOP_MESSAGES, "--resamples", "100", "--json")
    facts = json.loads(run("compare", *arguments).stdout)
    assert (facts["kind"], len(facts["pairs"])) == ("comparisons", 3)
    assert facts["pairs"][1]["second"].endswith("shop.assay (2)")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["MODEL", "DATA"], 2, "compare takes two models or more, and then the data."),
        (["MODEL", "MODEL", "DATA", "--test", "mcnemr"], 2, "test must be one of 'mcnemar'"),
        (["MODEL", "MODEL", "DATA", "--metric", "acuracy"], 2, "There is no metric 'acuracy'. Metrics are 'accuracy'"),
        (["MODEL", "DATA", "DATA"], 3, "this is no model"),
    ],
)
def test_comparisons_that_cannot_be_made(run, shop_model, arguments, code, message):
    given = [{"MODEL": shop_model, "DATA": SHOP_MESSAGES}.get(item, item) for item in arguments]
    shown = run("compare", *given)
    assert message in shown.stderr
    assert (shown.returncode, shown.stdout) == (code, "")


def test_an_evaluation_is_written_as_a_page_beside_the_same_answer(run, shop_model, tmp_path):
    plain = run("evaluate", shop_model, SHOP_MESSAGES, "--json")
    written = run("evaluate", shop_model, SHOP_MESSAGES, "--json", "--html", "page.html")
    assert (written.returncode, written.stdout) == (0, plain.stdout)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "How good is " in page
    assert "knows these texts" in page  # it was trained on them
    for part in ("The result", "Class by class", "What is taken for what", "How far to trust it", "Mistakes"):
        assert part in page
    refused = run("evaluate", shop_model, SHOP_MESSAGES, "--html", "page.html")
    assert refused.returncode == 2
    assert "page.html: the file exists. Use --force" in refused.stderr
    assert run("evaluate", shop_model, SHOP_MESSAGES, "-q", "--html", "page.html", "-f").returncode == 0


def test_a_comparison_is_written_as_a_page_beside_the_same_answer(run, shop_model, score_model, tmp_path):
    plain = run("compare", shop_model, score_model, SHOP_MESSAGES, "--json")
    written = run("compare", shop_model, score_model, SHOP_MESSAGES, "--json", "--html", "page.html")
    assert (written.returncode, written.stdout) == (0, plain.stdout)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    found = json.loads(plain.stdout)
    assert f"Is {found['first']} or {found['second']} better?" in page
    assert "The test: paired bootstrap test" in page
    assert 'Macro F1 <span class="tag">tested</span>' in page
    assert "Texts on which they differ" in page


def test_a_comparison_of_three_models_is_a_page_of_their_pairs(run, shop_model, score_model, tmp_path):
    models = (shop_model, score_model, shop_model)
    assert run("compare", *models, SHOP_MESSAGES, "-q", "--resamples", "200", "--html", "page.html").returncode == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Which of 3 models is best on these 549 texts?" in page
    assert "Holm" in page
