"""One against the rest, the averages of label sets worked by hand, and the threshold of a label."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import textbook
from assay.evaluation.decisions.set_thresholds import best_cut_of_label
from assay.evaluation.metrics.set_reading import sets_from_labels
from assay.evaluation.uncertainty.metric_value import measure
from assay.textbook import worked

SETS = st.lists(st.tuples(st.sets(st.sampled_from("abc")), st.sets(st.sampled_from("abc"))), min_size=1, max_size=8)


def test_every_label_is_learned_as_if_it_were_alone():
    together = textbook.label_set_perceptron(worked.ARTICLES, worked.ARTICLE_SETS)
    assert together.converged
    assert [together.predict(x) for x in worked.ARTICLES] == [frozenset(y) for y in worked.ARTICLE_SETS]
    epochs = len(together.mistakes)
    for label, w, b in zip(together.labels, together.W, together.b, strict=True):
        # the rest as the one class, without labels: as many passes as all labels together took
        alone = textbook.label_set_perceptron(
            worked.ARTICLES, [{label} & set(y) for y in worked.ARTICLE_SETS], epochs=epochs
        )
        assert (alone.W, alone.b) == ((w,), (b,))


def test_the_three_averages_by_hand():
    """news: TP 5, FP 0, FN 0; sport: TP 2, FP 1, FN 1; art: TP 0, FP 0, FN 1."""
    found = textbook.set_averages(worked.SIX_SETS, worked.SIX_ANSWERS)
    assert found.micro == 2 * 7 / (2 * 7 + 1 + 2)
    assert found.macro == pytest.approx((1 + 2 / 3 + 0) / 3)
    assert found.samples == pytest.approx((1 + 1 + 2 / 3 + 2 / 3 + 1 + 2 / 3) / 6)
    assert found.subset_accuracy == 3 / 6
    assert found.hamming_loss == 3 / 18


@given(SETS)
@settings(max_examples=60, deadline=None)
def test_the_averages_are_those_of_the_library(pairs: list[tuple[set[str], set[str]]]):
    gold, said = zip(*pairs, strict=True)
    labels = sorted(set().union(*gold, *said))
    if not labels:
        return
    found = textbook.set_averages(gold, said)
    outcomes = sets_from_labels(list(gold), list(said), labels=labels)
    for name in ("micro", "macro", "samples"):
        value = getattr(found, name)
        assert measure(f"{name}_f1", outcomes) == pytest.approx(np.nan if value is None else value, nan_ok=True)
    assert measure("subset_accuracy", outcomes) == pytest.approx(found.subset_accuracy)
    assert measure("hamming_loss", outcomes) == pytest.approx(found.hamming_loss)


def test_the_threshold_of_a_rare_label():
    """Three of ten have it: the first four get it, TP 3, F1 = 6/7, halfway between .3 and .22."""
    found = textbook.label_threshold(worked.RARE_PROBABILITIES, worked.RARE_GOLD)
    assert found.f1 == 6 / 7
    assert found.threshold == pytest.approx(0.26)
    assert found.half_of_f1 == 3 / 7


@given(st.lists(st.tuples(st.integers(0, 8), st.booleans()), min_size=1, max_size=12))
@settings(max_examples=60, deadline=None)
def test_the_threshold_is_that_of_the_library(pairs: list[tuple[int, bool]]):
    probabilities, gold = [number / 8 for number, _ in pairs], [flag for _, flag in pairs]
    if not any(gold):
        return
    found = textbook.label_threshold(probabilities, gold)
    cut, f1 = best_cut_of_label(np.array(probabilities), np.array(gold))
    assert found.f1 == pytest.approx(f1)
    # the library keeps thresholds away from 0 and 1
    assert found.threshold == pytest.approx(cut, abs=2e-6)


@pytest.mark.parametrize("name", ["label-sets", "set-averages", "label-threshold"])
def test_it_can_be_traced(name: str):
    trace = textbook.trace(name)
    assert len(trace.steps) >= 6
    assert trace.conclusion in " ".join(trace.text(width=100_000).split("\n"))


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda: textbook.label_set_perceptron([[1]], ["ab"]), r"Y\[0\] is 'ab', not a set of labels"),
        (lambda: textbook.label_set_perceptron([[1]], []), "There are 1 examples and 0 sets of labels"),
        (lambda: textbook.label_set_perceptron([[1]], [set()]), "No example has a label"),
        (lambda: textbook.set_averages([], []), "There are no gold sets"),
        (lambda: textbook.set_averages([set()], [set()]), "No text has a label and none was given one"),
        (lambda: textbook.label_threshold([0.5], [False]), "No text has the label"),
    ],
)
def test_what_cannot_be_used_is_said(action, message: str):
    with pytest.raises(textbook.InputError, match=message):
        action()
