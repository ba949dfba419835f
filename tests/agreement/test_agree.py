"""How far coders agree: the coefficients, their intervals, and the labels to take."""

from __future__ import annotations

import math

import numpy as np
import pytest

import assay
from assay.agreement import Ratings, agree
from assay.agreement.coefficients import alpha, cohen
from assay.agreement.interval import with_interval
from assay.agreement.ratings import MISSING
from assay.agreement.settling import dawid_skene, settle
from assay.errors import DataError, ParameterError

FIRST, SECOND = "yyyyyyyyyyyynnnnnnnnnnnn", "yyyyyyyyyyynnnnnnnnnnnny"


def coded(
    n: int, seed: int, right: float = 0.85, shares: tuple[float, ...] = (0.5, 0.3, 0.2), coders: int = 2
) -> Ratings:
    rng = np.random.default_rng(seed)
    truth, other = rng.choice(len(shares), (n, 1), p=shares), rng.choice(len(shares), (n, coders), p=shares)
    table = np.where(rng.random((n, coders)) < right, truth, other)
    return Ratings(tuple("ABCD"[:coders]), tuple("xyz"[: len(shares)]), table, ("",) * n, ("",) * n)


@pytest.mark.parametrize("measure", [cohen, alpha])
def test_intervals_hold(measure):
    """In 300 draws of 60 texts the interval holds the coefficient of very many texts about 19 times in 20."""
    true = measure(coded(300_000, seed=1)).value
    found = [with_interval(measure(coded(60, seed))) for seed in range(100, 400)]
    inside = [one.low <= true <= one.high for one in found]
    assert 0.92 <= np.mean(inside) <= 0.99


def test_an_interval_never_passes_perfect_agreement():
    found = agree(Ratings.of_columns([FIRST, SECOND])).alpha
    assert found.low < found.value < found.high < 1


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        (["a" * 30, "a" * 30], "one label was said throughout"),
        (["ab" * 5, "ab" * 4 + "ba"], "10 texts that were labelled twice are too few"),
        (["ab" * 20, "ab" * 20], "no text shows a disagreement"),
        (["ab" * 20, "ba" * 20], "every text shows a disagreement"),
        (["a" * 38 + "bb", "a" * 38 + "ab"], "in all but 2 of 40 texts nothing but one label was said"),
    ],
)
def test_an_interval_that_would_not_hold_is_withheld_with_the_reason(columns, reason):
    found = agree(Ratings.of_columns(columns)).alpha
    assert math.isnan(found.low)
    assert reason in found.reason


def test_one_constant_coder_makes_kappa_zero_and_both_make_it_undefined():
    assert cohen(Ratings.of_columns(["a" * 4, "aabb"])).value == 0
    assert math.isnan(cohen(Ratings.of_columns(["a" * 4, "a" * 4])).value)


def test_verdict_goes_by_the_rule_of_thumb_and_says_how_sure_it_is():
    verdict = agree(Ratings.of_columns([FIRST, SECOND])).verdict
    assert verdict.startswith("Krippendorff's alpha is 0.837 [")
    assert "good enough to rest conclusions on; the interval leaves open whether it is above 0.8 and 0.667." in verdict


def test_sets_are_compared_by_what_they_share_and_label_by_label():
    first = ["a|b", "a", "b", "c", "a|b", ""]
    second = ["b|a", "a|b", "b", "a", "c", "a"]
    found = agree(Ratings.of_columns([first, second], ["ann", "ben"], separator="|"))
    assert found.level == "masi"
    assert list(found.of_labels) == ["a", "b", "c"]
    assert (found.ratings.table[5] == MISSING).tolist() == [True, False]
    # Observed: 0, 1/3 · … by hand: distances 0, 1 - 1/2 · 2/3, 0, 1, 1 of five texts, each as often both ways.
    said = [("a", "b"), ("a", "b"), ("a",), ("a", "b"), ("b",), ("b",), ("c",), ("a",), ("a", "b"), ("c",)]
    apart = [[0.0 if x == y else 1 - _shared(x, y) for y in said] for x in said]
    observed, expected = np.mean([0, 2 / 3, 0, 1, 1]), np.sum(apart) / 90
    assert found.alpha.value == pytest.approx(1 - observed / expected)


def _shared(x: tuple[str, ...], y: tuple[str, ...]) -> float:
    a, b = set(x), set(y)
    part = 2 / 3 if a < b or b < a else 1 / 3
    return part * len(a & b) / len(a | b)


