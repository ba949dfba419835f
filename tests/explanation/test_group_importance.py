"""How much each group of features matters."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.errors import DataError, ParameterError
from assay.explanation import FeatureGroup, feature_groups, group_importance
from assay.features import HashingVectorizer, JoinedVectorizer, LexiconFeatures, TemplateFeatures, TfidfVectorizer
from assay.learners import LogisticRegression, MultinomialNB


def documents(n: int, seed: int) -> assay.Corpus:
    """The label is in the order of two words: pairs know it, single words do not."""
    random = np.random.default_rng(seed)
    labels = random.choice(["forth", "back"], n)
    noise = random.choice(["so", "well", "then", "there"], n)
    texts = [
        f"{word} {'up down' if label == 'forth' else 'down up'}" for word, label in zip(noise, labels, strict=True)
    ]
    return assay.read((texts, labels.tolist()))


@pytest.fixture(scope="module")
def model():
    return assay.TextClassifier(learner="logistic").fit(documents(200, 0)).model


def test_groups_hold_every_column_once():
    parts = [
        ("words", TfidfVectorizer(ngram_range=(1, 3))),
        ("chars", TfidfVectorizer(analyzer="char", ngram_range=(2, 3))),
        ("inside", TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 2))),
        ("hashed", HashingVectorizer(n_features=32, ngram_range=(1, 2))),
        ("lists", LexiconFeatures({"good": ["fun"]})),
        ("templates", TemplateFeatures(["lower", "lower & lower[+1]", "log-text-length"])),
        ("hashed templates", TemplateFeatures(["suffix(2)"], n_features=16)),
        ("again", TfidfVectorizer()),
    ]
    texts, labels = ["so much fun = joy", "so very dull", "fun fun fun", "a dull mess"], ["+", "-", "+", "-"]
    vectorizer = JoinedVectorizer(parts, scaling={"lists": "max-abs"})
    model = assay.TextClassifier(vectorizer, "logistic").fit(texts, labels).model
    groups = feature_groups(model)
    assert [group.name for group in groups] == [
        "single words (1)", "pairs of words", "runs of 3 words", "characters", "characters inside words",
        "runs of 1–2 words", "lexicons", "template lower", "template lower & lower[+1]", "template log-text-length",
        "templates", "single words (2)",
    ]  # fmt: skip
    assert np.sort(np.concatenate([group.columns for group in groups])).tolist() == list(range(model.n_features))
    words, templates = (model.features[b].names() for b in (0, 5))
    assert all(words[j].count(" ") == 2 for j in groups[2].columns)
    first = min(group.columns[0] for group in groups[7:10])
    assert all(templates[j - first].startswith("lower=") for j in groups[7].columns)


def test_the_group_that_knows_is_missed_and_the_other_is_not(model):
    found = group_importance(model, documents(200, 1), metric="accuracy", n_resamples=500)
    first, second = found.effects
    assert (first.name, second.name) == ("pairs of words", "single words")
    assert found.value == 1.0
    assert 0.3 < first.loss < 0.7
    assert first.comparison.difference.low > 0.2
    assert first.comparison.significant
    assert second.loss == 0
    assert not second.comparison.significant
    assert first.share > second.share
    assert first.share + second.share == pytest.approx(1)


def test_silencing_a_group_is_setting_its_weights_to_zero(model):
    from dataclasses import replace

    corpus = documents(50, 2)
    for group in feature_groups(model):
        weights = model.weights.copy()
        weights[group.columns] = 0
        silent = replace(model, weights=weights)
        found = {e.name: e for e in group_importance(model, corpus, metric="accuracy", n_resamples=100).effects}
        expected = np.mean(silent.predict(corpus) == np.array(corpus.label_names)[corpus.classes])
        assert found[group.name].comparison.second_value == pytest.approx(expected)


def test_other_features_take_over_in_a_model_trained_again():
    texts, labels = ["good film", "bad film", "good book", "bad book"] * 15, ["+", "-"] * 30
    corpus = assay.read((texts, labels))
    model = assay.TextClassifier(learner="logistic").fit(corpus).model
    columns = [FeatureGroup(name, np.array([j])) for j, name in enumerate(model.features[0].names())]
    found = group_importance(model, corpus, groups=columns, train=corpus, n_resamples=100)
    assert found.retrained
    assert all(effect.loss == 0 for effect in found.effects)  # the pair says the same as the word
    assert "trained again without each group" in " ".join(str(found).split())


def test_the_learner_that_is_trained_again_can_be_chosen(model):
    corpus = documents(60, 3)
    of = {
        type(learner).__name__: group_importance(model, corpus, train=corpus, learner=learner, n_resamples=50).to_dict()
        for learner in (LogisticRegression(C=1e-6), MultinomialNB())
    }
    assert of["LogisticRegression"] != of["MultinomialNB"]


def test_the_same_is_found_every_time_and_by_any_number_of_threads(model):
    corpus = documents(80, 4)
    settings = {"n_resamples": 200, "seed": 3}
    once = group_importance(model, corpus, threads=1, **settings).to_dict()
    assert once == group_importance(model, corpus, threads=2, **settings).to_dict()
    assert once["groups"][0]["loss"]["low"] <= once["groups"][0]["loss"]["value"]


def test_a_rule_that_abstains_is_asked_for_its_nearest_label():
    from assay.prediction.decision_rule import DecisionRule

    corpus = documents(60, 5)
    rule = DecisionRule(("back", "forth"), "threshold", np.array([0.5]), 1, abstain_below=0.999)
    classifier = assay.TextClassifier(learner="logistic", rule=rule).fit(corpus)
    assert None in classifier.predict(corpus).tolist()
    assert group_importance(classifier.model, corpus, n_resamples=50).value == 1.0


def test_mistakes_about_groups_are_said(model):
    corpus = documents(20, 6)
    bare = assay.read(["up down"], label=False)
    with pytest.raises(DataError, match="have no labels, so nothing can be measured"):
        group_importance(model, bare)
    with pytest.raises(DataError, match="have no labels, so nothing can be learned"):
        group_importance(model, corpus, train=bare)
    words = assay.TextClassifier(TfidfVectorizer()).fit(corpus).model
    with pytest.raises(
        ParameterError, match="one group of features only, 'single words': there is nothing to leave out"
    ):
        group_importance(words, corpus)
