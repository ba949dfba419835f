"""Explanations as JSON, text and HTML: complete, and safe whatever the text holds."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest

import assay
from assay.explanation.presentation import coloured_html, explanation_page
from assay.explanation.words import text_pieces

HOSTILE = "<script>alert('loved it')</script> & <b title=\"dull\">dull</b>"


@pytest.fixture(scope="module")
def model() -> assay.TextClassifier:
    texts = ["loved it", "so dull", "great fun", "a dull mess"]
    return assay.TextClassifier(learner="logistic").fit(texts, ["<pos>", "neg", "<pos>", "neg"])


class Reader(HTMLParser):
    """Which elements a page has, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_markup_in_a_text_stays_text(model: assay.TextClassifier) -> None:
    reader = Reader()
    reader.feed(model.explain(HOSTILE).to_html())
    assert not reader.tags & {"script", "b", "pos"}
    assert HOSTILE in reader.text
    assert "<pos>" in reader.text
    assert HOSTILE not in explanation_page(model.explain(HOSTILE).to_html())


def test_marks_say_which_side_a_word_is_on(model: assay.TextClassifier) -> None:
    html = coloured_html(model.explain("loved the dull").pieces("<pos>"))
    assert '<mark class="for"' in html
    assert '<mark class="against"' in html
    assert html.count("<mark") == 2  # "the" is unknown


def test_json_holds_what_adds_up_to_the_score(model: assay.TextClassifier) -> None:
    found = json.loads(json.dumps(model.explain("loved it, so dull").to_dict("<pos>", "neg")))
    assert found["kind"] == "explanation"
    assert found["score"] == pytest.approx(found["bias"] + sum(item["contribution"] for item in found["features"]))
    assert found["score"] == pytest.approx(found["bias"] + sum(item["contribution"] for item in found["pieces"]))
    assert found["of"] == "<pos>"
    assert set(found["scores"]) == set(found["probabilities"]) == {"<pos>", "neg"}


def test_text_names_the_decision_the_features_and_what_it_hangs_on(model: assay.TextClassifier) -> None:
    lines = str(model.explain("a dull film")).splitlines()
    assert lines[0].startswith("'neg' (")
    assert lines[2].split()[0] == "dull"
    assert lines[-1] == "Without 'dull' it would be '<pos>'." or lines[-1].startswith("No removal")


def test_naive_bayes_is_shown_against_the_next_class() -> None:
    texts = ["loved it", "so dull", "how much", "loved this", "dull again", "how long"]
    model = assay.TextClassifier(learner="nb").fit(texts, ["pos", "neg", "question"] * 2)
    assert "and not" in model.explain("loved").to_html()
    # Log probabilities are below zero; the lead over another class is above it for what speaks for the label.
    assert model.explain("loved").contributions_to("pos").max() < 0
    assert model.explain("loved").contributions_to("pos", "neg").min() > 0


@pytest.mark.parametrize("text", ["", "   ", "a\tb\nc", "e\u0301te\u0301 नमस्ते สวัสดี", "\ud800 lone", "👩‍👩‍👧 ok"])
def test_pieces_are_the_text_again(text: str) -> None:
    import numpy as np

    pieces = text_pieces(text, np.ones(len(text)))
    assert "".join(piece.text for piece in pieces) == text
    assert sum(piece.contribution for piece in pieces) == len(text)
