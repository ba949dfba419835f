"""Metrics against scikit-learn's, to 1e-12, on random outcomes."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as theirs

import assay
from assay.evaluation.metrics.outcomes import Outcomes

CLOSE = 1e-12


def random_outcomes(seed: int, n_classes: int, n: int) -> Outcomes:
    """Every class occurs and is predicted; probabilities have ties, as rounding makes them."""
    random = np.random.default_rng(seed)
    truth = np.r_[np.arange(n_classes), random.integers(0, n_classes, n)].astype(np.int32)
    probabilities = random.dirichlet(np.ones(n_classes), truth.size)
    probabilities[np.arange(truth.size), truth] += 0.4 * random.random(truth.size)
    probabilities = np.round(probabilities / probabilities.sum(axis=1, keepdims=True), 2) + 1e-3
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    predicted = probabilities.argmax(axis=1).astype(np.int32)
    predicted[:n_classes] = np.arange(n_classes)
    return Outcomes(tuple(range(n_classes)), truth, predicted, probabilities)


def evaluated(outcomes: Outcomes, **settings: object) -> assay.evaluation.protocols.evaluation.Evaluation:
    return assay.evaluate(
        y_true=outcomes.truth,
        y_pred=outcomes.predicted,
        probabilities=outcomes.probabilities,
        labels=list(outcomes.labels),
        n_resamples=10,
        **settings,
    )


cases = {"seed": st.integers(0, 10_000), "n_classes": st.integers(2, 6), "n": st.integers(5, 120)}


@given(**cases)
@settings(max_examples=40, deadline=None)
def test_metrics_of_labels_agree(seed: int, n_classes: int, n: int) -> None:
    outcomes = random_outcomes(seed, n_classes, n)
    y, p = outcomes.truth, outcomes.predicted
    result = evaluated(outcomes, beta=[0.5, 2])
    expected = {
        "accuracy": theirs.accuracy_score(y, p),
        "balanced_accuracy": theirs.balanced_accuracy_score(y, p),
        "matthews": theirs.matthews_corrcoef(y, p),
        "kappa": theirs.cohen_kappa_score(y, p),
    }
    for average in ("macro", "micro", "weighted"):
        expected[f"{average}_precision"] = theirs.precision_score(y, p, average=average)
        expected[f"{average}_recall"] = theirs.recall_score(y, p, average=average)
        for beta, name in ((1, "f1"), (0.5, "f0.5"), (2, "f2")):
            expected[f"{average}_{name}"] = theirs.fbeta_score(y, p, beta=beta, average=average)
    assert {name: result[name].value for name in expected} == pytest.approx(expected, rel=CLOSE, abs=CLOSE)
    precision, recall, f2, _ = theirs.precision_recall_fscore_support(y, p, beta=2)
    for k in range(n_classes):
        assert result[f"precision:{k}"].value == pytest.approx(precision[k], abs=CLOSE)
        assert result[f"recall:{k}"].value == pytest.approx(recall[k], abs=CLOSE)
        assert result[f"f2:{k}"].value == pytest.approx(f2[k], abs=CLOSE)
    assert (result.confusion.counts == theirs.confusion_matrix(y, p)).all()


@given(**cases)
@settings(max_examples=40, deadline=None)
def test_metrics_of_probabilities_agree(seed: int, n_classes: int, n: int) -> None:
    outcomes = random_outcomes(seed, n_classes, n)
    y, scores = outcomes.truth, outcomes.probabilities
    assert scores is not None
    labels = list(range(n_classes))
    result = evaluated(outcomes)
    one_hot = np.eye(n_classes)[y]
    expected = {
        "log_loss": theirs.log_loss(y, scores, labels=labels),
        "brier": theirs.brier_score_loss(y, scores if n_classes > 2 else scores[:, 1], labels=labels),
        "roc_auc": np.mean([theirs.roc_auc_score(one_hot[:, k], scores[:, k]) for k in labels]),
        "average_precision": theirs.average_precision_score(one_hot, scores, average="macro"),
    }
    if n_classes > 2:
        expected["roc_auc"] = theirs.roc_auc_score(y, scores, multi_class="ovr", labels=labels)
        expected["top_2_accuracy"] = theirs.top_k_accuracy_score(y, scores, k=2, labels=labels)
    assert {name: result[name].value for name in expected} == pytest.approx(expected, rel=CLOSE, abs=CLOSE)


@pytest.mark.parametrize("zero_division", [0, 1])
def test_zero_division_agrees(zero_division: int) -> None:
    y, p = ["a", "b", "c", "c"], ["a", "b", "b", "a"]
    result = assay.evaluate(y_true=y, y_pred=p, zero_division=zero_division)
    for measure in ("precision", "recall", "f1"):
        function = getattr(theirs, f"{measure}_score")
        for average in ("macro", "weighted"):
            expected = function(y, p, average=average, zero_division=zero_division)
            assert result[f"{average}_{measure}"].value == pytest.approx(expected, abs=CLOSE)


def test_undefined_values_are_left_out_of_averages_as_with_zero_division_nan() -> None:
    y, p = ["a", "b", "c", "c"], ["a", "b", "b", "a"]
    result = assay.evaluate(y_true=y, y_pred=p)
    expected = theirs.precision_score(y, p, average="macro", zero_division=np.nan)
    assert result["macro_precision"].value == pytest.approx(expected, abs=CLOSE)


def test_curves_agree() -> None:
    outcomes = random_outcomes(3, 3, 60)
    assert outcomes.probabilities is not None
    result = evaluated(outcomes)
    false, true, _ = theirs.roc_curve(outcomes.truth == 1, outcomes.probabilities[:, 1])
    curve = result.roc(1)
    assert (curve.false_positive_rate == false).all()
    assert (curve.true_positive_rate == true).all()
    assert curve.area == pytest.approx(result["roc_auc:1"].value, abs=CLOSE)
    precision, recall, _ = theirs.precision_recall_curve(outcomes.truth == 1, outcomes.probabilities[:, 1])
    assert (result.precision_recall(1).precision == precision).all()
    assert (result.precision_recall(1).recall == recall).all()
    assert result.precision_recall(1).area == pytest.approx(result["average_precision:1"].value, abs=CLOSE)


def test_reliability_of_one_label_agrees_with_calibration_curve() -> None:
    from sklearn.calibration import calibration_curve

    outcomes = random_outcomes(4, 2, 200)
    assert outcomes.probabilities is not None
    frequency, confidence = calibration_curve(outcomes.truth == 1, outcomes.probabilities[:, 1], n_bins=7)
    bins = evaluated(outcomes).reliability(7, label=1).bins
    assert [b.frequency.value for b in bins] == pytest.approx(frequency, abs=CLOSE)
    assert [b.confidence for b in bins] == pytest.approx(confidence, abs=CLOSE)


def test_expected_calibration_error_is_the_weighted_gap_of_the_bins() -> None:
    result = evaluated(random_outcomes(5, 3, 300))
    assert result["calibration_error"].value == pytest.approx(result.reliability(15).error, abs=CLOSE)


def test_matthews_of_a_constant_prediction_is_undefined_where_scikit_learn_says_zero() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert theirs.matthews_corrcoef(["a", "b"], ["a", "a"]) == 0
    result = assay.evaluate(y_true=["a", "b"], y_pred=["a", "a"])
    assert not result["matthews"].defined
    assert result["matthews"].reason == "the predictions hold one label only"
