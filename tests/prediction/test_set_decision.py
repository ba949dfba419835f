"""Sets of labels from scores: rules, probabilities, calibrations and caps of each label by itself."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from assay.errors import DataError, ParameterError
from assay.prediction.calibration import Calibration
from assay.prediction.decision import Decision
from assay.prediction.decision_rule import DecisionRule
from assay.prediction.probability_cap import ProbabilityCap
from assay.prediction.set_decision import SetDecision, decision_of
from assay.prediction.set_rule import SetRule

LABELS = ("a", "b", "c")
tables = arrays.arrays(np.float64, st.tuples(st.integers(1, 8), st.just(3)), elements=st.floats(0, 1))


@given(tables, st.lists(st.floats(0, 1.5), min_size=3, max_size=3))
def test_each_label_is_decided_by_itself(table, thresholds):
    rule = SetRule(LABELS, "each", np.array(thresholds))
    assert np.array_equal(rule.apply(table).table(), table >= np.array(thresholds))
    turned = rule.reordered(("c", "a", "b")).apply(table[:, [2, 0, 1]])
    assert np.array_equal(turned.table(), rule.apply(table).table()[:, [2, 0, 1]])


@given(tables, st.lists(st.floats(0.01, 1.5), min_size=3, max_size=3))
def test_at_least_one_adds_only_to_empty_sets(table, thresholds):
    values = np.array(thresholds)
    given = SetRule(LABELS, "at-least-one", values).apply(table).table()
    each = table >= values
    assert (given.sum(axis=1) >= 1).all()
    some = each.any(axis=1)
    assert np.array_equal(given[some], each[some])
    assert (given[~some].sum(axis=1) == 1).all()
    for row, chosen in zip(table[~some], given[~some], strict=True):
        assert chosen.argmax() == (row / values).argmax()


@given(tables, st.integers(1, 3))
def test_top_gives_the_k_most_probable(table, k):
    given = SetRule(LABELS, "top", np.empty(0), k).apply(table).table()
    assert (given.sum(axis=1) == k).all()
    lowest_given = np.where(given, table, np.inf).min(axis=1)
    assert (lowest_given >= np.where(given, -np.inf, table).max(axis=1)).all()


@pytest.mark.parametrize(
    "rule",
    [
        SetRule(LABELS, "each", np.array([0.1, 0.2, 2.0])),
        SetRule(LABELS, "shared", np.array([0.3])),
        SetRule(LABELS, "top", np.empty(0), 2),
        SetRule(LABELS, "at-least-one", np.array([0.1, 0.2, 0.3])),
    ],
    ids=lambda rule: rule.kind,
)
def test_a_rule_comes_back_from_its_arrays(rule):
    again = SetRule.from_arrays(rule.to_arrays(), LABELS)
    assert (again.kind, again.k, again.values.tolist()) == (rule.kind, rule.k, rule.values.tolist())


def test_thresholds_of_each_label():
    assert SetRule(LABELS, "shared", np.array([0.3])).thresholds().tolist() == [0.3, 0.3, 0.3]
    assert SetRule(LABELS, "top", np.empty(0), 1).thresholds() is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (("most",), "A rule for sets of labels must be one of 'each', 'shared', 'top', 'at-least-one'. Got 'most'"),
        (
            ("each", np.array([0.5])),
            "A rule of kind 'each' for 3 labels must have 3 thresholds, finite and not",
        ),
        (("shared", np.array([np.nan])), "must have 1 thresholds, finite and not below 0. Got [nan] of shape (1,)"),
        (("shared", np.array([-0.1])), "must have 1 thresholds, finite and not below 0. Got [-0.1]"),
        (
            ("top", np.empty(0), 0),
            "A rule of kind 'top' for 3 labels cannot have k = 0: 'top' gives from 1 to 3",
        ),
        (("shared", np.array([0.5]), 2), "A rule of kind 'shared' for 3 labels cannot have k = 2"),
    ],
)
def test_rules_that_cannot_be(settings, message):
    with pytest.raises(DataError, match=re.escape(message)):
        SetRule(LABELS, *settings)


def test_arrays_that_are_no_rule():
    message = "These arrays hold no rule for sets of labels: their 'rule' is [9, 0]."
    with pytest.raises(DataError, match=re.escape(message)):
        SetRule.from_arrays({"rule": np.array([9, 0]), "values": np.empty(0)}, LABELS)
    with pytest.raises(DataError, match=r"The probabilities have shape \(2, 2\) where \(n, 3\) is needed"):
        SetRule(LABELS).apply(np.zeros((2, 2)))


def test_without_a_rule_half_or_above_zero():
    scores = np.array([[-1.0, 0.5], [0.0, -2.0]])
    probable, plain = SetDecision(("a", "b"), "independent"), SetDecision(("a", "b"))
    assert probable.predict(scores).tolist() == [("b",), ("a",)]  # a probability of just 1/2 reaches it
    assert plain.predict(scores).tolist() == [("b",), ()]
    assert np.allclose(probable.probabilities(scores), 1 / (1 + np.exp(-scores)), rtol=1e-12)


def test_one_label_is_enough_and_keeps_its_column():
    decision = SetDecision(("spam",), "independent")
    assert decision.predict(np.array([[2.0], [-2.0]])).tolist() == [("spam",), ()]
    assert decision.probabilities(np.array([[0.0]])).tolist() == [[0.5]]


def test_two_labels_are_not_each_others_rest():
    calibration = Calibration(
        ("a", "b"), "sigmoid", False, {"slopes": np.ones(2), "intercepts": np.array([0.0, 1.0])}, independent=True
    )
    found = SetDecision(("a", "b"), None, calibration).probabilities(np.array([[0.0, 0.0]]))
    assert np.allclose(found, [[0.5, 1 / (1 + np.exp(-1))]], rtol=1e-12)
    turned = calibration.reordered(("b", "a")).apply(np.array([[0.0, 0.0]]))
    assert np.array_equal(turned, found[:, ::-1])
    again = Calibration.from_arrays(calibration.to_arrays(), ("a", "b"), independent=True)
    assert np.array_equal(again.apply(np.array([[0.0, 0.0]])), found)


def test_a_cap_takes_nothing_from_others():
    cap = ProbabilityCap(("a", "b"), np.array([0.9, 0.8]), independent=True)
    assert cap.apply([[0.95, 0.95], [0.1, 0.2]]).tolist() == [[0.9, 0.8], [0.1, 0.2]]
    assert cap.reordered(("b", "a")).apply([[1.0, 1.0]]).tolist() == [[0.8, 0.9]]
    assert ProbabilityCap.from_arrays(cap.to_arrays(), ("a", "b"), independent=True).independent


def test_answers_in_the_type_of_the_labels():
    decision = SetDecision(("0", "1"), label_type="integer")
    assert decision.answer(np.array([[1.0, 1.0], [-1.0, 1.0]])).tolist() == [(0, 1), (1,)]


def test_parts_for_one_label_a_text_are_refused():
    with pytest.raises(ParameterError, match=r"rule of a model of the task 'label-sets' must be a SetRule\. Got a Dec"):
        SetDecision(("a", "b"), "independent", rule=DecisionRule(("a", "b")))
    with pytest.raises(ParameterError, match=r"of the task 'labels' must be a DecisionRule\. Got a Set"):
        Decision(("a", "b"), "sigmoid", rule=SetRule(("a", "b")))
    shared = Calibration(("a", "b"), "temperature", False, {"temperature": np.ones(1)})
    with pytest.raises(ParameterError, match="The Calibration divides a text among the labels, and this model gives s"):
        SetDecision(("a", "b"), None, shared)
    with pytest.raises(ParameterError, match=r"link must be None or one of 'independent'\. Got 'softmax' instead"):
        SetDecision(("a", "b"), "softmax")
    with pytest.raises(ParameterError, match="labels must be one or more different names"):
        SetDecision(())
    with pytest.raises(ParameterError, match="This model gives each text a set of labels, not one label"):
        SetDecision(("a",)).classes(np.zeros((1, 1)))
    with pytest.raises(DataError, match="These arrays are no temperature calibration of 2 labels"):
        Calibration.from_arrays(shared.to_arrays(), ("a", "b"), independent=True)


def test_the_decision_of_a_task():
    assert decision_of("labels") is Decision
    assert decision_of("label-sets") is SetDecision
