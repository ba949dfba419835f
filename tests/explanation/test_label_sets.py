"""Explanations of models that give sets of labels: why this label, why not that."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import assay
from assay import TextClassifier
from assay.errors import ParameterError
from assay.explanation import class_prototypes, group_importance, occlude, top_features
from assay.explanation.label_decisions import given_by, score_bars
from assay.explanation.presentation import decision_sentence, explanation_text, labels_to_show, removal_sentence
from assay.learners import LogisticRegression
from assay.prediction.set_decision import SetDecision
from assay.prediction.set_rule import SetRule

TEXT = "The machine charged me a fee for parking"
SMALL = ["red blue", "blue green", "red green", "white"] * 5, [["a"], ["b"], ["a", "b"], []] * 5


@pytest.fixture(scope="module")
def corpus():
    return assay.samples.load_sample(multi_label=True)


@pytest.fixture(scope="module")
def model(corpus):
    fitted = TextClassifier(learner="logistic", threads=1).fit(corpus).model
    return replace(fitted, rule=SetRule(fitted.labels, "each", np.full(len(fitted.labels), 0.25)))


@pytest.fixture(scope="module")
def explanation(model):
    from assay.explanation.decision import explain

    return explain(model, TEXT)


def test_label_is_the_tuple_that_predict_gives_and_ranking_is_by_probability(model, explanation):
    assert explanation.label == model.predict([TEXT])[0] == ("fees", "parking")
    order = [explanation.probabilities[explanation.labels.index(label)] for label in explanation.ranking]
    assert order == sorted(order, reverse=True)


def test_contributions_and_bias_sum_to_each_score(model, explanation):
    totals = explanation.contributions.sum(axis=0) + explanation.bias
    np.testing.assert_allclose(totals, model.decision_function([TEXT])[0], rtol=1e-9)
    characters = explanation.characters("parking").sum() + explanation.unplaced("parking")
    np.testing.assert_allclose(
        characters + explanation.bias_for("parking"), explanation.score_for("parking"), rtol=1e-6
    )


def test_distance_is_that_from_the_score_at_which_the_label_is_given(model, explanation):
    for item in explanation.decisions:
        assert item.given == (item.distance >= 0)
        needed = item.score - item.distance
        np.testing.assert_allclose(1 / (1 + np.exp(-needed)), item.threshold, atol=1e-6)


def test_a_single_label_has_one_score_and_no_other_side():
    fitted = TextClassifier(learner="logistic", threads=1).fit(
        ["rain today", "sun", "rain", "wind"] * 5, [["rain"], [], ["rain"], []] * 5
    )
    found = fitted.explain("rain again")
    assert found.label == ("rain",)
    assert found.contributions.shape[1] == 1
    assert found.contributions_to("rain").sum() > 0
    assert top_features(fitted.model)["rain"][0].feature == "rain"


def test_removal_changes_whether_the_label_is_given(model, explanation):
    removal = explanation.smallest_removal("parking")
    assert removal.words == ("parking",)
    assert "parking" not in removal.label
    assert removal.label == model.predict([removal.text])[0]
    assert removal_sentence(explanation, "parking") == "Without 'parking' it would not be given 'parking'."
    assert "changes whether 'noise' is given" in removal_sentence(explanation, "noise")


def test_a_label_that_words_keep_away_is_given_without_them():
    texts, sets = ["rain today", "rain indoors", "sun today", "wind"] * 6, [["wet"], [], [], []] * 6
    found = TextClassifier(learner="logistic", threads=1).fit(texts, sets).explain("rain today indoors")
    assert found.label == ()
    removal = found.smallest_removal("wet")
    assert (removal.words, removal.label) == (("indoors",), ("wet",))
    assert removal_sentence(found, "wet") == "Without 'indoors' it would be given 'wet'."


def test_nothing_is_held_against_another_label(explanation):
    with pytest.raises(ParameterError, match=r"decides about each by itself.*ask about 'noise' alone"):
        explanation.contributions_to("parking", "noise")


def test_words_json_and_html_name_every_label_and_its_threshold(explanation):
    told = explanation_text(explanation)
    assert told.startswith("'fees' (")
    assert "'parking' is given: its probability is" in told
    found = json.loads(json.dumps(explanation.to_dict(label="noise", top=3)))
    assert found["label"] == ["fees", "parking"]
    assert [item["label"] for item in found["labels"]] == list(explanation.ranking)
    assert found["of"] == "noise"
    page = explanation.to_html()
    assert page.count("<h2>") == 2
    assert "given from" in page


def test_where_no_label_is_given_the_nearest_is_shown(model):
    found = assay.explanation.explain(model, "hello")
    assert found.label == ()
    assert str(found).startswith("No label; ")
    nearest = max(found.decisions, key=lambda item: item.distance).label
    assert labels_to_show(found) == [nearest]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (SetRule(("a", "b"), "top", np.empty(0), 1), "the most probable labels are given"),
        (SetRule(("a", "b"), "each", np.array([1.5, 1.5])), "the model never gives it"),
        (SetRule(("a", "b"), "at-least-one", np.array([0.99999, 0.99999])), "none reached its own"),
        (None, "given from 50.0% on"),
    ],
)
def test_every_rule_is_said_in_words(rule, said):
    fitted = TextClassifier(learner="logistic", threads=1).fit(*SMALL)
    found = assay.explanation.explain(replace(fitted.model, rule=rule), "red")
    assert said in decision_sentence(found.decisions[0])
    assert str(found)


def test_scores_alone_are_given_above_zero():
    assert score_bars(SetDecision(("a", "b"))).tolist() == [0.0, 0.0]
    fitted = TextClassifier(learner="perceptron", threads=1).fit(*SMALL)
    found = fitted.explain("red")
    assert decision_sentence(found.decisions[0]).endswith("it is given above 0.")


def test_what_a_model_has_learned_of_each_label(model, corpus):
    found = top_features(model, corpus, top=3)
    first = found["documents"][0]
    texts = corpus.texts.to_pylist()
    has = corpus.label_sets.having(list(corpus.label_names).index("documents"))
    contains = np.array([first.feature in text.lower() for text in texts])
    assert (first.inside, first.outside) == (int((contains & has).sum()), int((contains & ~has).sum()))
    assert first.lead is None  # no other label is held against it
    prototypes = class_prototypes(model, corpus, documents=1, features=2)
    assert prototypes["noise"].n_documents == 33
    groups = group_importance(model, corpus, n_resamples=200)
    assert {effect.name for effect in groups.effects} == {"single words", "pairs of words"}
    with pytest.raises(ParameterError, match="not meant for models that give sets of labels"):
        group_importance(model, corpus, train=corpus)


def test_leaving_words_out_shows_one_label_of_a_set(model, corpus):
    fitted = TextClassifier(learner=LogisticRegression(C=100.0), threads=1).fit(corpus)
    found = occlude(fitted, TEXT)
    assert found.label == fitted.explain(TEXT).label
    without = fitted.predict_proba([TEXT, TEXT.replace(" parking", "")])[:, fitted.labels.index("parking")]
    piece = next(piece for piece in found.pieces("parking") if piece.text == "parking")
    assert piece.contribution == pytest.approx(without[0] - without[1])
    removal = found.smallest_removal("parking")
    assert "parking" not in removal.label
    assert removal_sentence(found, "parking").endswith("it would not be given 'parking'.")
    assert [item["label"] for item in found.to_dict()["labels"]] == list(found.ranking)
    assert "not be given" in str(found)
    with pytest.raises(ParameterError, match="decides about each by itself"):
        found.pieces("parking", "noise")
    ruled = replace(fitted.model, rule=SetRule(fitted.labels, "top", np.empty(0), 1))
    assert given_by(ruled.decision, found.probabilities) == (found.ranking[0],)


def test_a_small_p_beside_an_interval_with_0_is_explained(model, corpus):
    found = group_importance(model, corpus, n_resamples=200)
    effect = found.effects[0]
    assert not any("p is small" in note for note in found.notes)
    open_interval = replace(effect.comparison.difference, low=-0.01, high=0.02)
    odd = replace(effect, comparison=replace(effect.comparison, difference=open_interval, adjusted_p_value=0.001))
    (note,) = [note for note in replace(found, effects=(odd,)).notes if "p is small" in note]
    assert note.startswith(f"Of '{effect.name}' p is small and the interval holds 0: the test asks whether the model")
