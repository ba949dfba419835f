"""``assay explain`` through the installed command."""

from __future__ import annotations

import json

import pytest

import assay

TEXTS = ["loved it", "so dull", "great fun", "a dull mess", "why though", "why not"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "films.assay"
    assay.TextClassifier(learner="logistic").fit(TEXTS, ["pos", "neg", "pos", "neg", "a question", "a question"]).save(
        path
    )
    return path


def test_decision_words_features_and_removal_are_shown(run, model):
    shown = run("explain", model, "Great, but dull")
    assert (shown.returncode, shown.stderr) == (0, "")
    words = " ".join(shown.stdout.split())
    assert "What speaks for 'neg', by word and by feature:" in words
    assert "dull +" in words
    assert "bias" in words
    assert "Without 'dull' it would be 'pos'." in words


def test_colours_appear_on_a_terminal_only_and_not_with_no_color(on_terminal, run, model):
    assert b"\x1b[" in on_terminal("stdout", "explain", model, "so dull")
    assert b"48;" in on_terminal("stdout", "explain", model, "so dull", COLORTERM="truecolor")
    plain = on_terminal("stdout", "explain", model, "so dull", NO_COLOR="1")
    assert b"48;" not in plain  # no coloured ground; bold and underlined words may stay
    assert b"dull" in plain
    assert "\x1b" not in run("explain", model, "so dull").stdout


def test_text_comes_from_standard_input(run, model):
    assert run("explain", model, "-", stdin="so dull\n").stdout == run("explain", model, "so dull").stdout


def test_json_is_complete(run, model):
    found = json.loads(run("explain", model, "Great, but dull", "--json", "--class", "pos", "--against", "neg").stdout)
    assert found["text"] == "Great, but dull"
    assert (found["label"], found["of"], found["against"]) == ("neg", "pos", "neg")
    total = found["bias"] + sum(item["contribution"] for item in found["features"])
    assert found["score"] == pytest.approx(total)
    assert found["smallest_removal"] == {"words": ["dull"], "label": "pos"}


def test_page_is_written_and_escaped(run, model, tmp_path):
    done = run("explain", model, "<script>alert('dull')</script>", "--html", "why.html")
    assert done.returncode == 0
    page = (tmp_path / "why.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;" in page
    assert 'class="for"' in page


def test_without_a_text_what_speaks_for_each_class_is_shown(run, model):
    shown = run("explain", model, "--top", "2").stdout
    assert [line for line in shown.splitlines() if line and not line.startswith(" ")] == ["a question", "neg", "pos"]
    found = json.loads(run("explain", model, "--class", "neg", "--json").stdout)
    assert list(found["features"]) == ["neg"]
    assert found["features"]["neg"][0]["feature"] == "dull"


def test_control_characters_of_a_text_reach_no_terminal(run, model):
    assert "\x1b" not in run("explain", model, "dull \x1b[31m mess").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("so dull", "--class", "nag"), 2, "no class 'nag'. Its classes are 'neg', "),
        (("--class", "nag"), 2, "no class 'nag'. Its classes are 'neg', "),
        (("so dull", "--against", "neg"), 2, "held against itself: 'neg'. The others are 'a question', 'pos'."),
        (("so dull", "--html", "nowhere/why.html"), 3, "the folder 'nowhere' does not exist"),
    ],
)
def test_mistakes_are_said_with_the_way_out(run, model, arguments, code, message):
    done = run("explain", model, *arguments)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_is_no_model_is_refused(run, tmp_path):
    (tmp_path / "no.assay").write_text("text,label\n")
    done = run("explain", "no.assay", "hello")
    assert done.returncode == 3
    assert "no.assay" in done.stderr
