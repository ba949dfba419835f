"""``assay explain`` through the installed command."""

from __future__ import annotations

import json

import pytest

import assay

TEXTS = ["loved it", "so dull", "great fun", "a dull mess", "why though", "why not"]
LABELS = ["pos", "neg", "pos", "neg", "a question", "a question"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "films.assay"
    assay.TextClassifier(learner="logistic").fit(TEXTS, LABELS).save(path)
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
    assert "<script>alert" not in page  # the frame has a script of its own
    assert "&lt;" in page
    assert 'class="for"' in page


def test_without_a_text_what_speaks_for_each_class_is_shown(run, model):
    shown = run("explain", model, "--top", "2").stdout
    assert [line for line in shown.splitlines() if line and not line.startswith(" ")] == ["a question", "neg", "pos"]
    found = json.loads(run("explain", model, "--class", "neg", "--json").stdout)
    assert list(found["features"]) == ["neg"]
    assert found["features"]["neg"][0]["feature"] == "dull"


@pytest.fixture
def documents(tmp_path):
    (tmp_path / "films.csv").write_text(
        "text,label\n" + "".join(f"{text},{label}\n" for text, label in zip(TEXTS, LABELS, strict=True))
    )
    return "films.csv"


def test_the_nearest_documents_are_shown_written_and_given_as_json(run, model, documents, tmp_path):
    asked = ("explain", model, "Great, but dull", "--data", documents, "--nearest", "2")
    shown = run(*asked, "--html", "why.html", "--quiet")
    assert (shown.returncode, shown.stderr) == (0, "")
    words = " ".join(shown.stdout.split())
    assert "The documents most like it:" in words
    assert "pos, document 3; shared: great great fun" in words
    assert "neg, document 2; shared: dull so dull" in words
    assert "The documents most like it:" in (tmp_path / "why.html").read_text(encoding="utf-8")
    found = json.loads(run(*asked, "--json").stdout)["nearest"]
    assert [(near["position"], near["label"], near["shared"]) for near in found] == [
        (2, "pos", ["great"]),
        (1, "neg", ["dull"]),
    ]
    by_decision = json.loads(run(*asked, "--json", "--nearest-by", "decision").stdout)["nearest"]
    assert by_decision[0]["label"] == "neg"


def test_documents_need_no_labels_to_be_near(run, model, tmp_path):
    (tmp_path / "texts.csv").write_text("text\nso dull\ngreat\n")
    found = run("explain", model, "dull", "--data", "texts.csv", "--unlabelled", "--nearest", "1", "--json")
    assert json.loads(found.stdout)["nearest"][0] == {
        "position": 0, "text": "so dull", "label": None, "similarity": pytest.approx(0.5, abs=0.2), "shared": ["dull"],
    }  # fmt: skip


def test_with_documents_features_are_counted_and_shown_in_their_text(run, model, documents):
    shown = run("explain", model, "--data", documents, "--class", "neg", "--top", "1")
    assert "texts here" in shown.stdout
    assert "dull" in shown.stdout
    assert "so dull" in shown.stdout
    (item,) = json.loads(run("explain", model, "--data", documents, "--class", "neg", "--top", "1", "--json").stdout)[
        "features"
    ]["neg"]
    assert (item["feature"], item["inside"], item["outside"], item["example"]) == ("dull", 2, 0, "so dull")


def test_hashed_features_get_their_names_from_documents(run, documents, tmp_path):
    from assay.features import HashingVectorizer

    assay.TextClassifier(HashingVectorizer(), "logistic").fit(TEXTS, LABELS).save(tmp_path / "hashed.assay")
    assert "column " in run("explain", "hashed.assay", "--class", "neg", "--top", "1").stdout
    assert "dull" in run("explain", "hashed.assay", "--class", "neg", "--top", "1", "--data", documents).stdout


def test_prototypes_are_shown_written_and_given_as_json(run, model, documents, tmp_path):
    asked = ("explain", model, "--data", documents, "--prototypes", "1")
    shown = run(*asked, "--html", "classes.html").stdout
    assert "neg, 2 documents" in shown
    assert "What each class is like" in (tmp_path / "classes.html").read_text(encoding="utf-8")
    found = json.loads(run(*asked, "--json").stdout)["prototypes"]
    assert list(found) == ["a question", "neg", "pos"]
    assert found["neg"]["features"][0]["feature"] == "dull"


def test_groups_are_measured_also_by_training_again(run, model, documents, tmp_path):
    asked = ("explain", model, "--data", documents, "--groups", "--metric", "accuracy")
    shown = " ".join(run(*asked, "--html", "groups.html").stdout.split())
    assert "the weights of each group set to zero" in shown
    assert "pairs" in shown
    assert "pairs of words" in (tmp_path / "groups.html").read_text(encoding="utf-8")
    found = json.loads(run(*asked, "--retrain", documents, "--json").stdout)["groups"]
    assert found["retrained"]
    assert {group["group"] for group in found["groups"]} == {"single words", "pairs of words"}


def test_control_characters_of_a_text_reach_no_terminal(run, model):
    assert "\x1b" not in run("explain", model, "dull \x1b[31m mess").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("so dull", "--class", "nag"), 2, "no class 'nag'. Its classes are 'neg', "),
        (("--class", "nag"), 2, "no class 'nag'. Its classes are 'neg', "),
        (("so dull", "--against", "neg"), 2, "held against itself: 'neg'. The others are 'a question', 'pos'."),
        (("so dull", "--html", "nowhere/why.html"), 3, "the folder 'nowhere' does not exist"),
        (("so dull", "--nearest", "3"), 2, "--nearest: needs documents: give them with --data FILE."),
        (("--nearest", "3"), 2, "--nearest: asks about a text: give one after the model."),
        (("so dull", "--groups"), 2, "--groups: asks about the model: leave the text out."),
        (("--prototypes", "2"), 2, "--prototypes: needs documents: give them with --data FILE."),
        (("--retrain", "x.csv"), 2, "--retrain: goes with --groups"),
        (("so dull", "--nearest", "3", "--data", "none.csv"), 3, "no such file: none.csv"),
        (("nosuch.csv",), 2, "nosuch.csv: this looks like the name of a file, and 'assay explain' takes one text."),
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


def test_the_page_that_is_written_is_named(run, shop_model, tmp_path):
    done = run("explain", shop_model, "Where is my parcel?", "--html", "why.html")
    assert (done.returncode, done.stderr) == (0, "→ why.html\n")
    assert (tmp_path / "why.html").is_file()


def test_the_name_of_a_file_is_no_text_unless_that_is_said(run, model, tmp_path):
    (tmp_path / "truth.csv").write_text("text,label\nso dull,neg\n")
    done = run("explain", model, "truth.csv")
    assert (done.returncode, done.stdout) == (2, "")
    assert "truth.csv: this is a file, and 'assay explain' takes one text." in done.stderr
    assert "add --literal" in done.stderr
    assert run("explain", model, "truth.csv", "--literal").returncode == 0
