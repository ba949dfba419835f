"""Worked examples of Surdeanu & Valenzuela-Escárcega, chapter 2, and of McDonald, *Classification*."""

from __future__ import annotations

import math

import pytest

from assay import textbook
from assay.textbook import worked


def test_three_reviews_are_learned_in_one_pass():
    """Surdeanu & Valenzuela-Escárcega, Table 2.5."""
    steps = list(textbook.perceptron_steps(worked.REVIEWS, worked.REVIEW_LABELS))
    first, second, third = steps[:3]
    assert (first.score, first.decision, first.update) == (0, "Negative", "add")
    assert first.parameters == {"w": (1, 1, 1, 0, 0), "b": 1}
    assert (second.score, second.decision, second.update) == (2, "Positive", "subtract")
    assert second.parameters == {"w": (1, 1, 0, -1, 0), "b": 0}
    assert (third.score, third.decision, third.update) == (0, "Negative", "none")
    assert third.parameters == second.parameters
    assert all(step.right for step in steps[3:])
    assert len(steps) == 6


def test_three_reviews_need_one_pass_and_one_to_see_it():
    """Surdeanu & Valenzuela-Escárcega, section 2.4: converged after one pass."""
    model = textbook.perceptron(worked.REVIEWS, worked.REVIEW_LABELS)
    assert (model.w, model.b) == ((1, 1, 0, -1, 0), 0)
    assert model.mistakes == (2, 0)
    assert model.converged
    assert [model.predict(x) for x in worked.REVIEWS] == list(worked.REVIEW_LABELS)


def test_one_feature_needs_the_bias_and_four_epochs():
    """Surdeanu & Valenzuela-Escárcega, Table 2.6: w = (2), b = -4, the boundary at 2."""
    model = textbook.perceptron(worked.POSITIVE_WORDS, worked.POSITIVE_WORDS_LABELS)
    assert (model.w, model.b) == ((2,), -4)
    assert len(model.mistakes) == 4
    assert model.mistakes[-1] == 0
    assert model.predict([3]) == "Positive"
    assert model.predict([2]) == "Negative"


def test_a_vector_on_the_boundary_is_no():
    """Surdeanu & Valenzuela-Escárcega, Algorithm 1."""
    assert textbook.decide([2], [2], -4) is False
    assert textbook.BinaryLinear((1.0, -1.0), 0.0, "Yes", "No").predict([5, 5]) == "No"


@pytest.mark.parametrize(
    ("X", "y", "total_w", "total_b", "updates"),
    [
        (worked.REVIEWS, worked.REVIEW_LABELS, (1, 1, 1, 0, 0), 1, 2),
        (worked.POSITIVE_WORDS, worked.POSITIVE_WORDS_LABELS, (34,), -5, 6),
    ],
)
def test_average_over_updates_keeps_algorithm_3s_totals(X, y, total_w, total_b, updates):
    """Surdeanu & Valenzuela-Escárcega, Algorithm 3: the weights before each update."""
    last = list(textbook.average_over_updates_steps(X, y))[-1]
    assert last.parameters["totalW"] == total_w
    assert last.parameters["totalB"] == total_b
    assert last.parameters["updates"] == updates
    model = textbook.average_over_updates(X, y)
    assert model.w == pytest.approx([total / updates for total in total_w])
    assert model.b == pytest.approx(total_b / updates)


@pytest.mark.parametrize(
    ("X", "y", "total_w", "total_b", "examples"),
    [
        (worked.REVIEWS, worked.REVIEW_LABELS, (6, 6, 1, -5, 0), 1, 6),
        (worked.POSITIVE_WORDS, worked.POSITIVE_WORDS_LABELS, (70,), -35, 16),
    ],
)
def test_average_over_examples_counts_every_example(X, y, total_w, total_b, examples):
    """Freund & Schapire (1999): the weights after each example, divided by the examples."""
    last = list(textbook.average_over_examples_steps(X, y))[-1]
    assert last.parameters["totalW"] == total_w
    assert last.parameters["totalB"] == total_b
    assert last.parameters["examples"] == examples
    model = textbook.average_over_examples(X, y)
    assert model.w == pytest.approx([total / examples for total in total_w])
    assert model.b == pytest.approx(total_b / examples)


