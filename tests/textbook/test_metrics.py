"""Surdeanu & Valenzuela-Escárcega, section 2.3; Jurafsky & Martin, chapter 4.9 to 4.11 and its notes."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

import pytest

from assay import textbook
from assay.textbook import worked


def email_table() -> textbook.Confusion:
    return textbook.Confusion.from_table(worked.EMAIL_CLASSES, worked.EMAIL_TABLE, rows="system")


def test_five_decisions():
    """Surdeanu & Valenzuela-Escárcega, Table 2.2: accuracy 3/5, TP 2, TN 1, FP 1, FN 1."""
    table = textbook.confusion(worked.FIVE_GOLD, worked.FIVE_PREDICTED)
    assert table.accuracy == 3 / 5
    assert table.one_against_rest("+") == textbook.Outcomes(tp=2, fp=1, fn=1, tn=1)


def test_all_negative_classifier_of_a_thousand_applications():
    """Surdeanu & Valenzuela-Escárcega, section 2.3: accuracy .999; the book says 0 for both."""
    outcomes = textbook.confusion([1] + [0] * 999, [0] * 1000).one_against_rest(1)
    assert outcomes.accuracy == 0.999
    assert outcomes.precision() is None
    assert outcomes.precision(undefined=0.0) == 0
    assert outcomes.recall() == 0
    assert outcomes.f() == 0
    assert textbook.Outcomes(tp=0, fp=0, fn=0, tn=9).f() is None
    assert textbook.Outcomes(tp=0, fp=0, fn=0, tn=9).f(undefined=0.0) == 0
    assert textbook.f_score(None, 0.0) is None
    assert textbook.f_score(0.0, 0.0) == 0


def test_a_million_tweets_of_which_a_hundred_are_about_pie():
    """Jurafsky & Martin, chapter 4.9: accuracy 99.99 %, recall 0 of 100."""
    outcomes = textbook.Outcomes(tp=0, fp=0, fn=100, tn=999_900)
    assert outcomes.accuracy == 0.9999
    assert outcomes.recall() == 0
    assert outcomes.precision() is None


def test_f_scores_of_half_precision_and_full_recall():
    """Surdeanu & Valenzuela-Escárcega, section 2.3: F1 = .66 (cut off, not rounded) and F10 = .99."""
    outcomes = textbook.Outcomes(tp=1, fp=1, fn=0, tn=998)
    assert (outcomes.precision(), outcomes.recall()) == (0.5, 1.0)
    assert math.floor(outcomes.f() * 100) / 100 == 0.66
    assert round(outcomes.f(beta=10), 2) == 0.99
    assert textbook.f_score(0.5, 1.0, beta=10) == pytest.approx(101 * 0.5 / 51)


def test_everything_is_urgent_is_useless_and_f1_says_so():
    """Surdeanu & Valenzuela-Escárcega, section 2.3: the arithmetic mean would be about .5, F1 about 0."""
    outcomes = textbook.Outcomes(tp=1, fp=999, fn=0, tn=0)
    assert (outcomes.precision() + outcomes.recall()) / 2 == pytest.approx(0.5, abs=1e-3)
    assert outcomes.f() < 0.01


def test_email_table():
    """Jurafsky & Martin, Figures 4.8 and 4.9: micro .73, macro .60."""
    table = email_table()
    urgent, normal, spam = (table.one_against_rest(label) for label in worked.EMAIL_CLASSES)
    assert (urgent.tp, urgent.fp, urgent.fn, urgent.tn) == (8, 11, 8, 340)
    assert (normal.tp, normal.fp, normal.fn, normal.tn) == (60, 55, 40, 212)
    assert (spam.tp, spam.fp, spam.fn, spam.tn) == (200, 33, 51, 83)
    assert [round(o.precision(), 2) for o in (urgent, normal, spam)] == [0.42, 0.52, 0.86]
    assert [o.recall() for o in (urgent, normal, spam)] == [8 / 16, 60 / 100, 200 / 251]
    assert table.pooled() == textbook.Outcomes(268, 99, 99, 635)
    assert round(table.micro("precision"), 2) == 0.73
    assert round(table.macro("precision"), 2) == 0.60
    assert round((0.42 + 0.52 + 0.86) / 3, 2) == 0.60  # from the rounded figures, as the book computes it
    assert table.micro("recall") == table.micro("precision") == pytest.approx(table.accuracy)


def test_rows_may_be_gold_or_system():
    by_gold = textbook.Confusion.from_table(
        worked.EMAIL_CLASSES, [list(row) for row in zip(*worked.EMAIL_TABLE, strict=True)]
    )
    assert by_gold.counts == email_table().counts
    with pytest.raises(textbook.InputError, match=r"rows is 'sideways'\. It must be 'gold' or 'system'"):
        textbook.Confusion.from_table("ab", [[1, 2], [3, 4]], rows="sideways")


def test_macro_is_undefined_if_a_class_is():
    table = textbook.confusion(["a", "b"], ["a", "a"])
    assert table.macro("precision") is None
    assert table.macro("precision", undefined=0.0) == 0.25


def test_bad_figures():
    with pytest.raises(textbook.InputError, match=r"figure is 'kappa'\. It must be 'precision', 'recall' or 'f'"):
        email_table().micro("kappa")
    with pytest.raises(textbook.InputError, match=r"beta is 0\. It must be greater than 0"):
        textbook.f_score(0.5, 0.5, beta=0)
    with pytest.raises(textbook.InputError, match=r"label is 'spm'\. It must be one of 'spam'"):
        email_table().one_against_rest("spm")
    with pytest.raises(textbook.InputError, match="There are no gold labels"):
        textbook.confusion([], [])
    with pytest.raises(textbook.InputError, match="There are 2 examples and 1 labels"):
        textbook.confusion("ab", "a")


def test_ten_folds():
    """Jurafsky & Martin, Figure 4.10: every example is tested once, by a model trained on nine tenths."""
    cut = textbook.folds(100, k=10)
    assert sorted(i for fold in cut for i in fold) == list(range(100))
    assert {len(fold) for fold in cut} == {10}
    seen = []
    score = textbook.cross_validate(100, lambda train, test: seen.append((set(train), set(test))) or 1.0, k=10)
    assert score == 1.0
    assert all(len(train) == 90 and not train & test for train, test in seen)


def test_uneven_and_shuffled_folds():
    assert [len(fold) for fold in textbook.folds(11, k=3)] == [4, 4, 3]
    assert textbook.folds(11, k=3, seed=1) == textbook.folds(11, k=3, seed=1)
    assert textbook.folds(11, k=3, seed=1) != textbook.folds(11, k=3)
    assert sorted(i for fold in textbook.folds(11, k=3, seed=1) for i in fold) == list(range(11))


def test_mean_of_the_folds_is_the_score():
    scores = iter([0.2, 0.4, 0.9])
    assert textbook.cross_validate(6, lambda train, test: next(scores), k=3) == pytest.approx(0.5)


def test_too_many_folds():
    with pytest.raises(textbook.InputError, match="k is 5 and there are 3 examples"):
        textbook.folds(3, k=5)
    with pytest.raises(textbook.InputError, match=r"k is 1\. It must be a whole number, 2 or more"):
        textbook.folds(3, k=1)


def test_ten_documents():
    """Jurafsky & Martin, Figure 4.11: A .70, B .50, δ(x) = .20."""
    pairs = worked.TEN_DOCUMENTS
    assert sum(a for a, _ in pairs) / 10 == 0.70
    assert sum(b for _, b in pairs) / 10 == 0.50
    assert textbook.paired_bootstrap(pairs, b=1).delta == pytest.approx(0.20)


def test_virtual_test_sets_of_the_figure():
    """Jurafsky & Martin, Figure 4.11: x(1) has .60, .60, δ .00; x(2) has .60, .70, δ -.10."""
    right, only_a, only_b, neither = 1, 2, 4, 9  # documents, from 1, of each kind
    first = [only_a, right, only_a, only_b, only_b, only_a, only_b, right, neither, right]
    second = [only_a, right, neither, only_b, only_b, right, only_b, only_a, right, right]
    samples = [[document - 1 for document in sample] for sample in (first, second)]
    test = textbook.paired_bootstrap(worked.TEN_DOCUMENTS, samples=samples)
    assert test.deltas == pytest.approx((0.00, -0.10))
    assert test.p_value == 0


def test_bootstrap_agrees_with_all_possible_test_sets():
    """The exact p-value: the chance that ten draws from +1 (4 in 10), -1 (2), 0 (4) sum up to 4 or more."""
    chances = {0: 1.0}
    for _ in range(10):
        drawn = Counter()
        for (total, p), (step, q) in product(chances.items(), {1: 0.4, -1: 0.2, 0: 0.4}.items()):
            drawn[total + step] += p * q
        chances = drawn
    exact = sum(p for total, p in chances.items() if total >= 4)
    test = textbook.paired_bootstrap(worked.TEN_DOCUMENTS, b=4000, seed=1)
    # three standard errors of a share of 4000
    assert test.p_value == pytest.approx(exact, abs=3 * math.sqrt(exact * (1 - exact) / 4000))


def test_forty_seven_of_ten_thousand():
    """Jurafsky & Martin, chapter 4.11.1: 47 of 10,000 virtual test sets give p = .0047."""
    lucky, usual = [1] * 2, [0, 1]
    pairs = [(0, 0), (1, 0)]
    test = textbook.paired_bootstrap(pairs, samples=[lucky] * 47 + [usual] * 9953)
    assert test.delta == 0.5
    assert test.p_value == 0.0047


def test_rounding_does_not_hide_a_draw_at_exactly_twice_the_difference():
    """.7 - .5 is not .2 to a computer, and the draw with δ = .4 must count."""
    at_twice = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    assert textbook.paired_bootstrap(worked.TEN_DOCUMENTS, samples=[at_twice]).p_value == 1


def test_any_metric_can_be_tested():
    def recall_difference(pairs):
        return float(sum(a - b for a, b in pairs))

    test = textbook.paired_bootstrap(worked.TEN_DOCUMENTS, b=200, delta=recall_difference)
    assert test.delta == 2
    assert test.p_value == textbook.paired_bootstrap(worked.TEN_DOCUMENTS, b=200).p_value


def test_bootstrap_needs_documents():
    with pytest.raises(textbook.InputError, match="The test set is empty"):
        textbook.paired_bootstrap([])
    with pytest.raises(textbook.InputError, match="samples is empty"):
        textbook.paired_bootstrap([(1, 1)], samples=[])


def test_selection_figures_by_hand():
    """Yang & Pedersen (1997), in Jurafsky & Martin's notes: a word in 3 of 4 positive, 1 of 4 negative texts."""
    having, lacking = {"+": 3, "-": 1}, {"+": 1, "-": 3}
    cells = textbook.Cells(A=3, B=1, C=1, D=3)
    h = -(0.75 * math.log2(0.75) + 0.25 * math.log2(0.25))
    assert textbook.information_gain(having, lacking) == pytest.approx(1 - h)
    assert textbook.chi_squared(cells) == pytest.approx(8 * (9 - 1) ** 2 / (4 * 4 * 4 * 4))
    assert textbook.pointwise_mutual_information(cells) == pytest.approx(math.log2(3 * 8 / (4 * 4)))
    assert textbook.gini_gain(having, lacking) == pytest.approx(0.5 - 0.375)


