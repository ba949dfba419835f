from __future__ import annotations

import math

import numpy as np
import pytest

import assay
from assay.explanation.log_odds import log_odds, telling_ngrams

CORPUS = assay.read(
    (
        ["late parcel", "late parcel again", "my parcel is late", "thank you", "thank you all", "many thanks all"],
        ["delivery"] * 3 + ["praise"] * 3,
    )
)


def test_score_is_the_log_odds_ratio_over_its_standard_error():
    z = log_odds(np.array([3]), 4, np.array([1]), 10)
    ratio = math.log((3.5 / 1.5) / (1.5 / 9.5))
    error = math.sqrt(1 / 3.5 + 1 / 1.5 + 1 / 1.5 + 1 / 9.5)
    assert z == pytest.approx([ratio / error])


def test_an_ngram_as_frequent_everywhere_scores_zero():
    assert log_odds(np.array([2]), 4, np.array([2]), 4) == pytest.approx([0.0])


def test_the_most_telling_come_first_with_their_counts():
    found = telling_ngrams(CORPUS, min_df=1, top=2)
    assert list(found) == ["delivery", "praise"]
    best = found["delivery"][0]
    assert (best.ngram, best.inside, best.outside) == ("late", 3, 0)
    assert [item.score for item in found["praise"]] == sorted((i.score for i in found["praise"]), reverse=True)


def test_an_ngram_inside_a_better_one_is_left_out():
    ngrams = [item.ngram for item in telling_ngrams(CORPUS, min_df=1, top=9)["delivery"]]
    assert "late" in ngrams
    assert "late parcel" not in ngrams


def test_rare_ngrams_are_not_considered():
    found = telling_ngrams(CORPUS, min_df=3)
    assert [item.ngram for item in found["delivery"]] == ["late", "parcel"]


def test_a_class_without_telling_ngrams_has_an_empty_list():
    found = telling_ngrams(assay.read((["same words"] * 4, ["a", "a", "b", "b"])), min_df=1)
    assert found == {"a": [], "b": []}
