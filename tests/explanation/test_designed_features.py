"""Decisions by hand-made features, explained."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.explanation.weights import top_features
from assay.features import FunctionFeatures, JoinedVectorizer, LexiconFeatures, TemplateFeatures, TfidfVectorizer

TEXTS = ["Good good film!", "so dull, not good", "GREAT fun", "a dull mess", "?", "naïve fun 😀", "bad", "nice"] * 3
LABELS = ["pos", "neg", "pos", "neg", "neg", "pos", "neg", "pos"] * 3
TEXT = "Not good, but GREAT fun: no dull café"


@pytest.fixture(scope="module")
def model():
    parts = [
        ("words", TfidfVectorizer()),
        ("lists", LexiconFeatures({"positive": ["good", "fun"], "negative": ["dull"]}, negation=2)),
        ("templates", TemplateFeatures(["lower & case[+1]", "ngram(2)", "log-text-length"])),
        ("hashed", TemplateFeatures(["suffix(2)"], n_features=64)),
        ("functions", FunctionFeatures({"characters": len})),
    ]
    vectorizer = JoinedVectorizer(parts, scaling={"lists": "z-score", "functions": "max-abs"})
    return assay.TextClassifier(vectorizer, "logistic").fit(TEXTS, LABELS)


@pytest.mark.parametrize("text", [TEXT, "", "café", "cafe\u0301 good", "unseen"])
def test_contributions_add_up_to_the_score(model, text):
    explanation = model.explain(text)
    expected = model.decision_function([text])[0]
    assert explanation.contributions_to("pos").sum() + explanation.bias_for("pos") == pytest.approx(expected, abs=1e-12)
    shared = explanation.characters("pos").sum() + explanation.unplaced("pos")
    assert shared == pytest.approx(explanation.contributions_to("pos").sum(), abs=1e-12)


def test_features_are_named_and_stand_where_they_were_found(model):
    found = {item.feature: item for item in model.explain(TEXT).top(None)}
    assert found["positive"].kind == "hand-made"
    assert [TEXT[begin:end] for begin, end in found["positive"].places] == ["fun", "dull"]
    assert [TEXT[begin:end] for begin, end in found["negative"].places] == ["good"]
    assert found["log-text-length"].places == found["characters"].places == ()
    assert [TEXT[begin:end] for begin, end in found["good"].places] == ["good"]


def test_conjunctions_stand_on_all_their_tokens():
    features = TemplateFeatures(["lower[-1] & case[+1]", "ngram(2)"])
    model = assay.TextClassifier(features, "logistic").fit(TEXTS, LABELS)
    text = "so dull, not good"
    found = {item.feature: item for item in model.explain(text).top(None)}
    assert [text[slice(*span)] for span in found["lower[-1] & case[+1]=so|none"].places] == ["so dull,"]
    assert [text[slice(*span)] for span in found["ngram(2)=not good"].places] == ["not good"]


def test_a_marked_place_is_where_its_features_stand():
    texts = ["Mr[[.]] X", "end[[.]] He", "Dr[[.]] Y", "over[[.]] It"] * 2
    model = assay.TextClassifier(TemplateFeatures(["lower[-1]"], at="mark"), "logistic").fit(texts, list("abab") * 2)
    (item,) = model.explain("Mr[[.]] X").top(None)
    assert (item.feature, item.places) == ("lower[-1]=mr", ((2, 7),))


def test_top_features_hold_hand_made_ones(model):
    corpus = assay.read((TEXTS, LABELS))
    names = [item.feature for item in top_features(model.model, corpus, top=40)["neg"]]
    assert "negative" in names


def test_explanations_are_shown(model):
    explanation = model.explain(TEXT)
    assert "negative" in str(explanation)
    assert "positive" in explanation.to_html()
    assert np.isfinite([item["contribution"] for item in explanation.to_dict()["features"]]).all()


def test_a_value_that_scaling_made_zero_has_no_place():
    features = JoinedVectorizer([("lists", LexiconFeatures({"a": ["x"], "b": ["y"]}))], scaling={"lists": "z-score"})
    texts = ["x x y", "x", "y y y", "x x x", "x x y y"]  # the mean of x is that of its last text
    model = assay.TextClassifier(features, "logistic").fit([*texts[:4], "z"], list("ababb"))
    for text in [*texts, "x y"]:
        explanation = model.explain(text)
        shared = explanation.characters("b").sum() + explanation.unplaced("b")
        assert shared == pytest.approx(explanation.contributions_to("b").sum(), abs=1e-12)