def test_a_word_that_tells_nothing_scores_nothing():
    having, lacking = {"+": 2, "-": 2}, {"+": 3, "-": 3}
    cells = textbook.Cells(2, 2, 3, 3)
    assert textbook.information_gain(having, lacking) == pytest.approx(0)
    assert textbook.gini_gain(having, lacking) == pytest.approx(0)
    assert textbook.chi_squared(cells) == 0
    assert textbook.pointwise_mutual_information(cells) == pytest.approx(0)


def test_edges_of_selection():
    assert textbook.pointwise_mutual_information(textbook.Cells(0, 2, 2, 2)) == -math.inf
    assert textbook.chi_squared(textbook.Cells(2, 2, 0, 0)) == 0
    assert textbook.information_gain({"+": 2, "-": 2}, {"+": 0, "-": 0}) == 0
    assert textbook.gini_impurity([]) == 0


def test_words_are_ranked_by_what_they_tell():
    ranking = textbook.rank_words(worked.SHORT_REVIEWS, worked.SHORT_REVIEW_LABELS)
    assert ranking[0][0] == "bad"
    step = next(
        s for s in textbook.rank_words_steps(worked.SHORT_REVIEWS, worked.SHORT_REVIEW_LABELS, "+") if s.seen == "good"
    )
    assert step.decision == "A=2 B=1 C=1 D=2"
    assert step.parameters["χ²"] == pytest.approx(6 * (4 - 1) ** 2 / 81)
