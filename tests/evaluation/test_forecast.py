"""How many examples are said to be needed: ranges that hold the truth, and nothing where nothing can be known."""

from __future__ import annotations

import numpy as np
import pytest

from assay.evaluation.metrics.outcomes import from_labels
from assay.evaluation.presenting.forecast_words import forecast_sentence
from assay.evaluation.presenting.headline import Circumstances, headline
from assay.evaluation.uncertainty.forecast import Forecast, forecast_examples
from assay.evaluation.uncertainty.verdict import judge

EXAMPLES = np.array([10, 20, 40, 80])


@pytest.mark.parametrize(
    "share", [lambda n: n / (n + 200), lambda n: 1 - (n / 5) ** -0.2], ids=["odds as a power", "error as a power"]
)
def test_the_truth_of_either_curve_is_nearly_always_in_the_range(share) -> None:
    truth = next(n for n in range(1, 10_000) if share(n) >= 0.5)
    random = np.random.default_rng(0)
    inside = 0
    for _ in range(100):
        found = forecast_examples(EXAMPLES, random.binomial(150, share(EXAMPLES)), 150, goal=0.5)
        inside += found.low is not None and found.low <= truth <= found.high
    assert inside >= 85  # about 95 for both: what a power law gives is within what is said of it


def test_what_does_not_rise_gives_no_number() -> None:
    random = np.random.default_rng(1)
    reasons = [forecast_examples(EXAMPLES, random.binomial(60, 0.2, 4), 60, goal=0.5).reason for _ in range(200)]
    assert np.mean([reason == "flat" for reason in reasons]) > 0.8


@pytest.mark.parametrize("hits", [[0, 0, 0, 0], [0, 1, 2, 4]])
def test_a_handful_of_hits_gives_no_number(hits: list[int]) -> None:
    assert forecast_examples(EXAMPLES, hits, 20, goal=0.5) == Forecast(0.5, reason="few")


def test_three_points_give_no_number() -> None:
    assert forecast_examples([10, 20, 80], [10, 20, 60], 150, goal=0.5).reason == "few"


def test_no_end_is_said_beyond_thirty_times_what_there_was() -> None:
    found = forecast_examples(EXAMPLES, [60, 80, 100, 125], 2000, goal=0.8)
    assert found.high == np.inf


def test_a_range_is_said_no_more_precisely_than_it_is_known() -> None:
    assert "with 120 to 1,200 in all" in forecast_sentence(Forecast(0.5, 118.0, 1234.0))
    assert "80% of them" in forecast_sentence(Forecast(0.8, 118.0, 1234.0))
    assert "with 120 or far more in all" in forecast_sentence(Forecast(0.5, 118.0, np.inf))
    assert "more than 30 times as many" in forecast_sentence(Forecast(0.5, np.inf, np.inf))
    assert "cannot be said: there are too few" in forecast_sentence(Forecast(0.5, reason="few"))
    assert "it did not surely find more" in forecast_sentence(Forecast(0.5, reason="flat"))


def test_the_advice_of_a_headline_says_the_range() -> None:
    verdict = judge(from_labels(["keep"] * 196 + ["remove"] * 4, ["keep"] * 200))
    known = Circumstances({"remove": 16}, more={"remove": Forecast(0.5, 60.0, 300.0)})
    first = headline(verdict, known).advice[0]
    assert first.startswith("Label more texts of “remove”: there were 16 to learn from. By how that grew so far, half")
    assert "60 to 300 in all" in first


def test_a_class_that_is_recognised_too_seldom_gets_the_range_too() -> None:
    truth, said = ["keep"] * 960 + ["remove"] * 40, ["keep"] * 945 + ["remove"] * 15 + ["keep"] * 28 + ["remove"] * 12
    verdict = judge(from_labels(truth, said))
    assert verdict.kind == "found"
    assert headline(verdict).advice == ()
    (advice,) = headline(verdict, Circumstances({}, more={"remove": Forecast(0.5, 60.0, 300.0)})).advice
    assert advice.startswith("Label more texts of “remove”. By how that grew")
