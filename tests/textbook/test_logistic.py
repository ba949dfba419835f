"""Jurafsky & Martin, chapter 4; Surdeanu & Valenzuela-Escárcega, chapter 3; McDonald, *Classification*."""

from __future__ import annotations

import math

import pytest

from assay import textbook
from assay.textbook import worked


def test_six_feature_review():
    """Jurafsky & Martin, chapter 4.3.1: z = .833, P(+) = .70, P(-) = .30."""
    assert worked.SIX_FEATURES[-1] == pytest.approx(4.19, abs=5e-3)
    model = textbook.LogisticRegression(worked.SIX_WEIGHTS, worked.SIX_BIAS, "+", "-")
    assert round(model.score(worked.SIX_FEATURES), 3) == 0.833
    p = model.probability(worked.SIX_FEATURES)
    assert round(p, 2) == 0.70
    assert round(1 - p, 2) == 0.30
    assert model.predict(worked.SIX_FEATURES) == "+"


def test_losses_of_the_six_feature_review():
    """Jurafsky & Martin, chapter 4.5: .36 if it is positive, 1.2 if it is not."""
    p = textbook.sigmoid(textbook.dot(worked.SIX_WEIGHTS, worked.SIX_FEATURES) + worked.SIX_BIAS)
    assert round(textbook.cross_entropy(p, 1), 2) == 0.36
    assert round(textbook.cross_entropy(p, 0), 1) == 1.2
    assert textbook.negative_log_likelihood([1 - p, p], 1) == textbook.cross_entropy(p, 1)


def test_six_feature_review_of_the_slides():
    """Jurafsky & Martin's slides of 2021 count 64 words, ln 64 = 4.15: .69 and .31, losses .37 and 1.17."""
    features = (*worked.SIX_FEATURES[:5], math.log(64))
    assert round(features[-1], 2) == 4.16  # the slides cut it off at 4.15
    p = textbook.probability((*worked.SIX_FEATURES[:5], 4.15), worked.SIX_WEIGHTS, worked.SIX_BIAS)
    assert (round(p, 2), round(1 - p, 2)) == (0.69, 0.31)
    assert round(textbook.cross_entropy(p, 1), 2) == 0.37
    assert round(textbook.cross_entropy(p, 0), 2) == 1.17


def test_gradient_of_the_first_step():
    """Jurafsky & Martin, chapter 4.6.3: (-1.5, -1.0, -.5) for w1, w2 and b."""

    def loss(parameters):
        *w, b = parameters
        return textbook.cross_entropy(textbook.probability([3, 2], w, b), 1)

    assert textbook.numerical_gradient(loss, [0.0, 0.0, 0.0]) == pytest.approx([-1.5, -1.0, -0.5], abs=1e-6)


def test_sigmoid_and_logit_undo_each_other():
    """Jurafsky & Martin, equations 4.4, 4.6 and 4.7."""
    for z in (-30.0, -2.0, 0.0, 0.833, 5.0):
        assert textbook.sigmoid(z) + textbook.sigmoid(-z) == pytest.approx(1)
        assert textbook.logit(textbook.sigmoid(z)) == pytest.approx(z)
    assert textbook.sigmoid(-1000) == 0
    assert textbook.sigmoid(1000) == 1


def test_one_step_of_stochastic_gradient_descent():
    """Jurafsky & Martin, chapter 4.6.3: w = (.15, .1), b = .05."""
    (step,) = textbook.logistic_regression_steps([[3, 2]], [1], rate=0.1, epochs=1)
    assert step.score == 0.5
    assert step.parameters["w"] == pytest.approx((0.15, 0.1))
    assert step.parameters["b"] == pytest.approx(0.05)
    assert step.loss == pytest.approx(math.log(2))


def test_softmax_of_six_scores():
    """Jurafsky & Martin, chapter 4.7.1."""
    p = textbook.softmax(worked.SIX_SCORES)
    assert [round(value, 2) for value in p] == [0.05, 0.09, 0.01, 0.10, 0.74, 0.01]
    assert sum(p) == pytest.approx(1)
    assert textbook.softmax([1000, 1000]) == [0.5, 0.5]


