"""Tests of features: what they answer, what they warn of, and what they refuse."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import assay
from assay.errors import DataError, ParameterError
from assay.inference import held_out_p_value, permutation_p_value, regress
from assay.inference.separation import find_separation


def reviews(n=400, seed=0, effect=1.5):
    """Reviews where 'never' goes with 'neg', 'good' does not beyond genre, and horror films get more of both."""
    rng = np.random.default_rng(seed)
    horror = rng.random(n) < 0.5
    never = rng.random(n) < np.where(horror, 0.5, 0.2)
    blood = rng.random(n) < np.where(horror, 0.8, 0.1)
    score = effect * never + 1.0 * horror - 0.9
    negative = rng.random(n) < 1 / (1 + np.exp(-score))
    texts = [
        " ".join(["film"] * int(rng.integers(2, 30)) + ["Never"] * a + ["blood"] * b)
        for a, b in zip(never.tolist(), blood.tolist(), strict=True)
    ]
    return assay.Corpus(
        texts,
        np.where(negative, "neg", "pos").tolist(),
        {"genre": np.where(horror, "horror", "drama").tolist(), "year": [str(1990 + i % 25) for i in range(n)]},
    )


def test_the_question_is_answered_beyond_length_and_genre():
    result = regress(reviews(), ["never"], ["length", "genre"], outcome="neg")
    assert result["never"].p_value < 1e-4
    c = result.coefficient("never")
    assert c.low < 1.5 < c.high
    assert c.odds_interval == pytest.approx((math.exp(c.low), math.exp(c.high)))
    (answer,) = result.conclusions
    assert answer.startswith(
        "Yes: 'never' is associated with 'neg' beyond length and genre (likelihood ratio test, χ²(1)"
    )
    assert "times the odds of 'neg' (95% interval" in answer
    assert "An association is not a cause" in result.notes[-1]


def test_a_confound_is_taken_away_by_its_control():
    corpus = reviews(800, seed=1)
    alone = regress(corpus, ["blood"], outcome="neg")
    controlled = regress(corpus, ["blood"], ["genre"], outcome="neg")
    assert alone["blood"].p_value < 0.01 < controlled["blood"].p_value
    assert controlled.conclusions[0].startswith("No association of 'blood' with 'neg' beyond genre could be shown")
    assert "That does not show that there is none." in controlled.conclusions[0]


def test_many_features_are_adjusted():
    result = regress(reviews(), ["never", "blood", "count:film"], outcome="neg")
    for test in result.tests:
        rounding = 1e-12  # the same number, multiplied and divided again, differs in its last bit
        assert test.p_value <= test.benjamini_hochberg + rounding <= test.holm + 2 * rounding
    assert "Holm" in str(result)
    assert "B–H" in str(result)


def test_categories_are_compared_with_the_most_frequent_and_years_are_numbers_unless_said():
    corpus = reviews(200)
    as_number = regress(corpus, ["never"], ["year"])
    assert [c.name for c in as_number.coefficients] == ["(intercept)", "never", "year"]
    as_names = regress(corpus, ["never"], ["year"], categorical=["year"])
    assert len(as_names.coefficients) == 2 + 24


def test_one_label_against_the_rest_and_another_reference():
    labels = ["a", "b", "c"] * 60
    texts = [f"{'yes' if (i * 7) % 5 < 2 else 'no'} text" for i in range(180)]
    against_rest = regress((texts, labels), ["yes"], outcome="b")
    assert against_rest.labels == ("not b", "b")
    other = regress((texts, labels), ["yes"], reference="c")
    assert other.labels == ("c", "a", "b")
    assert other["yes"].degrees == 2
    assert other.coefficient("yes", "a").label == "a"


def test_separation_is_named_instead_of_a_nan():
    texts = ["refund please"] * 12 + ["good film"] * 30 + ["a film"] * 30
    labels = ["neg"] * 12 + (["pos"] * 20 + ["neg"] * 10) * 2
    result = regress((texts, labels), ["refund", "good"], outcome="neg", method="likelihood")
    note = result.notes[0]
    assert note.startswith("Separation: the classes are in part separated (all 12 texts with 'refund' are 'neg')")
    assert result.coefficient("refund").estimate == math.inf
    assert math.isfinite(result.coefficient("good").standard_error)
    assert result.coefficient("good").standard_error < 2
    assert result["refund"].p_value < 0.01, "the likelihood-ratio test still holds"
    assert result.conclusions[0].startswith(
        "It cannot be said whether 'refund' is associated with 'neg': the likelihood "
    )
    assert result.conclusions[0].endswith("does not hold here. Use method='auto', which takes a test that does.")
    exact = regress((texts, labels), ["refund", "good"], outcome="neg")
    assert exact["refund"].method == "stratified exact"
    assert exact["refund"].p_value < 0.01
    assert "The odds are without limit: see the note on separation." in exact.conclusions[0]
    assert "∞" in str(result)
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["coefficients"][1]["estimate"] == "Infinity"


def test_complete_separation_is_named_too():
    result = regress(
        (["bad", "bad film", "good", "good film"] * 10, ["neg", "neg", "pos", "pos"] * 10), ["bad", "film"]
    )
    assert "the classes are completely separated (all 20 texts with 'bad' are 'neg')" in result.notes[0]
    assert math.isnan(result.coefficient("film").estimate)


def test_separation_is_found_among_many_classes_and_only_where_it_is():
    X = np.column_stack([np.ones(60), np.repeat([0.0, 0, 1], 20), np.tile([0.0, 1.0], 30)])
    classes = np.repeat([0, 1, 2], 20)
    found = find_separation(X, classes, 3)
    assert not found.complete
    assert found.signs[1].any()
    assert not found.signs[2].any()
    assert find_separation(X[:, [0, 2]], classes, 3) is None


@pytest.mark.parametrize(
    ("settings", "reason"), [({"selected": True}, "chosen by looking"), ({"ridge": 2.0}, "shrunk")]
)
def test_p_values_that_do_not_hold_are_replaced_and_said(settings, reason):
    result = regress(reviews(), ["never"], ["genre"], outcome="neg", **settings)
    assert result["never"].method == "held-out likelihood ratio"
    assert result["never"].p_value < 0.05
    assert reason in result.notes[0]
    assert "do not hold and are not shown" in result.notes[0]
    assert math.isnan(result.coefficient("never").p_value)


def test_asked_for_all_the_same_they_carry_a_warning():
    result = regress(reviews(), ["never"], outcome="neg", selected=True, method="likelihood")
    assert result.notes[0].startswith("These p-values do not hold: the features were chosen by looking")
    assert "method='held-out' or method='permutation'" in result.notes[0]


def test_more_features_than_texts():
    rng = np.random.default_rng(0)
    features = {f"f{i}": rng.normal(size=40) for i in range(50)}
    labels = np.where(features["f0"] + 0.3 * rng.normal(size=40) > 0, "a", "b").tolist()
    result = regress((["text"] * 40, labels), features, method="permutation")
    assert result["f0"].holm <= 50 / 2000
    assert sum(test.holm < 0.05 for test in result.tests) == 1
    assert "50 features and controls for 40 texts" in result.notes[0]
    with pytest.raises(
        ParameterError, match="50 features and controls for 40 texts: the likelihood has no single maximum"
    ):
        regress((["text"] * 40, labels), features, method="likelihood")


def test_few_texts_are_warned_of():
    result = regress(reviews(40), ["never"], ["length", "genre"], method="likelihood")
    assert any("texts for 3 features and controls; below 10 for each" in note for note in result.notes)


def test_words_chosen_on_one_half_are_tested_on_the_other():
    result = regress(reviews(600), top=2, controls=["length"], outcome="neg")
    assert result.n_texts == 300
    assert "never" in {test.name for test in result.tests}
    assert result.notes[0].startswith("2 words were chosen on 300 of the texts")


@pytest.mark.parametrize("test", [held_out_p_value, permutation_p_value])
def test_the_alternatives_find_an_effect_and_keep_their_level(test):
    rng = np.random.default_rng(1)
    n, controls = 120, rng.normal(size=120)
    design = np.column_stack([np.ones(n), controls])
    settings = {"n_splits": 2} if test is held_out_p_value else {"n_permutations": 199}
    false_alarms = 0
    for _ in range(60):
        feature = controls + rng.normal(size=n)  # tied to the control, and to nothing else
        classes = (controls + rng.logistic(size=n) > 0).astype(int)
        false_alarms += test(feature, design, classes, 2, **settings) <= 0.05
    assert false_alarms <= 8, "3 are expected; more than 8 of 60 would be bad luck of one in a hundred"
    feature = rng.normal(size=n)
    classes = (3 * feature + rng.logistic(size=n) > 0).astype(int)
    assert test(feature, design, classes, 2) < 0.01


def test_the_same_seed_gives_the_same_answer():
    first, second = (regress(reviews(), ["never"], method="permutation", seed=3) for _ in range(2))
    assert first.to_dict() == second.to_dict()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"features": ["nevver"]}, DataError, "the feature 'nevver' is the same everywhere: no text has it"),
        (
            {"features": []},
            ParameterError,
            r"no feature to test\. Name some with features=\['never'\], or have some found with top=10",
        ),
        ({"features": "never"}, ParameterError, r"features must be a list, such as \['never'\]"),
        ({"features": ["count: "]}, ParameterError, "has no word in it"),
        ({"controls": ["gener"]}, DataError, "no column 'gener' for the control 'gener'. There is 'genre'"),
        ({"features": ["column:yaer"]}, DataError, "no column 'yaer' for the feature 'column:yaer'. There is 'year'"),
        ({"outcome": "negative"}, ParameterError, "no label 'negative' for outcome=. Labels are 'neg', 'pos'"),
        ({"outcome": "neg", "reference": "neg"}, ParameterError, "outcome and reference are the same label"),
        ({"controls": ["genre", "genre"]}, ParameterError, "'genre' is named twice"),
        ({"categorical": ["year"]}, ParameterError, "'year' is to be categorical but is no control"),
        ({"method": "wald"}, ParameterError, "method must be one of .* Got 'wald' instead"),
        ({"ridge": -1.0}, ParameterError, "ridge must be a number of at least 0. Got -1.0"),
        ({"level": 95}, ParameterError, "level must be between 0 and 1"),
        (
            {"features": {"x": [1.0, 2.0]}},
            ParameterError,
            r"'x' must be 60 finite numbers, one a text. Got shape \(2,\)",
        ),
        ({"top": -1}, ParameterError, "top must be the number of words to choose"),
        (
            {"features": ["never", "log:never"]},
            DataError,
            "'log:never' follows exactly from 'never', .*the design is singular",
        ),
        ({"features": ["never"], "controls": ["genre", "kind"]}, DataError, "'kind=x' follows exactly from 'genre="),
        ({"controls": ["gap"]}, DataError, r"row 3: column 'gap' is empty \(1 of 60 rows\).*categorical=\['gap'\]"),
        ({"controls": ["id"]}, DataError, "column 'id' has 60 different values, .* too many categories"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_the_way_out(arguments, error, message):
    plain = reviews(60)
    kinds = ["x" if genre == "horror" else "y" for genre in plain.column("genre").to_pylist()]
    corpus = assay.Corpus(
        plain.texts,
        plain.labels.cast("large_string"),
        {
            "genre": plain.column("genre"),
            "year": plain.column("year"),
            "kind": kinds,
            "gap": ["1", "2", "", *map(str, range(57))],
            "id": [f"n{i}" for i in range(60)],
        },
    )
    with pytest.raises(error, match=message):
        regress(corpus, **{"features": ["never"], **arguments})


def test_one_label_or_none_is_refused():
    with pytest.raises(DataError, match=r"all 2 texts have the label 'a'\. A classifier needs examples of two"):
        regress((["x", "y"], ["a", "a"]), ["x"])
    with pytest.raises(DataError, match="label"):
        regress(assay.read(["x", "y"]), ["x"])


def test_a_feature_that_was_not_tested_is_named():
    result = regress(reviews(100), ["never"])
    with pytest.raises(ParameterError, match=r"'blood' was not tested\. Tested were 'never'"):
        result["blood"]
    with pytest.raises(ParameterError, match="There is no single coefficient for"):
        result.coefficient("blood")


def test_chosen_words_that_the_other_half_cannot_test_are_passed_over_and_named():
    everything = reviews(400)
    chosen_on = set(np.random.default_rng([0, 2]).permutation(400)[:200].tolist())  # as for seed=0
    texts = [
        f"{text} {'refund' if i in chosen_on and label == 'neg' else 'thing'}{' Nevermore' * ('Never' in text)}"
        for i, (text, label) in enumerate(everything)
    ]
    result = regress(assay.Corpus(texts, everything.labels), top=2)
    assert {test.name for test in result.tests} <= {"never", "nevermore", "blood", "film"}
    said = " ".join(result.notes)
    assert "2 words were chosen on 200 of the texts" in said
    passed_over = said.partition("Passed over: ")[2].partition(", which in those texts no text has")[0]
    assert {"'refund'", "'thing'"} < set(passed_over.split(", "))
    assert set(passed_over.split(", ")) & {"'never'", "'nevermore'"}, "of two that are always together, one is tested"


def tossed(with_word: int, n: int = 100, seed: int = 0):
    """A word in so many texts, and labels that have nothing to do with it."""
    rng = np.random.default_rng([seed, with_word])
    texts = ["word here" if i < with_word else "nothing" for i in range(n)]
    return texts, np.where(rng.random(n) < 0.5, "neg", "pos").tolist()


@pytest.mark.parametrize("with_word", [3, 5, 10])
def test_a_word_in_few_texts_has_fishers_test_which_keeps_its_level(with_word):
    from scipy.stats import fisher_exact

    alarms = 0
    for seed in range(150):
        texts, labels = tossed(with_word, seed=seed)
        result = regress((texts, labels), ["word"], outcome="neg")
        neg = np.array(labels) == "neg"
        there = np.arange(len(texts)) < with_word
        table = [[np.sum(there & neg), np.sum(there & ~neg)], [np.sum(~there & neg), np.sum(~there & ~neg)]]
        assert result["word"].method == "Fisher's exact"
        assert result["word"].p_value == pytest.approx(fisher_exact(table).pvalue)
        assert result.conclusions[0].startswith("Yes") == (result["word"].p_value < 0.05)
        alarms += result["word"].p_value <= 0.05
    # 6.5 % and two standard errors of 150 sets; the likelihood-ratio test calls 27, 8 and 11 % of such words
    assert alarms / 150 <= 0.105


def test_few_texts_are_tested_beyond_other_features_by_shuffling_and_wald_is_not_shown():
    texts, labels = tossed(5)
    other = np.random.default_rng(1).normal(size=100)
    result = regress((texts, labels), {"word": None, "other": other}, outcome="neg")
    assert [test.method for test in result.tests] == ["permutation", "permutation"]  # fewer than 50 "neg"
    assert math.isnan(result.coefficient("word").low)
    assert math.isnan(result.coefficient("word").p_value)
    assert any(
        note.startswith("'word', 'other': there are fewer than 50 texts with it, without it") for note in result.notes
    )
    assert "permutation" in str(result)
    assert result.to_dict()["tests"][0]["holds"] is True


def test_a_word_in_few_texts_is_counted_among_texts_with_the_same_other_words():
    from scipy.stats import fisher_exact

    labels = ["neg", "pos"] * 100
    texts = ["said nothing"] * 200
    for word, rows in (("three", (0, 2, 4)), ("four", (6, 8, 10, 12)), ("five", (14, 16, 18, 20, 22))):  # all "neg"
        for row in rows:
            texts[row] += f" {word}"
    found = regress((texts, labels), ["three", "four", "five"], outcome="neg")
    for name, with_it, others in (("three", 3, 9), ("four", 4, 8), ("five", 5, 7)):
        one_sided = fisher_exact([[with_it, 0], [100 - others - with_it, 100]], "greater").pvalue
        assert (found[name].method, found[name].p_value) == ("stratified exact", pytest.approx(2 * one_sided))
    assert found["three"].p_value > 0.2
    assert not any(sentence.startswith("Yes") for sentence in found.conclusions)
    swapped = ["pos" if label == "neg" else "neg" for label in labels]
    assert regress((texts, swapped), ["three", "four", "five"], outcome="neg")["five"].p_value == pytest.approx(
        found["five"].p_value
    )


def test_words_in_few_texts_keep_their_level_beside_each_other():
    alarms = 0
    for seed in range(150):
        random = np.random.default_rng(seed)
        words = {name: np.zeros(120) for name in ("three", "five", "eight")}
        for present, n in zip(words.values(), (3, 5, 8), strict=True):
            present[random.choice(120, n, replace=False)] = 1.0
        labels = np.where(random.random(120) < 0.4, "neg", "pos").tolist()
        result = regress((["text"] * 120, labels), words, outcome="neg")
        alarms += sum(result[name].p_value <= 0.05 for name in words)
    # of 450 tests; what counts can come about is discrete, so fewer than 5 %
    assert alarms / 450 <= 0.05


def test_many_texts_keep_the_likelihood_ratio_test_and_its_interval():
    texts, labels = tossed(150, n=400)
    result = regress((texts, labels), ["word"], outcome="neg")
    assert result["word"].method == "likelihood ratio"
    assert result["word"].holds
    assert math.isfinite(result.coefficient("word").low)
