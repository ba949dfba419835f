"""`assay.compare`: what may be concluded."""

from __future__ import annotations

import json

import numpy as np
import pytest

import assay
from assay.evaluation.protocols.comparison_result import Comparison, Comparisons
from assay.evaluation.uncertainty.intervals import wilson_interval

RANDOM = np.random.default_rng(1)
TRUTH = RANDOM.integers(0, 2, 500)


def noisy(share: float) -> np.ndarray:
    wrong = RANDOM.random(500) < share
    return np.where(wrong, 1 - TRUTH, TRUTH)


GOOD, FAIR, FAIR_TOO, BAD = noisy(0.05), noisy(0.2), noisy(0.2), noisy(0.4)


def test_better_model_is_said_to_be_better_and_what_that_does_not_say() -> None:
    result = assay.compare(GOOD, BAD, TRUTH, names=["svm", "rule"])
    assert isinstance(result, Comparison)
    assert result.significant
    assert result.alternative == "two-sided"
    assert result.conclusion.startswith("svm is better than rule on documents like these 500 (macro_f1 +0.")
    assert "two-sided, p < 0.0001" in result.conclusion
    assert result.conclusion.endswith("says nothing about other kinds of text or about models trained anew.")


def test_no_difference_is_not_called_equality() -> None:
    result = assay.compare(FAIR, FAIR_TOO, TRUTH, alternative="two-sided")
    assert not result.significant
    assert result.conclusion.startswith("It cannot be concluded that A and B differ (macro_f1 ")
    assert "nor that the two are equally good" in result.conclusion


def test_worse_first_model_is_not_better() -> None:
    assert assay.compare(BAD, GOOD, TRUTH).conclusion.startswith("B is better than A")
    result = assay.compare(BAD, GOOD, TRUTH, alternative="greater")
    assert result.p_value > 0.99
    assert "It cannot be concluded that A is better than B" in result.conclusion
    assert assay.compare(BAD, GOOD, TRUTH, alternative="less").conclusion.startswith("B is better than A")


def test_python_and_the_command_line_ask_the_same_question() -> None:
    from inspect import signature

    from assay.cli.commands.compare import compare_cli

    assert signature(compare_cli).parameters["alternative"].default == "two-sided"
    assert assay.compare(FAIR, BAD, TRUTH).alternative == "two-sided"


def test_same_predictions_are_told_apart_by_nothing() -> None:
    result = assay.compare(GOOD, GOOD, TRUTH)
    assert result.p_value == 1.0
    assert result.conclusion == (
        "A and B gave the same label to every one of these 500 documents, so nothing here tells them apart."
    )


@pytest.mark.parametrize("test", ["bootstrap", "randomization", "mcnemar", "mcnemar_mid_p"])
def test_every_test_gives_small_p_values_for_large_differences_only(test: str) -> None:
    settings = {"metric": "accuracy", "test": test, "alternative": "two-sided", "n_resamples": 2000}
    assert assay.compare(GOOD, BAD, TRUTH, **settings).p_value < 0.001
    assert assay.compare(FAIR, FAIR_TOO, TRUTH, **settings).p_value > 0.05


def test_agreement_counts_add_up() -> None:
    result = assay.compare(GOOD, FAIR, TRUTH)
    assert result.both_right + result.only_first + result.only_second + result.neither == 500
    assert result.both_right + result.only_first == (GOOD == TRUTH).sum()
    assert result.n_different == (GOOD != FAIR).sum()


def test_function_as_metric_gives_what_the_named_metric_gives() -> None:
    def accuracy(y_true: np.ndarray, y_pred: np.ndarray) -> float:
        return float(np.mean(y_true == y_pred))

    named = assay.compare(GOOD, FAIR, TRUTH, metric="accuracy", n_resamples=4000)
    own = assay.compare(GOOD, FAIR, TRUTH, metric=accuracy, n_resamples=400)
    assert own.metric == "accuracy"
    assert own.difference.value == pytest.approx(named.difference.value, abs=1e-12)
    # 400 resamples: ends within a fifth of the interval's width.
    width = named.difference.high - named.difference.low
    assert own.difference.low == pytest.approx(named.difference.low, abs=width / 5)
    shuffled = assay.compare(FAIR, FAIR_TOO, TRUTH, metric=accuracy, test="randomization", n_resamples=400)
    expected = assay.compare(FAIR, FAIR_TOO, TRUTH, metric="accuracy", test="randomization")
    assert shuffled.p_value == pytest.approx(expected.p_value, abs=0.1)