def test_softmax_of_two_scores_is_the_sigmoid_of_their_difference():
    assert textbook.softmax([0.3, 1.133])[1] == pytest.approx(textbook.sigmoid(0.833))


def test_exclamation_mark_weights_of_three_classes():
    """Jurafsky & Martin, chapter 4.7.3: w5 is 3.5 for +, 3.1 for -, -5.3 for 0."""
    model = textbook.MultinomialLogisticRegression(("+", "-", "0"), ((3.5,), (3.1,), (-5.3,)), (0, 0, 0))
    p = model.probabilities([1])
    assert p["+"] > p["-"] > p["0"]
    assert p["+"] == pytest.approx(1 / (1 + math.exp(-0.4) + math.exp(-8.8)))
    assert model.probabilities([0]) == pytest.approx({"+": 1 / 3, "-": 1 / 3, "0": 1 / 3})


def numbers(step: textbook.Step) -> list[float]:
    return [*step.parameters["w"], step.parameters["b"]]


@pytest.mark.parametrize("batch_size", [1, 2, None])
@pytest.mark.parametrize("l2", [0.0, 0.1])
def test_every_update_goes_against_the_gradient_of_the_batch_cost(batch_size, l2):
    """Jurafsky & Martin, equations 4.26, 4.28, 4.31; Surdeanu & Valenzuela-Escárcega, Algorithm 5."""
    X, y = [[3.0, 1.0], [1.0, 3.0], [4.0, 3.0]], [1, 0, 1]
    size = batch_size or len(X)
    before = [0.0, 0.0, 0.0]
    rate = 0.2
    for number, step in enumerate(
        textbook.logistic_regression_steps(X, y, rate=rate, epochs=2, batch_size=batch_size, l2=l2)
    ):
        start = number % math.ceil(len(X) / size) * size
        batch = range(start, min(start + size, len(X)))

        def cost(parameters, batch=batch):
            *w, b = parameters
            losses = [textbook.cross_entropy(textbook.sigmoid(textbook.dot(w, X[i]) + b), y[i]) for i in batch]
            return sum(losses) / len(losses) + l2 * sum(value**2 for value in w)

        slope = textbook.numerical_gradient(cost, before)
        assert numbers(step) == pytest.approx([p - rate * g for p, g in zip(before, slope, strict=True)], abs=1e-8)
        before = numbers(step)


def test_full_batches_lower_the_loss():
    losses = [
        step.loss
        for step in textbook.logistic_regression_steps(
            worked.LEXICON_COUNTS, worked.LEXICON_LABELS, rate=0.1, epochs=50, batch_size=None
        )
    ]
    assert losses == sorted(losses, reverse=True)


def test_l1_makes_weights_exactly_zero_and_l2_makes_them_small():
    """Jurafsky & Martin, chapter 4.14."""
    X = [[1.0, 0.3], [2.0, -0.2], [-1.0, 0.2], [-2.0, -0.3]]
    y = [1, 1, 0, 0]
    settings = {"rate": 0.5, "epochs": 300, "batch_size": None}
    free = textbook.logistic_regression(X, y, **settings)
    l1 = textbook.logistic_regression(X, y, l1=0.1, **settings)
    l2 = textbook.logistic_regression(X, y, l2=0.1, **settings)
    assert free.w[1] != 0
    assert l1.w[1] == 0
    assert l1.w[0] > 0
    assert 0 < abs(l2.w[1]) < abs(free.w[1])
    assert abs(l2.w[0]) < abs(free.w[0])


def test_the_bias_is_never_penalised():
    """Jurafsky & Martin, chapter 4.14: only the bias survives, at the log odds of the classes."""
    model = textbook.logistic_regression(
        [[1.0], [1.1], [0.9], [1.0]], [1, 1, 1, 0], rate=0.5, epochs=2000, batch_size=None, l1=5.0
    )
    assert model.w == (0.0,)
    assert model.b == pytest.approx(textbook.logit(0.75), abs=1e-3)


