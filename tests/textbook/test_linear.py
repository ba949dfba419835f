"""McDonald, *Classification* (AthNLP 2024): linear classifiers, counting; Zhang, chapter 3: naive Bayes."""

from __future__ import annotations

import math

import pytest

from assay import textbook
from assay.textbook import worked


def bridge_model() -> textbook.MulticlassLinear:
    return textbook.MulticlassLinear(("per", "loc"), (worked.PERSON_WEIGHTS, worked.LOCATION_WEIGHTS), (0.0, 0.0))


def test_george_washington_bridge_is_a_location():
    """McDonald, "Linear classifiers - example": 5.8 for location, -3.9 for person."""
    (x,) = textbook.binary_vectors(["George Washington Bridge"], worked.NAME_WORDS, unknown=True)
    assert x == [1, 1, 1, 0, 0]
    scores = bridge_model().scores(x)
    assert scores["loc"] == pytest.approx(5.8)
    assert scores["per"] == pytest.approx(-3.9)
    assert bridge_model().predict(x) == "loc"


def test_two_classes_are_the_difference_of_two_weight_vectors():
    """McDonald, "Binary linear classifier"."""
    binary = bridge_model().as_binary(positive="loc")
    assert binary.w == pytest.approx((-0.9, 1.2, 9.4, -5.9, 0.19))
    assert binary.score([1, 1, 1, 0, 0]) == pytest.approx(5.8 + 3.9)
    assert binary.predict([1, 1, 1, 0, 0]) == "loc"
    assert binary.predict([1, 1, 0, 1, 0]) == "per"
    assert bridge_model().as_binary().positive == "per"


def test_all_weights_in_one_vector():
    """McDonald, "Weights/parameters": W = [1, 1, 2, 2, 3, 3]."""
    model = textbook.MulticlassLinear((1, 2, 3), ((1, 1), (2, 2), (3, 3)), (0, 0, 0))
    assert model.theta == (1, 1, 2, 2, 3, 3)
    x = [4, 5]
    for c, score in model.scores(x).items():
        assert textbook.dot(model.theta, textbook.joint_features(x, c, model.classes)) == score


def test_a_difference_needs_two_classes():
    with pytest.raises(textbook.InputError, match=r"A difference needs two classes, and there are 3\."):
        textbook.MulticlassLinear((1, 2, 3), ((1,), (2,), (3,)), (0, 0, 0)).as_binary()
    with pytest.raises(textbook.InputError, match=r"label is 'locc'. It must be one of 'loc', 'per'\."):
        bridge_model().as_binary("locc")


@pytest.mark.parametrize(
    ("name", "x"),
    [
        ("General George Washington", [1, 1, 0, 1, 0]),
        ("George Washington Bridge", [1, 1, 1, 0, 0]),
        ("George Washington University", [1, 1, 0, 0, 1]),
        ("George George George of the Jungle", [1, 0, 0, 0, 1]),
    ],
)
def test_bag_of_words_with_an_unknown_word(name, x):
    """McDonald, "Bag of words feature representation"."""
    assert textbook.binary_vectors([name], worked.NAME_WORDS, unknown=True) == [x]


@pytest.mark.parametrize(
    ("symbol", "probability"), [("★", 2 / 3), ("♥", 1), ("△", 1 / 3), ("◇", 1 / 2), ("○", 1 / 2), ("♠", 0)]
)
def test_symbols_are_counted(symbol, probability):
    """McDonald, "Let's start simple": P(-1 | symbol)."""
    table = textbook.count_symbols(worked.SYMBOLS, worked.SYMBOL_LABELS)
    assert table.probability(-1, symbol) == pytest.approx(probability)
    assert table.probability(+1, symbol) == pytest.approx(1 - probability)


def test_new_sequences_are_labelled_by_their_symbols():
    """McDonald, "Let's start simple": the first two new sequences are -1; the third could be either."""
    table = textbook.count_symbols(worked.SYMBOLS, worked.SYMBOL_LABELS)
    assert table.predict("★ ◇ ○") == -1
    assert table.predict("★ ◇ ♥") == -1
    assert table.score("★ △ ○", -1) == pytest.approx(table.score("★ △ ○", +1))


def test_unseen_symbols_say_what_is_known():
    table = textbook.count_symbols(worked.SYMBOLS, worked.SYMBOL_LABELS)
    with pytest.raises(textbook.InputError, match=r"'☂' was never seen\. Known symbols: ★ ◇ ○ ♥ △ ♠"):
        table.probability(-1, "☂")
    with pytest.raises(textbook.InputError, match="No symbol of '☂ ☃' was ever seen"):
        table.predict("☂ ☃")


def test_naive_bayes_counts_with_add_one():
    model = textbook.naive_bayes(worked.NEWS, worked.NEWS_LABELS)
    assert model.prior("sports") == pytest.approx(2 / 5)
    assert len(model.words) == 6
    assert model.likelihood("goal", "sports") == pytest.approx((3 + 1) / (7 + 6))
    assert model.likelihood("goal", "money") == pytest.approx(1 / (9 + 6))
    assert model.predict("goal goal") == "sports"
    assert model.predict("stock") == "money"


def test_naive_bayes_is_a_linear_model_too():
    """Zhang, chapter 3, "Naive Bayes is a linear model too": θ_c · f + log P(c)."""
    model = textbook.naive_bayes(worked.NEWS, worked.NEWS_LABELS)
    linear = model.linear_form()
    document = "fans saw the goal and the stock fans"
    (f,) = textbook.count_vectors([document], model.words)
    assert linear.scores(f) == pytest.approx(model.log_scores(document))
    assert linear.predict(f) == model.predict(document)
    assert linear.b == pytest.approx((math.log(3 / 5), math.log(2 / 5)))
    assert sum(model.posterior(document).values()) == pytest.approx(1)


def test_naive_bayes_without_smoothing_rules_out_what_it_never_saw():
    model = textbook.naive_bayes(worked.NEWS, worked.NEWS_LABELS, alpha=0)
    assert model.log_scores("goal")["money"] == -math.inf
    assert model.posterior("goal")["sports"] == 1
    with pytest.raises(textbook.InputError, match="Every score is minus infinity"):
        model.posterior("goal stock")


def test_naive_bayes_is_the_product_of_the_formula():
    """Zhang, chapter 3, "Review naive Bayes": P(c) Π P(w | c)."""
    model = textbook.naive_bayes(worked.NEWS, worked.NEWS_LABELS)
    product = model.prior("money") * model.likelihood("loan", "money") * model.likelihood("fans", "money")
    assert math.exp(model.log_scores("loan fans")["money"]) == pytest.approx(product)
