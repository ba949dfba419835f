"""Models that are not linear: words left out one by one."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.errors import DataError, ParameterError
from assay.explanation import occlude


class Rule:
    """Knows one pair of words."""

    classes_ = np.array(["neg", "pos"])

    def __init__(self):
        self.largest = 0

    def predict_proba(self, texts):
        self.largest = max(self.largest, len(texts))
        return np.array([[0.1, 0.9] if "not bad" in text else [0.7, 0.3] for text in texts])


def test_a_word_contributes_what_is_lost_without_it():
    occlusion = occlude(Rule(), "It was not bad, at all")
    assert (occlusion.label, occlusion.ranking) == ("pos", ("pos", "neg"))
    lost = {piece.text: piece.contribution for piece in occlusion.pieces() if piece.is_word}
    assert lost == pytest.approx({"It": 0, "was": 0, "not": 0.6, "bad": 0.6, ",": 0, "at": 0, "all": 0})
    assert "".join(piece.text for piece in occlusion.pieces()) == occlusion.text
    assert [word.text for word in occlusion.top(2)] == ["not", "bad"]
    lead = {piece.text: piece.contribution for piece in occlusion.pieces("pos", "neg")}
    assert lead["not"] == pytest.approx(1.2)
    assert {piece.text: piece.contribution for piece in occlusion.pieces("neg")}["bad"] == pytest.approx(-0.6)
    assert occlusion.smallest_removal().words == ("not",)


def test_it_is_said_that_occlusion_is_not_exact():
    occlusion = occlude(Rule(), "<b>not bad</b>")
    assert not occlusion.exact
    found = occlusion.to_dict()
    assert (found["kind"], found["exact"], found["label"]) == ("occlusion", False, "pos")
    assert "Not exact" in found["method"]
    assert "Not exact" in str(occlusion)
    assert "Not exact" in occlusion.to_html()
    assert "<b>" not in occlusion.to_html()
    assert "pos" in repr(occlusion)


def test_a_model_is_asked_about_a_limited_number_of_texts_at_once():
    rule = Rule()
    occlusion = occlude(rule, "word " * 1000)
    assert len(occlusion.without) == 1000
    assert rule.largest <= 256


def test_a_text_without_words_has_a_decision_and_no_contributions():
    for text in ("", "  \n"):
        occlusion = occlude(Rule(), text)
        assert (occlusion.label, occlusion.top(None)) == ("neg", [])
        assert occlusion.smallest_removal() is None


def test_learners_that_are_not_linear_are_occluded():
    things = ["film", "book", "play", "song", "game", "poem"]
    texts, labels = [f"{how} {thing}" for thing in things for how in ("good", "bad")], ["+", "-"] * len(things)
    classifier = assay.TextClassifier(learner="voted-perceptron", calibration="sigmoid").fit(texts, labels)
    occlusion = occlude(classifier, "a good film")
    assert occlusion.label == "+"
    np.testing.assert_array_equal(occlusion.without, classifier.predict_proba(["good film", "a film", "a good"]))
    again = occlude(classifier, "a good film")
    assert (occlusion.without == again.without).all()


def test_of_a_linear_model_both_ways_point_at_the_same_word():
    texts, labels = ["good film", "bad film", "good book", "bad book"] * 5, ["+", "-"] * 10
    classifier = assay.TextClassifier(learner="logistic").fit(texts, labels)
    assert (
        occlude(classifier, "such a bad film").top(1)[0].text == classifier.explain("such a bad film").top(1)[0].feature
    )


class Broken(Rule):
    def __init__(self, table):
        self.table = table

    def predict_proba(self, texts):
        return self.table


@pytest.mark.parametrize(
    ("model", "text", "kind", "message"),
    [
        (Rule(), ["several"], DataError, "takes one text, as a str. Got list instead"),
        (object(), "a", ParameterError, "object has no classes_ and no predict_proba: calibrate it"),
        (Broken(np.ones((1, 2))), "two words", DataError, r"gave a table of shape \(1, 2\) for 3 texts and 2 classes"),
        (Broken(np.full((2, 2), np.nan)), "one", DataError, "gave NaN or infinity"),
    ],
)
def test_mistakes_about_occlusion_are_said(model, text, kind, message):
    with pytest.raises(kind, match=message):
        occlude(model, text)


def test_a_label_that_is_none_is_said():
    occlusion = occlude(Rule(), "not bad")
    with pytest.raises(ParameterError, match=r"no class 'nag'. Its classes are 'neg', 'pos'"):
        occlusion.pieces("nag")
    with pytest.raises(ParameterError, match="held against itself: 'pos'"):
        occlusion.pieces("pos", "pos")