def test_shuffling_follows_the_seed():
    def order(seed):
        steps = textbook.logistic_regression_steps(worked.LEXICON_COUNTS, worked.LEXICON_LABELS, epochs=2, seed=seed)
        return [step.seen for step in steps]

    assert order(1) == order(1)
    assert order(1) != order(2)
    assert sorted(order(1)[:10]) == sorted(f"#{i}" for i in range(1, 11))
    assert order(None)[:10] == [f"#{i}" for i in range(1, 11)]


def test_tolerance_stops_early():
    steps = list(textbook.logistic_regression_steps([[1.0]], [1], rate=1.0, epochs=500, batch_size=None, tolerance=0.1))
    assert len(steps) < 500


def test_multinomial_step_of_two_classes_is_half_the_binary_one_each_way():
    """McDonald, "What does the update look like?": -η (P - 1) x for the right class, -η P x for the other."""
    (step,) = textbook.multinomial_logistic_steps([[3, 2]], ["+"], classes=["+", "-"], rate=0.1, epochs=1)
    assert step.parameters["w[+]"] == pytest.approx((0.15, 0.1))
    assert step.parameters["w[-]"] == pytest.approx((-0.15, -0.1))
    assert step.score == {"+": 0.5, "-": 0.5}


@pytest.mark.parametrize("batch_size", [1, None])
def test_multinomial_updates_go_against_the_gradient(batch_size):
    """Jurafsky & Martin, equation 4.41."""
    X, y = [[1.0, 2.0], [0.5, -1.0], [2.0, 0.1]], ["a", "b", "c"]
    rate, l2 = 0.3, 0.05
    before = [0.0] * 9
    size = batch_size or 3
    steps = textbook.multinomial_logistic_steps(X, y, rate=rate, epochs=2, batch_size=batch_size, l2=l2)
    for number, step in enumerate(steps):
        start = number % (3 // size) * size

        def cost(p, batch=range(start, start + size)):
            W, b = [p[0:2], p[2:4], p[4:6]], p[6:]
            total = 0.0
            for i in batch:
                z = [textbook.dot(w, X[i]) + bias for w, bias in zip(W, b, strict=True)]
                total += textbook.negative_log_likelihood(textbook.softmax(z), "abc".index(y[i]))
            return total / size + l2 * sum(value**2 for value in p[:6])

        after = [v for c in y for v in step.parameters[f"w[{c}]"]] + list(step.parameters["b"].values())
        slope = textbook.numerical_gradient(cost, before)
        assert after == pytest.approx([p - rate * g for p, g in zip(before, slope, strict=True)], abs=1e-8)
        before = after


def test_multinomial_learns_three_classes():
    model = textbook.multinomial_logistic(worked.TOPIC_COUNTS, worked.TOPIC_LABELS, rate=0.1, epochs=300)
    assert [model.predict(x) for x in worked.TOPIC_COUNTS] == list(worked.TOPIC_LABELS)


def test_bad_probabilities():
    with pytest.raises(textbook.InputError, match=r"p is 1\. The log odds exist only"):
        textbook.logit(1)
    with pytest.raises(textbook.InputError, match=r"y is 2\. The truth is 0 or 1"):
        textbook.cross_entropy(0.5, 2)
    with pytest.raises(textbook.InputError, match=r"A probability is 1\.5\. It must lie between 0 and 1"):
        textbook.cross_entropy(1.5, 1)
    with pytest.raises(textbook.InputError, match=r"z is empty\. Softmax needs at least one score"):
        textbook.softmax([])
    with pytest.raises(textbook.InputError, match=r"l1 is -1\.0\. It must not be below 0"):
        textbook.logistic_regression([[1.0]], [1], l1=-1.0)
    with pytest.raises(textbook.InputError, match=r"l2 is -2\. It must not be below 0"):
        textbook.multinomial_logistic([[1.0], [2.0]], [0, 1], l2=-2)
    assert textbook.cross_entropy(0.0, 1) == math.inf
