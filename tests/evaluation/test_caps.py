"""How sure a model may be: no surer than what held-out texts have borne out."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.errors import AssayWarning, DataError, ParameterError
from assay.evaluation import AdjustedModel, calibrate, choose_cap, choose_rule
from assay.evaluation.decisions.calibration_fit import fit_temperature
from assay.prediction import ProbabilityCap
from assay.prediction.calibration import METHODS
from assay.prediction.probabilities import softmax

TOPICS = {"rate": "exchange rate currency dollars euros", "code": "passcode forgot reset login app", "age": "old child"}
FOREIGN = ["what is the weather like in Paris", "a black doctor", "rate my login, old friend", "asdf qwer", "", "你好"]


def tickets(n: int = 120, seed: int = 0) -> tuple[list[str], list[str]]:
    """Short texts whose topics share no word but the small ones: their folds separate perfectly."""
    random = np.random.default_rng(seed)
    labels = [list(TOPICS)[i % 3] for i in range(n)]
    return [
        " ".join([*random.choice(TOPICS[label].split(), 3), *random.choice(["my", "is", "how", "the"], 3)])
        for label in labels
    ], labels


@pytest.mark.parametrize("n", [20, 300])
@pytest.mark.parametrize("n_classes", [2, 30])
def test_a_temperature_of_scores_that_separate_perfectly_says_no_more_than_so_many_texts_can_show(n, n_classes):
    random = np.random.default_rng(n)
    classes = np.arange(n) % n_classes
    scores = random.normal(0, 0.3, (n, n_classes))
    scores[np.arange(n), classes] = scores.max(axis=1) + random.exponential(1, n) + 0.1
    for scale in (1e-3, 1.0, 1e3):  # whatever the scores are measured in
        surest = softmax(scale * scores / fit_temperature(scale * scores, classes)).max(axis=1)
        assert surest.mean() <= (n + 1) / (n + 2) + 1e-9
        assert surest.mean() > 0.8  # nor is it shy


def test_a_temperature_of_useless_scores_is_high():
    random = np.random.default_rng(0)
    scores, classes = random.normal(0, 1, (500, 4)), random.integers(0, 4, 500)
    assert softmax(scores / fit_temperature(scores, classes)).max() < 0.4


def test_a_cap_counts_the_texts_that_were_as_sure_and_right():
    sure = np.r_[np.full(8, 0.999), np.full(4, 0.7)]
    table = np.column_stack([sure, 1 - sure])
    all_right = ProbabilityCap.of_held_out(("a", "b"), table, np.zeros(12))
    assert all_right.values.tolist() == [9 / 10, 9 / 10]  # eight were as sure as that
    two_wrong = ProbabilityCap.of_held_out(("a", "b"), table, np.r_[1, 1, np.zeros(10)])
    assert two_wrong.values.tolist() == [7 / 8, 7 / 8]
    none_right = ProbabilityCap.of_held_out(("a", "b"), table, np.ones(12))
    assert none_right.values.tolist() == [1 / 2, 1 / 2]


def test_a_model_of_separable_tickets_is_never_certain_and_keeps_its_labels(tmp_path):
    texts, labels = tickets()
    model = assay.train(texts, labels)
    cap = model.decision.cap
    assert cap is not None
    assert 0.9 < cap.values[0] <= 121 / 122
    asked = [*texts, *FOREIGN]
    said = model.predict_proba(asked)
    assert said.max() <= cap.values[0]
    assert said.min() > 0
    np.testing.assert_allclose(said.sum(axis=1), 1)  # a few roundings
    assert (
        model.predict(asked).tolist() == np.array(model.labels)[model.decision_function(asked).argmax(axis=1)].tolist()
    )
    model.save(tmp_path / "tickets.assay")
    np.testing.assert_array_equal(assay.load(tmp_path / "tickets.assay").predict_proba(asked), said)
    with pytest.warns(AssayWarning, match=r"This model gives no label more than 0\.9\d+; scikit-learn's pipelines"):
        assert model.to_sklearn().predict(texts).tolist() == model.predict(texts).tolist()


@pytest.mark.parametrize("method", METHODS)
def test_a_calibrated_classifier_has_a_cap_and_texts_from_elsewhere_do_not_reach_it(method):
    model = assay.TextClassifier(calibration=method).fit(*tickets())
    assert model.decision.cap is not None
    assert model.predict_proba(tickets()[0]).max() <= model.decision.cap.values[0] <= 121 / 122
    assert (model.predict_proba(["what is the weather like", "", "你好"]).max(axis=1) < 0.9).all()


def test_a_rule_is_chosen_by_the_probabilities_that_the_model_shows():
    texts, labels = tickets()
    two = [label == "rate" for label in labels]
    model = assay.TextClassifier(calibration="sigmoid", rule={"min_recall": 0.9}).fit(texts, two)
    assert model.decision.cap is not None
    assert model.decision.rule.values[0] <= model.decision.cap.values[0]
    assert model.score(texts, two) > 0.9


def test_a_cap_goes_after_a_calibration_whatever_the_order_of_the_labels():
    held_out = assay.evaluate(["a", "b"] * 20, ["a", "b"] * 20, [0.001, 0.999] * 20)
    calibration, cap = calibrate(held_out), choose_cap(held_out)

    class Model:
        labels = ("b", "a")

        def predict_proba(self, texts):
            return np.array([[0.001, 0.999]] * len(texts))

    said = AdjustedModel(Model(), cap=cap).predict_proba(["x"])
    np.testing.assert_allclose(said, [[41 / 42, 1 / 42]])
    both = AdjustedModel(Model(), calibration, cap=cap)
    assert both.predict_proba(["x"]).max() <= 41 / 42
    assert both.predict(["x"]).tolist() == ["a"]
    assert choose_rule(held_out, abstain=0.0, cap=cap).abstain_below == pytest.approx(41 / 42)


def test_what_a_cap_cannot_be_made_of():
    with pytest.raises(ParameterError, match=r"Rules and caps need a CrossValidation or an Evaluation .* Got list\."):
        choose_cap([0.2, 0.8])
    with pytest.raises(DataError, match=r"Rules and caps need probabilities, and there are none\."):
        choose_cap(assay.evaluate(["a", "b"], ["a", "b"]))
