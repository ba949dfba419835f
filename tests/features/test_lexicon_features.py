"""Counts of words from lists."""

from __future__ import annotations

import pytest

from assay.errors import DataError, ParameterError
from assay.features import Lexicon, LexiconFeatures

SIDES = {"positive": ["good", "fun"], "negative": ["bad", "dull"]}


def table(texts, lexicons=SIDES, **settings):
    return LexiconFeatures(lexicons, **settings).fit_transform(texts).tolist()


def test_words_of_each_list_are_counted():
    assert table(["Good, good FUN", "dull", ""]) == [[3, 0], [0, 1], [0, 0]]


def test_presence_and_logarithms():
    assert table(["good good"], values="presence") == [[1, 0]]
    assert table(["good good good"], values="log-count") == [[pytest.approx(1.3862943611198906), 0]]


@pytest.mark.parametrize(
    ("text", "positive", "negative"),
    [
        ("not good", 0, 1),
        ("No fun", 0, 1),
        ("never very good", 0, 1),
        ("it isn't good", 0, 1),
        ("it isn’t good", 0, 1),
        ("cannot be bad", 1, 0),
        ("not as very good", 0, 1),  # the third word after it
        ("not as very very good", 1, 0),  # the fourth
        ("not bad, good", 2, 0),  # punctuation ends what is negated
        ("good not", 1, 0),  # only what comes after
        ("nothing good", 1, 0),
    ],
)
def test_a_negated_word_counts_for_the_other_side(text, positive, negative):
    assert table([text], negation=3) == [[positive, negative]]


def test_without_negation_words_count_as_they_stand():
    assert table(["not good"]) == [[1, 0]]


def test_a_list_without_an_opposite_has_a_column_for_negated_words():
    features = LexiconFeatures({"fun": ["fun"]}, negation=1).fit([])
    assert features.get_feature_names_out().tolist() == ["fun", "not fun"]
    assert features.transform(["fun, no fun"]).tolist() == [[1, 1]]


def test_opposites_are_named():
    assert table(["not up"], {"up": ["up"], "down": ["down"]}, negation=1, opposites={"up": "down"}) == [[0, 1]]


def test_negators_are_named():
    assert table(["hardly good, not good"], negation=1, negators=["hardly"]) == [[1, 1]]


def test_scores_above_and_below_zero_are_summed_and_change_sides_when_negated():
    features = LexiconFeatures({"mood": {"good": 3, "bad": -2, "great": 4}}, negation=2).fit([])
    assert features.get_feature_names_out().tolist() == ["mood above zero", "mood below zero"]
    assert features.transform(["good great bad", "not good, not bad"]).tolist() == [[7, 2], [2, 3]]


def test_lexicons_come_from_files_and_objects(tmp_path):
    (tmp_path / "good.txt").write_text("good\n")
    lexicons = {"file": tmp_path / "good.txt", "path": str(tmp_path / "good.txt"), "own": Lexicon.of_words(["good"])}
    assert table(["good"], lexicons) == [[1, 1, 1]]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"lexicons": {}}, "must be lists by name"),
        ({"lexicons": ["good"]}, "The 'lexicons' parameter of LexiconFeatures must be an instance of"),
        ({"values": "counts"}, "The 'values' parameter of LexiconFeatures must be a str among"),
        ({"negation": -1}, "The 'negation' parameter of LexiconFeatures must be an int in the range"),
        ({"opposites": {"positive": "negatve"}}, "'opposites' names the lexicon 'negatve', which is not there. There "),
        (
            {"lexicons": {"mood": {"good": 3}, "fun": ["fun"]}, "opposites": {"fun": "mood"}},
            "names the lexicon 'mood', whose scores already say",
        ),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(ParameterError, match=message):
        LexiconFeatures(**({"lexicons": SIDES} | settings)).fit(["good"])


def test_texts_that_are_none_are_refused():
    features = LexiconFeatures(SIDES)
    with pytest.raises(DataError, match="row 2 is no text but missing"):
        features.fit(["good", None])
    with pytest.raises(ValueError, match="string object received"):
        features.fit("good")
    with pytest.raises(DataError, match="Got int instead"):
        features.fit(3)
    with pytest.raises(DataError, match="is not UTF-8"):
        features.fit([b"\xff"])


def test_bytes_and_series_are_texts():
    pandas = pytest.importorskip("pandas")
    assert table([b"good"]) == table(pandas.Series(["good"])) == [[1, 0]]