def test_nothing_to_learn_leaves_zeros():
    """Algorithm 3 divides by the updates: with none it keeps what it began with."""
    model = textbook.average_over_updates([[1.0], [2.0]], ["No", "No"])
    assert (model.w, model.b) == ((0.0,), 0.0)
    assert model.negative == "No"


def test_votes_are_the_examples_survived():
    """Surdeanu & Valenzuela-Escárcega, section 2.5; votes as Freund & Schapire count them."""
    model = textbook.voted_perceptron(worked.POSITIVE_WORDS, worked.POSITIVE_WORDS_LABELS)
    assert [(s.w, s.b, s.votes) for s in model.survivors] == [
        ((0,), 0, 1),
        ((10,), 1, 1),
        ((8,), 0, 2),
        ((7,), -1, 2),
        ((5,), -2, 2),
        ((4,), -3, 2),
        ((2,), -4, 6),
    ]
    assert sum(s.votes for s in model.survivors) == 16
    assert model.predict([20]) == "Positive"
    assert model.predict([0]) == "Negative"
    assert [s.w for s in model.at_least(6).survivors] == [(2,)]


def test_weighted_mean_of_the_voters_is_the_average_over_examples():
    X, y = worked.LEXICON_COUNTS, worked.LEXICON_LABELS
    voters = textbook.voted_perceptron(X, y).survivors
    total = sum(v.votes for v in voters)
    average = textbook.average_over_examples(X, y)
    for j in range(2):
        assert sum(v.votes * v.w[j] for v in voters) / total == pytest.approx(average.w[j])
    assert sum(v.votes * v.b for v in voters) / total == pytest.approx(average.b)


def test_voting_can_be_right_where_no_single_voter_is_straight():
    """Surdeanu & Valenzuela-Escárcega, Figure 2.5: both must say × for a ×; the boundary has a corner."""
    votes = textbook.VotedPerceptron(
        (
            textbook.Survivor((1.0, 0.0), -1.0, 1),
            textbook.Survivor((0.0, 1.0), -1.0, 1),
        ),
        "x",
        "o",
    )
    assert votes.predict([2, 2]) == "x"
    assert votes.predict([2, 0]) == "o"  # one vote each: a tie is No
    assert votes.predict([0, 2]) == "o"


@pytest.mark.parametrize("y", [worked.AND, worked.OR])
def test_and_and_or_converge_within_the_mistake_bound(y):
    """McDonald, "Perceptron's mistake bound" (Novikoff 1962), "What a simple perceptron can do"."""
    model = textbook.multiclass_perceptron(worked.SQUARE, y)
    assert model.converged
    assert [model.predict(x) for x in worked.SQUARE] == list(y)
    # the widest lead: u · x = x1 + x2 - 1.5 (AND) or - 0.5 (OR), nearest points at ±0.5
    threshold = -1.5 if y == worked.AND else -0.5
    W = ((-1, -1, -threshold), (1, 1, threshold))
    gamma = textbook.lead(W, worked.SQUARE, y, classes=(0, 1))
    R = textbook.radius(worked.SQUARE)
    assert pytest.approx(math.sqrt(3)) == R
    assert 0 < sum(model.mistakes) <= textbook.mistake_bound(R, gamma)


def test_binary_perceptron_keeps_novikoffs_bound_too():
    """Novikoff (1962): R² / γ² for one weight vector, which is 2 R² / γ² for the two of McDonald's form."""
    u = (1, 1, -1.5)
    length = math.sqrt(1 + 1 + 1.5**2)
    gamma = 0.5 / length
    lead = textbook.lead([[-v for v in u], u], worked.SQUARE, worked.AND, classes=(0, 1))
    assert lead == pytest.approx(math.sqrt(2) * gamma)
    R = textbook.radius(worked.SQUARE)
    assert textbook.mistake_bound(R, lead) == pytest.approx(R**2 / gamma**2)
    model = textbook.perceptron(worked.SQUARE, worked.AND)
    assert model.converged
    assert sum(model.mistakes) <= R**2 / gamma**2


