"""What follows the scores: caps on probabilities, and labels in the type in which they were given."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import DataError, ParameterError
from assay.label_types import label_values
from assay.prediction import Decision, DecisionRule, ProbabilityCap
from assay.prediction.decision import NoProbabilitiesError

LABELS = ("a", "b", "c")


def test_no_probability_is_above_the_cap_and_the_rest_is_shared_in_proportion():
    cap = ProbabilityCap(LABELS, np.array([0.8, 0.9, 0.5]))
    found = cap.apply([[0.95, 0.04, 0.01], [0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])
    np.testing.assert_allclose(found, [[0.8, 0.16, 0.04], [0.5, 0.3, 0.2], [0.25, 0.25, 0.5]])


def test_what_is_certain_is_shared_evenly():
    cap = ProbabilityCap.of_size(LABELS, 8)
    np.testing.assert_allclose(cap.apply([[0.0, 1.0, 0.0]]), [[0.05, 0.9, 0.05]])


@given(
    st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=1, max_size=5),
    st.lists(st.floats(0.5, 1), min_size=3, max_size=3),
)
def test_rows_still_add_up_to_one_and_the_most_probable_label_stays(rows, caps):
    table = np.array(rows) + 1e-9
    table /= table.sum(axis=1, keepdims=True)
    found = ProbabilityCap(LABELS, np.array(caps)).apply(table)
    np.testing.assert_allclose(found.sum(axis=1), 1)  # a few roundings of numbers below 1
    assert (found <= np.array(caps) + 1e-12).all()
    first = np.arange(len(table)), table.argmax(axis=1)
    assert (found[first] >= found.max(axis=1) - 1e-12).all()


def test_a_cap_changes_probabilities_and_no_label():
    cap = ProbabilityCap(("no", "yes"), np.array([0.5, 0.5]))
    capped, free = Decision(("no", "yes"), "sigmoid", cap=cap), Decision(("no", "yes"), "sigmoid")
    np.testing.assert_allclose(capped.probabilities([3.0, -2.0, 0.1]), 0.5)
    assert capped.predict([3.0, -2.0, 0.1]).tolist() == free.predict([3.0, -2.0, 0.1]).tolist() == ["yes", "no", "yes"]


def test_a_rule_goes_by_the_probabilities_that_are_shown():
    rule = DecisionRule(("no", "yes"), "threshold", np.array([0.95]), 1)
    cap = ProbabilityCap(("no", "yes"), np.array([0.9, 0.9]))
    assert Decision(("no", "yes"), "sigmoid", rule=rule).predict([5.0]).tolist() == ["yes"]
    assert Decision(("no", "yes"), "sigmoid", rule=rule, cap=cap).predict([5.0]).tolist() == ["no"]


def test_a_cap_of_columns_in_another_order_says_the_same():
    cap = ProbabilityCap(LABELS, np.array([0.5, 0.7, 0.9]))
    table = np.array([[0.1, 0.8, 0.1], [0.05, 0.0, 0.95]])
    turned = cap.reordered(("c", "a", "b")).apply(table[:, [2, 0, 1]])
    np.testing.assert_array_equal(turned, cap.apply(table)[:, [2, 0, 1]])


@pytest.mark.parametrize("values", [[0.4, 0.9, 0.9], [0.9, 1.1, 0.9], [0.9, np.nan, 0.9], [0.9, 0.9], [[0.9] * 3]])
def test_a_cap_that_is_none_is_refused(values):
    with pytest.raises(DataError, match=r"A cap on probabilities must be a number from 0\.5 to 1 for each of the 3"):
        ProbabilityCap(LABELS, np.array(values))


def test_a_cap_needs_probabilities_and_the_same_labels():
    with pytest.raises(NoProbabilitiesError, match=r"gives scores, not probabilities"):
        Decision(LABELS, cap=ProbabilityCap(LABELS, np.full(3, 0.9)))
    with pytest.raises(ParameterError, match=r"The ProbabilityCap is for the labels \['x', 'y'\], the model for"):
        Decision(LABELS, "softmax", cap=ProbabilityCap(("x", "y"), np.full(2, 0.9)))


@pytest.mark.parametrize(
    ("labels", "kind", "values"),
    [
        (("9", "10"), "integer", [9, 10]),
        (("-1", "1"), "integer", [-1, 1]),
        (("false", "true"), "boolean", [False, True]),
        (("0.5", "1e-7"), "number", [0.5, 1e-7]),
        (("9", "10"), "text", ["9", "10"]),
    ],
)
def test_labels_come_back_in_the_type_in_which_they_were_given(labels, kind, values):
    decision = Decision(labels, "sigmoid", label_type=kind)
    assert decision.answer([-1.0, 1.0]).tolist() == values
    assert [type(value) for value in decision.answer([-1.0, 1.0]).tolist()] == [type(value) for value in values]
    assert decision.predict([-1.0, 1.0]).tolist() == list(labels)


def test_where_a_rule_abstains_the_answer_is_none_among_typed_labels():
    rule = DecisionRule(("0", "1"), abstain_below=0.7)
    decision = Decision(("0", "1"), "sigmoid", rule=rule, label_type="integer")
    assert decision.answer([-3.0, 0.1, 3.0]).tolist() == [0, None, 1]


@pytest.mark.parametrize(
    ("labels", "kind", "message"),
    [
        (("a", "1"), "integer", r"the label 'a' is no whole number"),
        (("1.5", "1"), "integer", r"the label '1\.5' is no whole number"),
        (("1" * 30, "1"), "integer", r"the label '1+' is no whole number"),
        (("inf", "1"), "number", r"the label 'inf' is no number"),
        (("yes", "true"), "boolean", r"the label 'yes' is neither 'true' nor 'false'"),
        (("1", "01"), "integer", r"two of the 2 labels are the same integer"),
    ],
)
def test_labels_of_another_type_are_refused(labels, kind, message):
    with pytest.raises(ValueError, match=message):
        label_values(labels, kind)
    with pytest.raises(ParameterError, match=f"The labels are not of the type '{kind}': {message}"):
        Decision(labels, "sigmoid", label_type=kind)