def test_dawid_and_skene_hear_the_reliable_coders():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 200)
    good = [np.where(rng.random(200) < 0.95, truth, 1 - truth) for _ in range(2)]
    bad = [rng.integers(0, 2, 200) for _ in range(3)]
    ratings = Ratings.of_columns([[str(value) for value in column] for column in (*good, *bad)])
    settled = settle(ratings)
    assert (settled.likely == truth).mean() > (settled.majority == truth).mean() + 0.05
    assert settled.reliability[:2].min() > 0.9 > 0.7 > settled.reliability[2:].max()
    again = dawid_skene(ratings)
    assert all((one == other).all() for one, other in zip(again, dawid_skene(ratings), strict=True))


def test_ties_are_said():
    found = agree(Ratings.of_columns([["a", "a", "b"], ["b", "a", "b"]], ["ann", "ben"]))
    assert found.settled.tied.tolist() == [True, False, False]
    assert "1 text has no majority: as many said another label" in found.notes
    rows = found.table(only_disagreed=True).to_pylist()
    assert [row["majority"] for row in rows] == [""]
    assert rows[0]["tie"] == "tie"
    assert rows[0]["label"] == ""


def test_one_row_a_label_is_the_same_as_one_column_a_coder():
    wide = assay.read({"text": ["t1", "t2", "t3"], "ann": ["x", "y", "x"], "ben": ["x", "x", ""]}, label=False)
    rows = [("t1", "ann", "x"), ("t2", "ben", "x"), ("t3", "ann", "x"), ("t2", "ann", "y"), ("t1", "ben", "x")]
    long = assay.read(
        {"text": [r[0] for r in rows], "who": [r[1] for r in rows], "label": [r[2] for r in rows]}, label=False
    )
    one, other = Ratings.of_table(wide, ["ann", "ben"]), Ratings.of_rows(long, "who", "label")
    assert one.table.tolist() == other.table.tolist()
    assert other.coders == ("ann", "ben")


def test_ordinal_steps_are_taken_in_the_order_that_is_given():
    ratings = Ratings.of_columns([["low", "high", "middle", "low"], ["middle", "high", "middle", "low"]])
    ordered = agree(ratings, scale="ordinal", order=["low", "middle", "high"]).alpha.value
    numbered = Ratings.of_columns([["1", "3", "2", "1"], ["2", "3", "2", "1"]])
    assert ordered == pytest.approx(agree(numbered, scale="ordinal").alpha.value)


class TestRefusals:
    """What cannot be measured is said, with the way out."""

    def test_one_coder(self):
        with pytest.raises(DataError, match=r"Agreement is between two coders or more\. Got 'ann'"):
            Ratings.of_columns([["a"]], ["ann"])

    def test_a_coder_twice(self):
        with pytest.raises(ParameterError, match="coders= names a coder twice: 'ann', 'ann'"):
            Ratings.of_columns([["a"], ["a"]], ["ann", "ann"])

    def test_a_coder_without_labels(self):
        with pytest.raises(DataError, match="The coder 'ben' has not labelled a single text"):
            Ratings.of_columns([["a"], [""]], ["ann", "ben"])

    def test_no_text_in_common(self):
        with pytest.raises(DataError, match="None of the 2 texts was labelled by two coders"):
            Ratings.of_columns([["a", None], [None, "a"]])

    def test_columns_of_different_lengths(self):
        with pytest.raises(DataError, match="The coders have 1, 2 labels"):
            Ratings.of_columns([["a"], ["a", "b"]])

    def test_a_column_that_is_not_there(self):
        corpus = assay.read({"text": ["t"], "ann": ["x"]}, label=False)
        with pytest.raises(DataError, match=r"there is no column 'anne'\. The columns are 'ann'"):
            Ratings.of_table(corpus, ["anne", "ann"])

    def test_a_coder_who_contradicts_herself(self):
        corpus = assay.read({"text": ["t", "t"], "who": ["ann", "ann"], "label": ["x", "y"]}, label=False)
        with pytest.raises(DataError, match="row 2: 'ann' says 'y' of the text 't', and 'x' in"):
            Ratings.of_rows(corpus, "who", "label")

    def test_words_where_numbers_are_needed(self):
        with pytest.raises(DataError, match="The label 'high' is no number, which scale='ordinal' needs") as caught:
            agree(Ratings.of_columns([["low", "high"], ["low", "low"]]), scale="ordinal")
        assert "order=" in str(caught.value)

    def test_an_order_that_lacks_a_label(self):
        with pytest.raises(DataError, match="order= has no 'low', which a coder said"):
            agree(Ratings.of_columns([["low", "high"], ["low", "low"]]), scale="ordinal", order=["high"])

    def test_an_unknown_scale(self):
        with pytest.raises(ParameterError, match="must be one of 'nominal'"):
            agree(Ratings.of_columns([FIRST, SECOND]), scale="nominall")

    def test_sets_on_a_scale(self):
        with pytest.raises(DataError, match="a set of labels here, and scale='ordinal' is for one label a text"):
            agree(Ratings.of_columns([["a|b"], ["a"]], separator="|"), scale="ordinal")