def test_function_metric_is_stratified_and_accelerated_on_request() -> None:
    def recall(y_true: np.ndarray, y_pred: np.ndarray) -> float:
        return float(np.mean(y_pred[y_true == 1] == 1))

    settings = {"stratified": True, "interval": "bca", "n_resamples": 300}
    own = assay.compare(GOOD, FAIR, TRUTH, metric=recall, **settings).difference
    named = assay.compare(GOOD, FAIR, TRUTH, metric="recall:1", **{**settings, "n_resamples": 5000}).difference
    assert own.method == named.method == "bca"
    assert own.low == pytest.approx(named.low, abs=(named.high - named.low) / 5)


def test_function_of_probabilities() -> None:
    probabilities = [np.where(p == 1, 0.8, 0.2) for p in (GOOD, BAD)]
    systems = [assay.evaluate(TRUTH, p, q) for p, q in zip((GOOD, BAD), probabilities, strict=True)]

    def likelihood(y_true: np.ndarray, table: np.ndarray) -> float:
        return float(np.mean(np.log(table[np.arange(y_true.size), y_true])))

    own = assay.compare(*systems, metric=likelihood, metric_uses="probabilities", n_resamples=100)
    named = assay.compare(*systems, metric="log_loss", n_resamples=100)
    assert own.difference.value == pytest.approx(-named.difference.value, abs=1e-12)
    assert own.p_value == named.p_value == 0.0


def test_lower_log_loss_is_better() -> None:
    sure, unsure = (np.where(GOOD == 1, p, 1 - p) for p in (0.9, 0.6))
    result = assay.compare(assay.evaluate(TRUTH, GOOD, sure), assay.evaluate(TRUTH, GOOD, unsure), metric="log_loss")
    assert result.difference.value < 0
    assert result.difference.low < result.difference.value < result.difference.high < 0
    assert result.conclusion.startswith("A is better than B")
    assert not result.more_is_better


def test_stratified_resamples_change_the_interval_of_accuracy() -> None:
    plain, stratified = (assay.compare(GOOD, FAIR, TRUTH, stratified=s).difference for s in (False, True))
    assert plain.value == stratified.value
    assert plain.low != stratified.low


def test_several_models_are_corrected_by_holm() -> None:
    results = assay.compare({"good": GOOD, "fair": FAIR, "fair too": FAIR_TOO}, TRUTH)
    assert isinstance(results, Comparisons)
    assert len(results) == 3
    pair = results["fair", "good"]
    assert pair.alternative == "two-sided"
    assert pair.adjusted_p_value >= pair.p_value
    assert "good is better than fair; good is better than fair too" in results.conclusion
    assert "nothing may be concluded about fair and fair too, not even that they are equal" in results.conclusion
    assert "after Holm's correction" in pair.conclusion


def test_correction_knows_how_small_a_p_value_the_resamples_can_show() -> None:
    results = assay.compare(TRUTH, BAD, FAIR, TRUTH, names=["best", "bad", "fair"], n_resamples=100)
    pair = results["best", "bad"]
    assert pair.p_value == 0.0
    assert pair.adjusted_p_value == 3 / 100
    assert "< 0.01" in str(results)


def test_several_models_in_a_row() -> None:
    assert len(assay.compare(GOOD, FAIR, BAD, TRUTH)) == 3


def test_models_evaluations_and_labels_can_be_compared(reviews, rule_model) -> None:
    models = rule_model("good"), rule_model("e")
    by_model = assay.compare(*models, reviews)
    by_evaluation = assay.compare(*(assay.evaluate(model, reviews) for model in models))
    said = [model.predict(reviews.texts.to_pylist()) for model in models]
    by_labels = assay.compare(*said, reviews)
    assert by_model == by_evaluation == by_labels


def test_models_with_their_labels_in_another_order(reviews, rule_model) -> None:
    first, second = rule_model("good"), rule_model("e")
    expected = assay.compare(first, second, reviews)
    second.classes_ = ("pos", "neg")
    second.predict_proba = lambda texts: rule_model("e").predict_proba(texts)[:, ::-1]
    assert assay.compare(first, second, reviews) == expected
    assert assay.compare(first, second, reviews, metric="log_loss") == assay.compare(
        first, rule_model("e"), reviews, metric="log_loss"
    )


def test_order_of_labels_does_not_change_the_resamples() -> None:
    truth, a, b = (np.array(["no", "yes"])[values] for values in (TRUTH, GOOD, FAIR))
    settings = {"metric": "f1:yes", "stratified": True}
    results = [assay.compare(a, b, truth, labels=labels, **settings) for labels in (["no", "yes"], ["yes", "no"])]
    assert results[0] == results[1]


