"""Explanations of models that join n-grams with features made by hand."""

from __future__ import annotations

import pytest

from assay import TextClassifier
from assay.explanation.weights import top_features
from assay.features import CountVectorizer, JoinedVectorizer, Lexicon, LexiconFeatures


@pytest.fixture(scope="module")
def model():
    happy = Lexicon.of_words(["good", "great"])
    vectorizer = JoinedVectorizer([("words", CountVectorizer()), ("lexicon", LexiconFeatures({"happy": happy}))])
    texts = ["a good film", "great fun", "a dull mess", "so boring"]
    return TextClassifier(vectorizer, "logistic").fit(texts, ["pos", "pos", "neg", "neg"])


def test_terms_of_hand_made_features_are_named_and_the_sum_is_the_score(model):
    explained = model.explain("a great mess")
    kinds = {item.feature: item.kind for item in explained.top(1000)}
    assert kinds["great"] == "word"
    designed = [name for name, kind in kinds.items() if kind == "designed"]
    assert any("happy" in name for name in designed)
    total = sum(item.contribution for item in explained.top(1000)) + model.model.bias[0]
    assert total == pytest.approx(model.decision_function(["a great mess"])[0])


def test_hand_made_features_colour_no_characters(model):
    explained = model.explain("great")
    of_words = sum(item.contribution for item in explained.top(1000) if item.kind == "word")
    assert explained.characters().sum() == pytest.approx(of_words)


def test_hand_made_features_are_among_the_top_features(model):
    names = [item.feature for item in top_features(model.model, top=20)["pos"]]
    assert any("happy" in name for name in names)
