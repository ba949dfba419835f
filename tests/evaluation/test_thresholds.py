"""Decision rules: what they choose, and that arrays bring them back."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score

import assay
from assay.errors import DataError, ParameterError
from assay.evaluation.decisions.calibration import fit_calibration
from assay.evaluation.decisions.thresholds import choose_rule
from assay.evaluation.protocols.evaluation import Evaluation
from assay.prediction.decision_rule import DecisionRule


def skewed(n: int = 400, seed: int = 0) -> Evaluation:
    """Two labels, a tenth positive, with probabilities that rank well."""
    random = np.random.default_rng(seed)
    truth = (random.random(n) < 0.1).astype(int)
    p = 1 / (1 + np.exp(-(random.normal(0, 1, n) + 2.5 * truth - 3)))
    return assay.evaluate(truth, (p > 0.5).astype(int), p, n_resamples=10)


def three(n: int = 500, seed: int = 1) -> Evaluation:
    random = np.random.default_rng(seed)
    truth = random.choice(3, n, p=[0.8, 0.15, 0.05])
    logits = random.normal(0, 1, (n, 3)) + 2.0 * np.eye(3)[truth] + np.log([0.8, 0.15, 0.05])
    p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    return assay.evaluate(truth, p.argmax(axis=1), p, labels=[0, 1, 2], n_resamples=10)


def precision_score(truth: np.ndarray, said: np.ndarray) -> float:
    return float(truth[said == 1].mean())


def recall_score(truth: np.ndarray, said: np.ndarray) -> float:
    return float((said[truth == 1] == 1).mean())


def answers(rule: DecisionRule, result: Evaluation) -> np.ndarray:
    return rule.apply(result.outcomes.probabilities)


def test_threshold_for_a_metric_is_the_best_of_all() -> None:
    result = skewed()
    truth, p = result.outcomes.truth, result.outcomes.probabilities[:, 1]
    rule = choose_rule(result, metric="f1:1")
    found = f1_score(truth, answers(rule, result))
    assert found == pytest.approx(
        max(2 * (truth * (p >= t)).sum() / (truth.sum() + (p >= t).sum()) for t in p), abs=1e-12
    )
    assert found > f1_score(truth, p >= 0.5)
    assert rule.kind == "threshold"


def test_min_precision_gives_as_much_recall_as_it_allows() -> None:
    result = skewed()
    truth, p = result.outcomes.truth, result.outcomes.probabilities[:, 1]
    said = answers(choose_rule(result, min_precision=0.8), result)
    assert precision_score(truth, said) >= 0.8
    best = max(recall_score(truth, p >= t) for t in p if precision_score(truth, p >= t) >= 0.8)
    assert recall_score(truth, said) == best


def test_min_recall_gives_as_much_precision_as_the_highest_threshold_allows() -> None:
    result = skewed()
    truth, p = result.outcomes.truth, result.outcomes.probabilities[:, 1]
    rule = choose_rule(result, min_recall=0.9)
    assert recall_score(truth, answers(rule, result)) >= 0.9
    assert all(recall_score(truth, p >= t) < 0.9 for t in p if t > rule.values[0])


def test_threshold_for_one_of_several_labels_leaves_the_others_to_the_largest() -> None:
    result = three()
    rule = choose_rule(result, positive=2, min_recall=1.0)
    said = answers(rule, result)
    truth, p = result.outcomes.truth, result.outcomes.probabilities
    assert (said[truth == 2] == 2).all()
    below = p[:, 2] < rule.values[0]
    assert (said[below] == p[below][:, :2].argmax(axis=1)).all()


def test_weights_raise_macro_f1_of_several_labels() -> None:
    result = three()
    rule = choose_rule(result, metric="macro_f1")
    truth = result.outcomes.truth
    assert rule.kind == "weights"
    assert f1_score(truth, answers(rule, result), average="macro") > result["macro_f1"].value + 0.01
    fresh = three(seed=2)
    better = f1_score(fresh.outcomes.truth, answers(rule, fresh), average="macro")
    assert better > fresh["macro_f1"].value


def test_costs_choose_the_answer_with_the_smallest_expected_cost() -> None:
    result = three()
    costs = np.array([[0, 1, 1], [5, 0, 1], [20, 2, 0]])
    rule = choose_rule(result, costs=costs)
    p = result.outcomes.probabilities
    assert (answers(rule, result) == (p @ costs).argmin(axis=1)).all()
    truth = result.outcomes.truth
    assert costs[truth, answers(rule, result)].sum() < costs[truth, p.argmax(axis=1)].sum()


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5])
def test_abstention_leaves_out_the_share_asked_for(share: float) -> None:
    result = three()
    said = answers(choose_rule(result, abstain=share), result)
    assert np.mean(said == -1) == pytest.approx(share, abs=0.002)
    answered = said >= 0
    assert np.mean(said[answered] == result.outcomes.truth[answered]) >= result.accuracy.value


def test_abstention_goes_with_a_threshold() -> None:
    rule = choose_rule(skewed(), metric="f1:1", abstain=0.05)
    assert rule.kind == "threshold"
    assert rule.abstain_below > 0.5
    assert rule.predict([0.999, 0.5]).tolist() == [1, None]


def test_scores_are_calibrated_first() -> None:
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, 300)
    scores = random.normal(0, 1, 300) + 2 * truth
    result = assay.evaluate(truth, (scores > 1).astype(int), scores=scores)
    calibration = fit_calibration(result.outcomes.scores, truth, (0, 1))
    rule = choose_rule(result, metric="accuracy", calibration=calibration)
    assert 0 < rule.values[0] < 1
    turned = calibration.reordered([1, 0])
    assert choose_rule(result, metric="accuracy", calibration=turned).values == pytest.approx(rule.values)


@pytest.mark.parametrize(
    "settings",
    [{"metric": "macro_f1"}, {"costs": 1 - np.eye(3)}, {"abstain": 0.2}, {"min_recall": 0.5, "positive": 1}],
    ids=lambda s: next(iter(s)),
)
def test_arrays_bring_the_rule_back(settings) -> None:
    result = three()
    rule = choose_rule(result, **settings)
    arrays = rule.to_arrays()
    assert all(isinstance(values, np.ndarray) for values in arrays.values())
    again = DecisionRule.from_arrays(arrays, rule.labels)
    assert (answers(again, result) == answers(rule, result)).all()


def test_costs_of_ones_are_the_largest_probability() -> None:
    result = three()
    rule = choose_rule(result, costs=1 - np.eye(3))
    assert (answers(rule, result) == result.outcomes.probabilities.argmax(axis=1)).all()


PLAIN = assay.evaluate([0, 1, 1], [0, 1, 0], n_resamples=10)
MESSAGES = [
    (
        lambda: choose_rule(skewed()),
        ParameterError,
        "choose_rule needs one of metric, costs, min_precision and min_recall, or abstain. Got none of them.",
    ),
    (lambda: choose_rule(skewed(), metric="accuracy", min_recall=0.5), ParameterError, "Got metric and min_recall."),
    (
        lambda: choose_rule(3, abstain=0.1),
        ParameterError,
        "Rules and caps need a CrossValidation or an Evaluation of held-out documents. Got int.",
    ),
    (
        lambda: choose_rule(PLAIN, abstain=0.1),
        DataError,
        "Rules and caps need probabilities, and there are none. Calibrate the scores first",
    ),
    (
        lambda: choose_rule(skewed(), metric="log_loss"),
        ParameterError,
        "A decision rule changes labels, and 'log_loss' is a metric of probabilities. Use a metric of labels such as",
    ),
    (
        lambda: choose_rule(three(), min_recall=0.5),
        ParameterError,
        "Say which label the threshold is for: positive= one of 0, 1, 2.",
    ),
    (
        lambda: choose_rule(three(), min_recall=0.5, positive=4),
        ParameterError,
        "There is no label 4. Labels are 0, 1, 2.",
    ),
    (
        lambda: choose_rule(
            assay.evaluate([0, 1], [0, 1], np.eye(3)[:2], labels=[0, 1, 2], n_resamples=10), min_recall=0.5, positive=2
        ),
        DataError,
        "No held-out document is 2: no threshold can be chosen for it. Add some.",
    ),
    (
        lambda: choose_rule(skewed(), min_recall=1.5),
        ParameterError,
        "min_recall must be above 0 and at most 1. Got 1.5",
    ),
    (
        lambda: choose_rule(assay.evaluate([0, 1, 0], [0, 1, 0], [0.1, 0.2, 0.3], n_resamples=10), min_precision=0.9),
        DataError,
        "No threshold gives 1 a precision of 0.9: the highest on these documents is 0.500. Ask for less, or improve",
    ),
    (lambda: choose_rule(skewed(), abstain=1.0), ParameterError, "abstain must be a share from 0 to below 1. Got 1.0"),
    (
        lambda: choose_rule(skewed(), costs=[[0, 1]]),
        ParameterError,
        "costs must be 2 rows (true labels) of 2 finite numbers (answers). Got shape (1, 2) instead.",
    ),
    (
        lambda: DecisionRule(("a", "b", "c")).apply(np.ones((2, 2))),
        DataError,
        "The probabilities have shape (2, 2) where (n, 3) is needed: one column for each of the labels",
    ),
    (lambda: DecisionRule.from_arrays({}, "ab"), DataError, "These arrays hold no decision rule: their 'rule' is []."),
    (
        lambda: DecisionRule.from_arrays(
            {"rule": np.array([1, 5]), "values": np.ones(1), "abstain_below": np.zeros(1)}, "ab"
        ),
        DataError,
        "A decision rule of kind 'threshold' for 2 labels does not have 1 values and the positive class 5.",
    ),
]


@pytest.mark.parametrize(("action", "error", "message"), MESSAGES, ids=[message[:40] for _, _, message in MESSAGES])
def test_message(action, error, message: str) -> None:
    with pytest.raises(error) as caught:
        action()
    assert message in str(caught.value)
