"""What labels have bought: curves, forecasts and what is said of them."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import DataError, ParameterError
from assay.evaluation.uncertainty.score_forecast import forecast_score
from assay.labeling import TextPool, labels_bought


@pytest.fixture(scope="module")
def pool(world):
    return TextPool(world[0], share=0.3)


def drawn(pool, n):
    """The first texts that are drawn by chance."""
    aside = np.flatnonzero(pool.aside)
    return aside[np.argsort(pool.places[aside], kind="stable")][:n].tolist()


def test_labels_are_measured_on_what_was_drawn_by_chance(pool, world):
    labels = world[1]
    rest = np.flatnonzero(~pool.aside)[:200].tolist()
    bought = labels_bought(pool, {row: labels[row] for row in [*drawn(pool, 60), *rest]})
    assert (bought.n_labels, bought.n_measured) == (200, 60)
    came = [point for point in bought.points if point.kind == "as they came"]
    assert [point.labels for point in came] == [25, 50, 100, 200]
    assert all(point.low <= point.accuracy <= point.high for point in bought.points)
    assert came[-1].accuracy > came[0].accuracy
    assert [point.labels for point in bought.points if point.kind == "random"] == [24, 48]
    assert [item.more for item in bought.forecast] == [100, 1000]
    assert bought.verdict in ("enough", "not yet")
    assert bought.notes == ()


def test_the_order_in_which_labels_came_is_that_of_the_curve(pool, world):
    labels = world[1]
    rest = np.flatnonzero(~pool.aside)[:120].tolist()
    known = {row: labels[row] for row in [*drawn(pool, 60), *rest]}
    one_kind_first = sorted(rest, key=lambda row: labels[row])
    first = labels_bought(pool, known, order=one_kind_first).points[0]
    assert first.accuracy < labels_bought(pool, known).points[0].accuracy
    assert labels_bought(pool, known, order=[*drawn(pool, 60), *rest]).to_dict() == labels_bought(pool, known).to_dict()


def test_labels_beyond_the_first_gap_were_not_drawn(pool, world):
    labels = world[1]
    order = drawn(pool, 80)
    rest = np.flatnonzero(~pool.aside)[:100].tolist()
    known = {row: labels[row] for row in [*order[:40], *order[41:], *rest]}
    assert labels_bought(pool, known).n_measured == 40


def test_too_few_that_were_drawn_are_said_and_all_are_cross_validated(pool, world):
    labels = world[1]
    rest = np.flatnonzero(~pool.aside)[:150].tolist()
    bought = labels_bought(pool, {row: labels[row] for row in [*drawn(pool, 5), *rest]})
    assert {point.kind for point in bought.points} == {"cross-validated"}
    assert bought.n_measured == 155
    assert bought.notes[0].startswith("5 texts that were drawn by chance and labelled: too few to measure on")


def test_too_few_labels_are_said(pool, world):
    bought = labels_bought(pool, {0: "sport", 1: "food"})
    assert bought.verdict == "too few"
    assert bought.forecast == ()
    assert bought.sentence.startswith("Too few to say: 2 labels to learn from")
    assert labels_bought(pool, {}).verdict == "too few"
    assert labels_bought(pool, {0: "sport", 1: "sport"}).verdict == "too few"


def test_what_is_learned_soon_is_enough_and_what_goes_on_is_not(world):
    easy = [f"{word} film {number}" for number in range(400) for word in ("good", "bad")]
    bought = labels_bought(easy, dict(enumerate(["pos", "neg"] * 400)))
    assert bought.verdict == "enough"
    assert bought.sentence.startswith("Enough: 100.0% are right with")
    rng = np.random.default_rng(0)
    hard = [" ".join(rng.choice(3000, 8).astype(str)) for _ in range(800)]
    labels = {row: str(sum(map(int, text.split())) > 12_000) for row, text in enumerate(hard)}
    going_on = labels_bought(hard, labels)
    assert going_on.verdict == "not yet"
    assert "1,000 more" in going_on.sentence
    assert "percentage points" in going_on.sentence


def test_sets_of_labels_are_right_as_a_whole(world):
    texts, labels = world
    sets = {row: ["odd", label] if row % 2 else [label] for row, label in enumerate(labels)}
    bought = labels_bought(texts, sets, share=0.3)
    whole = [point for point in bought.points if point.kind == "as they came"][-1]
    one = [point for point in labels_bought(texts, labels, share=0.3).points if point.kind == "as they came"][-1]
    assert whole.accuracy < one.accuracy


def test_the_same_whatever_the_threads(world):
    texts, labels = world
    told = [labels_bought(texts[:300], labels[:300], share=0.3, threads=n).to_dict() for n in (1, 2)]
    assert told[0] == told[1]


def test_a_page_says_it(pool, world):
    bought = labels_bought(pool, world[1])
    assert bought.sentence[:20] in str(bought)
    assert "1,000 more, likely" in str(bought)


def test_what_cannot_be_is_refused(pool, world):
    known = {0: "sport", 1: "food"}
    with pytest.raises(DataError, match="order names row 5, which has no label"):
        labels_bought(pool, known, order=[0, 5])
    with pytest.raises(DataError, match="order names a row twice"):
        labels_bought(pool, known, order=[0, 0])
    with pytest.raises(ParameterError, match=r"worth is a share of the texts, such as 0\.01. Got 2 instead"):
        labels_bought(pool, known, worth=2)


def test_a_forecast_of_a_power_law_holds_about_as_often_as_it_says():
    sizes, inside, cases = [25, 50, 100, 200, 400], 0, 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        slope, level = rng.uniform(0.1, 0.5), rng.uniform(1.0, 2.0)
        hardness = rng.random(80)
        right = np.array([hardness > min(0.5, level * n**-slope) for n in sizes])
        for item in forecast_score(sizes, right, seed=seed):
            truth = 1 - min(0.5, level * (400 + item.more) ** -slope)
            inside += item.low <= truth <= item.high
            cases += 1
    assert inside / cases >= 0.85


def test_more_labels_never_harm_a_forecast():
    rng = np.random.default_rng(0)
    right = rng.random((4, 50)) < 0.5
    soon, later = forecast_score([25, 50, 100, 200], right)
    assert 0 <= soon.gain_low <= soon.gain <= later.gain
    with pytest.raises(ValueError, match="2 sizes and 50 texts tell too little"):
        forecast_score([25, 50], right[:2])