def test_undefined_metric_concludes_nothing() -> None:
    truth, a, b = ["x", "x", "y"], ["x", "x", "x"], ["x", "y", "y"]
    result = assay.compare(a, b, truth, metric="precision:y")
    assert not result.difference.defined
    assert result.p_value == 1.0
    assert result.conclusion == "Nothing can be concluded: precision:y is undefined for A or B."
    assert result.to_dict()["first_value"] is None


def test_shown_and_kept() -> None:
    result = assay.compare(GOOD, FAIR, TRUTH, names=["svm", "nb"])
    text = str(result)
    assert text.startswith("svm against nb on 500 documents")
    assert "only svm right" in text
    assert "better than" in text
    assert "svm" in result._repr_html_()
    found = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert found["kind"] == "comparison"
    assert found["conclusion"] == result.conclusion
    frame = result.to_frame()
    assert frame.loc[0, "difference"] == pytest.approx(result.difference.value)
    several = assay.compare(GOOD, FAIR, BAD, TRUTH)
    assert len(several.to_frame()) == 3
    assert "p (Holm)" in str(several)
    assert "p (Holm)" in several._repr_html_()
    assert repr(result).startswith("<Comparison of svm and nb on 500 documents: macro_f1 +0.")
    assert repr(several) == "<Comparisons of 3 pairs on 500 documents: 3 significant>"
    assert json.loads(json.dumps(several.to_dict()))["kind"] == "comparisons"


def test_same_seed_same_result_for_any_number_of_threads() -> None:
    for metric in ("macro_f1", "accuracy"):
        for test in ("bootstrap", "randomization"):
            results = [assay.compare(GOOD, FAIR, TRUTH, metric=metric, test=test, threads=t) for t in (1, 2)]
            assert results[0] == results[1]


def test_a_difference_that_no_resample_changes_has_no_interval() -> None:
    said = ["a", "b"], ["b", "a"], ["a", "b"]
    result = assay.compare(*said, names=["first", "second"], n_resamples=50, interval="percentile")
    assert str(result.difference) == "1.000"
    assert not result.significant
    assert (
        "(macro_f1 +1.0000, no interval since every resample gave the same value; approximate rand" in result.conclusion
    )
    assert result.conclusion.endswith("these 2 documents would fit many a true difference.")


def test_a_difference_has_no_interval_where_one_of_the_models_has_none() -> None:
    truth = ["a"] * 49 + ["b"]
    result = assay.compare(["a"] * 50, ["a"] * 48 + ["b"] * 2, truth, n_resamples=50)
    assert np.isnan(result.difference.low)
    assert result.difference.reason.startswith("only 1 text is 'b'; 2 are needed")
    assert not np.isnan(assay.compare(["a"] * 50, ["a"] * 48 + ["b"] * 2, truth, metric="accuracy").difference.low)


def test_equal_answers_to_few_documents_leave_room_for_a_difference() -> None:
    said = ["a"] * 28 + ["b"] * 22
    found = assay.compare(said, said, ["a"] * 25 + ["b"] * 25, metric="accuracy").difference
    assert found.value == 0
    assert found.method == "of both intervals"
    assert found.low == pytest.approx(-found.high)
    assert 0.01 < found.high < 0.1


def test_the_difference_of_accuracies_is_near_newcombes_interval() -> None:
    # 34 right by both, 12 and 2 by one alone, 2 by none. Newcombe (1998), method 8: the correlation as it is. Half a
    # document more on each side makes it smaller and the interval wider, by a few hundredths at most.
    truth = np.arange(50) % 2
    right = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [34, 12, 2, 2], axis=0).astype(bool)
    first, second = (np.where(column, truth, 1 - truth) for column in right.T)
    found = assay.compare(first, second, truth, metric="accuracy").difference
    (low_1, high_1), (low_2, high_2) = (wilson_interval(k, 50) for k in (46, 36))
    related = np.corrcoef(right.T)[0, 1]
    below = np.sqrt((0.92 - low_1) ** 2 + (high_2 - 0.72) ** 2 - 2 * related * (0.92 - low_1) * (high_2 - 0.72))
    above = np.sqrt((high_1 - 0.92) ** 2 + (0.72 - low_2) ** 2 - 2 * related * (high_1 - 0.92) * (0.72 - low_2))
    assert found.value == pytest.approx(0.2)
    assert 0.2 - below - 0.01 < found.low <= 0.2 - below
    assert 0.2 + above <= found.high < 0.2 + above + 0.01
