"""Thresholds of labels: chosen on out-of-fold probabilities, drawn to a shared one, and never for everybody."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import DataError, ParameterError
from assay.evaluation.decisions.set_thresholds import best_cut_of_label, choose_set_thresholds, given_labels
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.uncertainty.metric_value import measure
from assay.label_sets import LabelSets

SHARES = np.array([0.4, 0.2, 0.1, 0.05, 0.02, 0.01])
NAMES = tuple("abcdef")


def sample(n: int, seed: int, lift: float = 1.6) -> tuple[np.ndarray, LabelSets]:
    """Labels of falling shares, and probabilities that are off by a shift of each label's own."""
    random = np.random.default_rng(seed)
    true = random.random((n, 6)) < SHARES
    scores = random.normal(size=(n, 6)) + lift * true
    off = np.array([0.3, -0.2, 0.6, -0.4, 0.2, -0.6])
    logits = lift * scores - lift**2 / 2 + np.log(SHARES / (1 - SHARES)) + off
    return 1 / (1 + np.exp(-logits)), LabelSets.of_table(true)


def score(probabilities: np.ndarray, truth: LabelSets, rule: object, metric: str) -> float:
    return measure(metric, SetOutcomes(NAMES, truth, rule.apply(probabilities)))


def test_drawing_rare_labels_to_a_shared_threshold_helps_on_new_texts() -> None:
    gained = []
    for seed in range(12):
        probabilities, truth = sample(300, seed)
        new, new_truth = sample(6000, 100 + seed)
        for metric in ("macro_f1", "micro_f1"):
            own, drawn = (
                choose_set_thresholds(probabilities, truth, NAMES, metric=metric, drawn=worth) for worth in (0.0, None)
            )
            gained.append(score(new, new_truth, drawn, metric) - score(new, new_truth, own, metric))
    assert np.mean(gained[::2]) > 0
    assert np.mean(gained[1::2]) > 0.005


def test_calibrated_probabilities_are_cut_at_half_of_the_best_f1() -> None:
    random = np.random.default_rng(1)
    probabilities = random.beta(0.5, 2, 60_000)
    true = random.random(60_000) < probabilities
    cut, f1 = best_cut_of_label(probabilities, true)
    # Lipton et al. (2014): F*/2; F1 is flat around its top, so that 60,000 texts tell the cut to some 0.02.
    assert cut == pytest.approx(f1 / 2, abs=0.03)


def test_a_label_that_nothing_tells_is_hopeless_and_keeps_the_shared_threshold() -> None:
    probabilities, truth = sample(2000, 3)
    probabilities[:, 2] = 0.1  # the same for every text
    rule = choose_set_thresholds(probabilities, truth, NAMES, metric="macro_f1")
    assert rule.hopeless == ("c",)
    assert rule.values[2] == pytest.approx(rule.shared)
    assert rule.drawn != np.inf


def test_all_labels_have_one_threshold_where_it_is_shared() -> None:
    probabilities, truth = sample(500, 4)
    rule = choose_set_thresholds(probabilities, truth, NAMES, kind="shared")
    assert rule.values.shape == (1,)
    every = [
        measure("micro_f1", SetOutcomes(NAMES, truth, LabelSets.of_table(probabilities >= t)))
        for t in np.linspace(0.05, 0.9, 60)
    ]
    assert score(probabilities, truth, rule, "micro_f1") >= max(every) - 1e-12


def test_at_least_one_label_is_the_one_nearest_to_its_threshold() -> None:
    table = np.array([[0.2, 0.3], [0.1, 0.4], [0.6, 0.1]])
    said = given_labels(table, "at-least-one", np.array([0.5, 0.9]), 0)
    assert said.tolist() == [[True, False], [False, True], [True, False]]


def test_the_most_probable_labels_are_given_the_first_of_equals() -> None:
    probabilities, truth = sample(400, 5)
    rule = choose_set_thresholds(probabilities, truth, NAMES, kind="top")
    scores = [
        score(probabilities, truth, choose_set_thresholds(probabilities, truth, NAMES, kind="top", k=k), "micro_f1")
        for k in (1, 2, 3)
    ]
    assert rule.k == int(np.argmax(scores)) + 1
    assert given_labels(np.array([[0.5, 0.5, 0.1]]), "top", np.empty(0), 1).tolist() == [[True, False, False]]


def test_the_choice_is_the_same_every_time() -> None:
    probabilities, truth = sample(500, 6)
    first, second = (choose_set_thresholds(probabilities, truth, NAMES, metric="samples_f1") for _ in range(2))
    assert (first.values == second.values).all()
    assert first.expected == second.expected


def test_few_texts_and_labels_without_texts_get_a_threshold() -> None:
    probabilities = np.array([[0.9, 0.2], [0.1, 0.1]])
    rule = choose_set_thresholds(probabilities, LabelSets.of_rows([[0], []], 2), ("a", "b"))
    assert rule.apply(probabilities) == LabelSets.of_rows([[0], []], 2)
    assert best_cut_of_label(np.array([0.4, 0.2]), np.array([False, False]))[0] > 0.4


MESSAGES = [
    ({"kind": "both"}, "kind must be one of"),
    ({"metric": "accuracy"}, "Thresholds are chosen by one of"),
    ({"drawn": -1}, "drawn must be a number of texts of at least 0"),
    ({"kind": "top", "k": 7}, "k must be a whole number from 1 to 6"),
    ({"probabilities": np.zeros((3, 6))}, r"The probabilities have shape \(3, 6\) where 4 texts"),
    ({"probabilities": np.full((4, 6), 1.5)}, "Thresholds are chosen on probabilities from 0 to 1"),
]


@pytest.mark.parametrize(("change", "message"), MESSAGES)
def test_what_cannot_be_chosen_is_said(change: dict, message: str) -> None:
    given = {"probabilities": np.zeros((4, 6))} | change
    with pytest.raises((ParameterError, DataError), match=message):
        choose_set_thresholds(truth=LabelSets.of_rows([[]] * 4, 6), labels=NAMES, **given)
