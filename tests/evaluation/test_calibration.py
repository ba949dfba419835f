"""Calibration: fitted on held-out scores, kept as arrays, applied without scikit-learn."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

import assay
from assay.errors import DataError, ParameterError
from assay.evaluation.decisions.adjusted_model import AdjustedModel
from assay.evaluation.decisions.calibration import calibrate, fit_calibration
from assay.evaluation.decisions.calibration_fit import fit_isotonic, fit_sigmoid, fit_temperature, smoothed_targets
from assay.evaluation.decisions.thresholds import choose_rule
from assay.prediction.calibration import METHODS, Calibration


def two_classes(n: int = 600, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Scores and classes with P(1 | s) = 1 / (1 + exp(-(0.5 s + 0.3)))."""
    random = np.random.default_rng(seed)
    scores = random.normal(0, 4, n)
    return scores, (random.random(n) < 1 / (1 + np.exp(-(0.5 * scores + 0.3)))).astype(int)


def three_classes(n: int = 900, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Logits three times too large, and classes."""
    random = np.random.default_rng(seed)
    logits = random.normal(0, 1.2, (n, 3))
    p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    classes = (random.random((n, 1)) > p.cumsum(axis=1)).sum(axis=1)
    return 3 * logits, classes


def test_sigmoid_agrees_with_scikit_learn() -> None:
    from sklearn.calibration import _SigmoidCalibration

    scores, classes = two_classes()
    slope, intercept = fit_sigmoid(scores, classes == 1)
    theirs = _SigmoidCalibration().fit(scores, classes)
    assert slope == pytest.approx(-theirs.a_, rel=1e-4)
    assert intercept == pytest.approx(-theirs.b_, rel=1e-3)
    # It finds the law that made the data, within the error of 600 documents.
    assert slope == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_sigmoid_fits_scores_of_any_size(scale: float) -> None:
    scores, classes = two_classes()
    expected = fit_sigmoid(scores, classes == 1)
    slope, intercept = fit_sigmoid(scale * scores, classes == 1)
    assert slope * scale == pytest.approx(expected[0], rel=1e-6)
    assert intercept == pytest.approx(expected[1], rel=1e-6)


def test_sigmoid_of_separable_scores_stays_finite() -> None:
    scores = np.r_[np.full(10, -1.0), np.full(10, 1.0)]
    slope, intercept = fit_sigmoid(scores, scores > 0)
    p = 1 / (1 + np.exp(-(slope * scores + intercept)))
    # Platt's targets: (N₊ + 1)/(N₊ + 2) and 1/(N₋ + 2).
    assert p[-1] == pytest.approx(11 / 12, abs=1e-6)
    assert p[0] == pytest.approx(1 / 12, abs=1e-6)


def test_isotonic_agrees_with_scikit_learn_between_and_outside_its_points() -> None:
    from sklearn.isotonic import IsotonicRegression

    scores, classes = two_classes(300)
    scores = np.round(scores, 1)  # ties
    theirs = IsotonicRegression(out_of_bounds="clip").fit(scores, smoothed_targets(classes == 1))
    points, values = fit_isotonic(scores, classes == 1)
    asked = np.linspace(-15, 15, 400)
    assert np.interp(asked, points, values) == pytest.approx(theirs.predict(asked), abs=1e-9)
    assert points.size <= np.unique(scores).size


def test_temperature_minimises_the_log_loss() -> None:
    from scipy.special import log_softmax

    logits, classes = three_classes()
    found = fit_temperature(logits, classes)

    def loss(temperature: float) -> float:
        return -float(np.mean(log_softmax(logits / temperature, axis=1)[np.arange(classes.size), classes]))

    assert loss(found) <= min(loss(found * factor) for factor in (0.9, 0.99, 1.01, 1.1))
    assert found == pytest.approx(3.0, abs=0.4)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("of_probabilities", [False, True])
def test_calibrated_probabilities_are_better_on_new_documents(
    method: str, n_classes: int, of_probabilities: bool
) -> None:
    make = three_classes if n_classes == 3 else lambda n, seed: two_class_table(n, seed)
    (train, train_classes), (test, test_classes) = make(900, 0), make(900, 1)
    if of_probabilities:
        train, test = (np.exp(t) / np.exp(t).sum(axis=1, keepdims=True) for t in (train, test))
    labels = ("a", "b", "c")[:n_classes]
    calibration = fit_calibration(train, train_classes, labels, method, of_probabilities)
    probabilities = calibration.apply(test)
    assert probabilities.sum(axis=1) == pytest.approx(np.ones(900))
    assert ((probabilities >= 0) & (probabilities <= 1)).all()
    before = test if of_probabilities else np.exp(test) / np.exp(test).sum(axis=1, keepdims=True)
    results = [assay.evaluate(test_classes, p.argmax(axis=1), p, n_resamples=10) for p in (before, probabilities)]
    assert results[1]["calibration_error"].value < results[0]["calibration_error"].value
    assert results[1]["brier"].value < results[0]["brier"].value


def two_class_table(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    scores, classes = two_classes(n, seed)
    return np.column_stack([-scores, scores]), classes


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_arrays_bring_the_calibration_back(method: str, n_classes: int) -> None:
    table, classes = three_classes() if n_classes == 3 else two_class_table(300, 0)
    labels = ("a", "b", "c")[:n_classes]
    calibration = fit_calibration(table, classes, labels, method)
    arrays = calibration.to_arrays()
    assert all(isinstance(values, np.ndarray) for values in arrays.values())
    again = Calibration.from_arrays(arrays, labels)
    assert (again.apply(table) == calibration.apply(table)).all()
    order = list(range(n_classes))[::-1]
    turned = calibration.reordered([labels[k] for k in order])
    assert turned.apply(table[:, order]) == pytest.approx(calibration.apply(table)[:, order], abs=1e-12)


def test_reordered_isotonic_of_two_labels_from_probabilities() -> None:
    scores, classes = two_classes(300)
    p = 1 / (1 + np.exp(-scores))
    calibration = fit_calibration(np.column_stack([1 - p, p]), classes, ("a", "b"), "isotonic", of_probabilities=True)
    turned = calibration.reordered(["b", "a"])
    assert turned.apply(np.column_stack([p, 1 - p]))[:, 0] == pytest.approx(calibration.apply(p)[:, 1], abs=1e-12)


def test_applying_a_calibration_imports_neither_scikit_learn_nor_scipy() -> None:
    code = (
        "import sys, numpy as np\n"
        "from assay.prediction.calibration import Calibration\n"
        "from assay.prediction.decision_rule import DecisionRule\n"
        "arrays = {'method': np.array([0, 0], np.int32), 'slopes': np.array([1.0]), 'intercepts': np.array([0.0])}\n"
        "p = Calibration.from_arrays(arrays, ('a', 'b')).apply(np.array([0.0]))\n"
        "assert p.tolist() == [[0.5, 0.5]] and DecisionRule(('a', 'b')).apply(p).tolist() == [0]\n"
        "assert 'sklearn' not in sys.modules and 'scipy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("learner", [LinearSVC(), LogisticRegression()])
def test_model_is_calibrated_on_held_out_folds_and_used(learner, reviews) -> None:
    pipeline = make_pipeline(TfidfVectorizer(), learner)
    calibration = calibrate(pipeline, reviews, folds=4)
    assert calibration.of_probabilities == hasattr(learner, "predict_proba")
    by_result = calibrate(assay.cross_validate(pipeline, reviews, folds=4))
    assert {name: a.tolist() for name, a in calibration.to_arrays().items()} == {
        name: a.tolist() for name, a in by_result.to_arrays().items()
    }
    texts, labels = reviews.texts.to_pylist(), reviews.labels.to_pylist()
    model = AdjustedModel(pipeline.fit(texts, labels), calibration)
    assert model.labels == reviews.label_names
    assert assay.evaluate(model, reviews)["log_loss"].value < 0.5
    said = pipeline.predict(texts)
    assert np.mean(model.predict(texts) == said) > 0.95


def test_adjusted_model_may_have_a_rule_only(reviews) -> None:
    pipeline = make_pipeline(TfidfVectorizer(), LogisticRegression())
    rule = choose_rule(assay.cross_validate(pipeline, reviews, folds=3), min_recall=1.0, positive="pos")
    model = AdjustedModel(pipeline.fit(reviews.texts.to_pylist(), reviews.labels.to_pylist()), rule=rule)
    assert assay.evaluate(model, reviews)["recall:pos"].value == 1.0


MESSAGES = [
    (
        lambda: fit_calibration([[0, 1]], [0], "ab", "plat"),
        ParameterError,
        "method must be one of 'temperature', 'isotonic', 'sigmoid'. Got 'plat'",
    ),
    (
        lambda: fit_calibration([[0, 1], [1, 0]], [0, 0], "ab"),
        DataError,
        "The class 'b' cannot be calibrated: no held-out document is of it. Use method='temperature', which needs no "
        "documents of every class, or add documents.",
    ),
    (
        lambda: calibrate(LinearSVC()),
        ParameterError,
        "calibrate needs held-out documents. Pass an unfitted model and the training corpus, or a cross-validation. "
        "Got LinearSVC alone.",
    ),
    (
        lambda: calibrate(assay.evaluate([0, 1], [0, 1])),
        DataError,
        "There is nothing to calibrate: the model gives neither probabilities nor scores.",
    ),
    (
        lambda: Calibration(("a", "b", "c"), "temperature", False, {"temperature": np.ones(1)}).apply(np.ones((2, 2))),
        DataError,
        "The scores to calibrate have shape (2, 2) where (n, 3) is needed: one column for each of the labels",
    ),
    (lambda: Calibration.from_arrays({}, "ab"), DataError, "These arrays hold no calibration: their 'method' is []."),
    (
        lambda: Calibration.from_arrays({"method": np.array([0, 0]), "slopes": np.ones(3)}, "ab"),
        DataError,
        "These arrays are no sigmoid calibration of 2 labels: their sizes are {'slopes': (3,)}.",
    ),
    (
        lambda: Calibration.from_arrays({"method": np.array([2, 0]), "temperature": np.array([np.nan])}, "ab"),
        DataError,
        "These arrays are no temperature calibration of 2 labels",
    ),
    (
        lambda: Calibration.from_arrays(
            {"method": np.array([1, 0]), "points": np.ones(2), "values": np.ones(2), "bounds": np.array([0.0, 3.0])},
            "ab",
        ),
        DataError,
        "These arrays are no isotonic calibration of 2 labels",
    ),
    (
        lambda: AdjustedModel(None),
        ParameterError,
        "AdjustedModel needs a calibration, a rule or a cap. Got none of them.",
    ),
]


@pytest.mark.parametrize(("action", "error", "message"), MESSAGES, ids=[message[:40] for _, _, message in MESSAGES])
def test_message(action, error, message: str) -> None:
    with pytest.raises(error) as caught:
        action()
    assert message in str(caught.value)


def test_adjustment_of_other_labels_is_refused(rule_model) -> None:
    calibration = Calibration(("a", "b"), "temperature", True, {"temperature": np.ones(1)})
    with pytest.raises(ParameterError, match=r"The model's labels \['neg', 'pos'\] are not those of the adjustment"):
        AdjustedModel(rule_model(), calibration)