def test_xor_never_converges():
    """Minsky & Papert (1969), in Surdeanu & Valenzuela-Escárcega, section 2.7, and McDonald."""
    model = textbook.perceptron(worked.SQUARE, worked.XOR, epochs=200)
    assert not model.converged
    assert len(model.mistakes) == 200
    assert min(model.mistakes) > 0
    assert not textbook.multiclass_perceptron(worked.SQUARE, worked.XOR, epochs=50).converged


def test_order_is_what_the_caller_says():
    steps = list(
        textbook.perceptron_steps(
            worked.POSITIVE_WORDS,
            worked.POSITIVE_WORDS_LABELS,
            epochs=2,
            stop_early=False,
            order=lambda epoch: [3, 2, 1, 0] if epoch == 1 else [0, 1, 2, 3],
        )
    )
    assert [step.seen for step in steps] == ["#4", "#3", "#2", "#1", "#1", "#2", "#3", "#4"]


def test_multiclass_update_adds_to_the_right_block_and_takes_from_the_wrong():
    """Zhang, chapter 3.2.1 and Algorithm 3.3."""
    X = [[1, 0], [0, 1], [1, 1]]
    first, second, _third = list(textbook.multiclass_perceptron_steps(X, ["a", "b", "c"], bias=False))[:3]
    assert first.right
    assert first.score == {"a": 0, "b": 0, "c": 0}
    assert second.update == "+x to b, -x to a"
    assert second.parameters == {"w[a]": (0, -1), "w[b]": (0, 1), "w[c]": (0, 0)}


def test_an_update_raises_the_score_of_its_example_by_its_squared_length_and_one():
    """Zhang, chapter 3.1.5, "Numerical interpretation": w · x + b grows by ‖x‖² + 1, or falls by it."""
    for step in textbook.perceptron_steps(worked.LEXICON_COUNTS, worked.LEXICON_LABELS):
        if not step.right:
            x = worked.LEXICON_COUNTS[int(step.seen.removeprefix("#")) - 1]
            after = textbook.dot(step.parameters["w"], x) + step.parameters["b"]
            assert abs(after - step.score) == pytest.approx(textbook.dot(x, x) + 1)


def test_a_multiclass_update_closes_the_gap_by_twice_the_squared_length():
    """Zhang, chapter 3.3.3: θ·φ(x, z) - θ·φ(x, c) falls by ‖φ(x, c)‖² + ‖φ(x, z)‖²."""
    X, y = worked.TOPIC_COUNTS, worked.TOPIC_LABELS
    for step in textbook.multiclass_perceptron_steps(X, y, bias=False, epochs=3):
        if not step.right:
            i = int(step.seen.removeprefix("#")) - 1
            c, z, x = y[i], step.decision, X[i]
            after = {name: textbook.dot(step.parameters[f"w[{name}]"], x) for name in (c, z)}
            before = step.score[z] - step.score[c]
            assert before - (after[z] - after[c]) == pytest.approx(2 * textbook.dot(x, x))


def test_separable_classes_are_separated():
    model = textbook.multiclass_perceptron(worked.TOPIC_COUNTS, worked.TOPIC_LABELS)
    assert model.converged
    assert [model.predict(x) for x in worked.TOPIC_COUNTS] == list(worked.TOPIC_LABELS)


def test_output_features_are_a_cartesian_product():
    """Zhang, chapter 3.2.1: the document about Amsterdam, labelled Work."""
    features = textbook.output_features("Tim went to Amsterdam to meet Jason", "Work")
    assert {word: n for (word, _), n in features.items()} == {
        "Tim": 1,
        "went": 1,
        "to": 2,
        "Amsterdam": 1,
        "meet": 1,
        "Jason": 1,
    }
    assert {label for _, label in features} == {"Work"}
    assert textbook.joint_features([1, 2], "b", ["a", "b"]) == [0, 0, 1, 2]


def test_numbers_of_the_bound():
    assert textbook.mistake_bound(2, 1) == 8
    with pytest.raises(textbook.InputError, match=r"gamma is 0\. The bound holds for data that is separable"):
        textbook.mistake_bound(1, 0)
    with pytest.raises(textbook.InputError, match="Every weight is 0, which separates nothing"):
        textbook.lead([[0], [0]], [[1]], ["a"], ["a", "b"], bias=False)
