"""Everything that cannot be measured says why, where, and what to do."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import pytest

import assay
from assay import Corpus
from assay.errors import DataError, MissingExtraError, ParameterError
from assay.evaluation.uncertainty.intervals import wilson_interval

A, B = ["a", "b", "a", "b"], ["a", "b", "b", "b"]
HALF = np.full((4, 2), 0.5)


def changed(table: np.ndarray, row: int, column: int, value: float) -> np.ndarray:
    table = table.copy()
    table[row, column] = value
    return table


class Constant:
    """Says the same of every text."""

    classes_ = ("a", "b")

    def fit(self, texts, labels):
        return self

    def predict(self, texts):
        return ["a"] * len(texts)


PLAIN: list[tuple[Callable[[], object], type[Exception], str]] = [
    (
        lambda: assay.evaluate(Constant(), ["x", "y"], ["a"]),
        DataError,
        "(texts, labels): there are 2 texts and 1 label. There must be as many of both.",
    ),
    (
        lambda: assay.evaluate(Constant(), ["x", "y"], ["a", None]),
        DataError,
        "list, row 2: column 'label' is missing. Use assay.read(…, skip_unlabelled=True) to leave such rows out.",
    ),
    (
        lambda: assay.evaluate(Constant(), ["x", "y"], y_true=["a", "b"], y_pred=["a", "b"]),
        ParameterError,
        "evaluate(model, texts, labels) lets the model predict: y_pred, scores and probabilities are for "
        "evaluate(y_true, y_pred, probabilities), without a model.",
    ),
    (
        lambda: assay.evaluate(Constant(), ["x", "y"]),
        DataError,
        "list: the texts have no labels. Read them with assay.read(…, label=…), or use evaluate(model, texts, labels).",
    ),
    (
        lambda: assay.evaluate(["a", "b"], ["a"]),
        DataError,
        "y_true has 2 labels but y_pred has 1. There must be one prediction for each document.",
    ),
    (
        lambda: assay.evaluate(["spam", "ham"], ["spma", "ham"]),
        DataError,
        "y_pred, row 1: the label 'spma' (1 document) is not among the truth: 'spam', 'ham'. "
        "Pass labels=[...] with every label if this one may be predicted.",
    ),
    (
        lambda: assay.evaluate(["a", "b"], ["a", "c"], labels=["a", "b"]),
        DataError,
        "y_pred, row 2: the label 'c' (1 document) is not among labels: 'a', 'b'.",
    ),
    (
        lambda: assay.evaluate(["a", "x"], ["a", "a"], labels=["a", "b"]),
        DataError,
        "y_true, row 2: the label 'x' (1 document) is not among labels: 'a', 'b'. Add it to labels=[...].",
    ),
    (lambda: assay.evaluate(A, B, labels=["a", "b", "a"]), ParameterError, "labels holds a label twice"),
    (
        lambda: assay.evaluate([], []),
        DataError,
        "The test set is empty: there is nothing to measure. Pass at least one labelled document.",
    ),
    (
        lambda: assay.evaluate(["a", "a"], ["a", "a"]),
        DataError,
        "The test set: all 2 documents have the label 'a'. To show how well classes are told apart, it needs "
        "examples of two classes at least, not of one class only. Add documents of another class, or pass "
        "allow_one_class=True to evaluate, which then measures what can be "
        "measured.",
    ),
    (
        lambda: assay.evaluate(A, B, changed(HALF, 2, 0, 0.6)),
        DataError,
        "probabilities, row 3: the values sum to 1.1, not to 1 (1 of 4 rows do not). Divide each row by its sum, or "
        "pass decision values as scores=.",
    ),
    (
        lambda: assay.evaluate(A, B, changed(HALF, 1, 1, np.nan)),
        DataError,
        "probabilities, row 2, label 'b': the value is nan. Every value must be a finite number.",
    ),
    (
        lambda: assay.evaluate(A, B, changed(changed(HALF, 3, 0, -0.5), 3, 1, 1.5)),
        DataError,
        "probabilities, row 4, label 'a': the value is -0.5, outside [0, 1]. Pass decision values as scores=.",
    ),
    (
        lambda: assay.evaluate(A, B, np.ones((4, 3)) / 3),
        DataError,
        "probabilities has shape (4, 3) where (4, 2) is needed: one row a document and one column for each of the "
        "labels ['a', 'b'].",
    ),
    (
        lambda: assay.evaluate(A, B, scores=np.full((4, 2), np.inf)),
        DataError,
        "scores, row 1, label 'a': the value is inf.",
    ),
    (
        lambda: assay.evaluate(["a", None, "b"], ["a", "a", "b"]),
        DataError,
        "y_true, row 2: the label is missing (None); 1 of 3 labels are. Leave such documents out before measuring.",
    ),
    (lambda: assay.evaluate([1.0, 2.0], [1.0, np.nan]), DataError, "y_pred, row 2: the label is missing"),
    (
        lambda: assay.evaluate([["a"], ["b"]], A),
        DataError,
        "y_pred holds one label a document and the other sets of labels. Pass sets for both: lists of labels, or "
        "tables of 0 and 1.",
    ),
    (
        lambda: assay.evaluate(np.array([["a"], ["b"]]), A),
        DataError,
        "y_true must be one label a document (one-dimensional). Got shape (2, 1) instead.",
    ),
    (
        lambda: assay.evaluate("ab", ["a", "b"]),
        DataError,
        "y_true must be one label a document. Got the text 'ab' instead.",
    ),
    (
        lambda: assay.evaluate(np.array(["a", 1], dtype=object), ["a", "a"]),
        DataError,
        "Labels are of several kinds (int, str). Make them all text.",
    ),
    (
        lambda: assay.evaluate(A),
        ParameterError,
        "evaluate needs a model with a predict method and a corpus, or y_true and y_pred. Got list and NoneType",
    ),
    (lambda: assay.evaluate(A, B, beta=0), ParameterError, "beta must be a positive number. Got 0 instead."),
    (lambda: assay.evaluate(A, B, beta=[1, np.inf]), ParameterError, "beta must be a positive number. Got inf"),
    (
        lambda: assay.evaluate(A, B, interval="bc"),
        ParameterError,
        "interval must be one of 'bca', 'percentile', 'auto'. Got 'bc' instead.",
    ),
    (
        lambda: assay.evaluate(A, B, level=95),
        ParameterError,
        "level must be between 0 and 1, such as 0.95. Got 95 instead.",
    ),
    (
        lambda: assay.evaluate(A, B, n_resamples=0),
        ParameterError,
        "n_resamples must be a whole number of at least 1. Got 0 instead.",
    ),
    (
        lambda: assay.evaluate(A, B, n_resamples=10.5),
        ParameterError,
        "n_resamples must be a whole number of at least 1. Got 10.5 instead.",
    ),
    (
        lambda: assay.evaluate(A, B, seed=1.5),
        ParameterError,
        "seed must be a whole number from 0 to 2**64 - 1. Got 1.5",
    ),
    (
        lambda: assay.evaluate(A, B, threads="2"),
        ParameterError,
        "threads must be at least 1, and is all cores if not given. Got '2'",
    ),
    (lambda: assay.evaluate(A, B, level=None), ParameterError, "level must be between 0 and 1, such as 0.95. Got None"),
    (lambda: assay.evaluate(A, B, beta="two"), ParameterError, "beta must be a positive number. Got 'two' instead."),
    (
        lambda: assay.evaluate(A, B, [["x", "y"]] * 4),
        DataError,
        "probabilities must be numbers, with one row a document and one column a label: could not convert",
    ),
    (lambda: assay.evaluate(A, B, HALF).coverage("high"), ParameterError, "threshold must be a number. Got 'high'"),
    (
        lambda: assay.compare(A, B, A, metric=3),
        ParameterError,
        "A metric is a name such as 'macro_f1', or a function. Got 3 instead.",
    ),
    (
        lambda: assay.cross_validate(Constant(), (A, A), folds=2.5),
        ParameterError,
        "folds must be a whole number of at least 2. Got 2.5 instead.",
    ),
    (
        lambda: assay.cross_validate(Constant(), (A, A), folds=2, metrics=[]),
        ParameterError,
        "cross_validate needs at least one metric. Got none.",
    ),
    (
        lambda: assay.cross_validate(Constant(), (A, ["a"] * 4), folds=2),
        DataError,
        "The corpus: all 4 documents have the label 'a'. Cross-validation needs examples of two classes at least",
    ),
    (
        lambda: assay.cross_validate(Constant(), (A, ["a", "c", "a", "c"]), folds=2, near_copies="ignore"),
        DataError,
        "The model knows the label 'b', which no document of the corpus has. Cross-validate a model that is trained on",
    ),
    (lambda: assay.evaluate(A, B, seed=-1), ParameterError, "seed must be a whole number from 0 to 2**64 - 1. Got -1"),
    (
        lambda: assay.evaluate(A, B, threads=0),
        ParameterError,
        "threads must be at least 1, and is all cores if not given. Got 0",
    ),
    (
        lambda: assay.evaluate(A, B, zero_division=2),
        ParameterError,
        "zero_division must be 'undefined', 0 or 1. Got 2 instead.",
    ),
    (
        lambda: assay.evaluate(A, B)["macro_f"],
        ParameterError,
        "There is no metric 'macro_f'. Metrics are 'macro_f1', ",
    ),
    (
        lambda: assay.evaluate(A, B)["f0:a"],
        ParameterError,
        "beta must be a positive number. Got 0.0 in 'f0:a' instead.",
    ),
    (lambda: assay.evaluate(A, B)["recall:bb"], ParameterError, "There is no label 'bb'. Labels are 'b', 'a'."),
    (
        lambda: assay.evaluate(A, B)["log_loss"],
        DataError,
        "'log_loss' needs probabilities, and the model gives none. Use a model with predict_proba, or calibrate this "
        "one (assay.evaluation.calibrate).",
    ),
    (
        lambda: assay.evaluate(A, B)["roc_auc"],
        DataError,
        "This metric needs probabilities or scores, and the model gives neither.",
    ),
    (
        lambda: assay.evaluate(A, B, HALF)["top_3_accuracy"],
        ParameterError,
        "k of top-k accuracy must be between 1 and the 2 labels. Got 3 instead.",
    ),
    (lambda: assay.evaluate(A, B).roc("a"), DataError, "A curve needs probabilities or scores, and there are none."),
    (lambda: assay.evaluate(A, B, HALF).roc("c"), ParameterError, "There is no label 'c'. Labels are 'a', 'b'."),
    (
        lambda: assay.evaluate(A, B, np.full((4, 3), 1 / 3), labels=["a", "b", "c"]).roc("c"),
        DataError,
        "There is no curve for 'c': no document of the test set is of it. Ask for another label.",
    ),
    (lambda: assay.evaluate(A, B).reliability(), DataError, "A reliability curve needs probabilities, and there are"),
    (lambda: assay.evaluate(A, B, HALF).reliability(0), ParameterError, "n_bins must be at least 1. Got 0 instead."),
    (
        lambda: assay.evaluate(A, B).coverage(0.5),
        DataError,
        "Coverage needs probabilities or scores, and there are none",
    ),
    (
        lambda: assay.evaluate(A, B).mistakes_by_length(),
        DataError,
        "mistakes_by_length needs the documents. Evaluate with assay.evaluate(model, corpus).",
    ),
    (
        lambda: assay.evaluate(A, B).to_frame("metric"),
        ParameterError,
        "to_frame() makes a table of 'metrics', 'classes', 'confusion'. Got 'metric' instead.",
    ),
    (
        lambda: assay.evaluate(A, B).plot("rock"),
        ParameterError,
        "plot() draws 'roc', 'precision_recall', 'coverage', 'confusion', 'reliability'. Got 'rock' instead.",
    ),
    (lambda: assay.evaluate(A, B).confusion.one_vs_rest("c"), ParameterError, "There is no label 'c'. Labels are"),
    (lambda: wilson_interval(1, 2, 1.0), ParameterError, "level must be between 0 and 1"),
    (
        lambda: assay.compare(A, A[:3], A),
        DataError,
        "y_true has 4 labels but y_pred has 3. There must be one prediction for each document.",
    ),
    (
        lambda: assay.compare(A, B),
        ParameterError,
        "compare needs at least two models and the documents to compare them on. Got 1 model. Use compare(a, b, "
        "corpus).",
    ),
    (
        lambda: assay.compare(A, B, A, "accuracy"),
        ParameterError,
        "The last argument of compare must be the documents. Got 'accuracy' instead. Settings such as metric= are "
        "passed by name.",
    ),
    (
        lambda: assay.compare(A, "accuracy", corpus=A),
        ParameterError,
        "B is neither a model nor predicted labels. Got str 'accuracy' instead. Settings such as metric= are passed by "
        "name.",
    ),
    (
        lambda: assay.compare(A, B, A, test="t"),
        ParameterError,
        "test must be one of 'bootstrap', 'randomization', 'mcnemar', 'mcnemar_mid_p'. Got 't' instead.",
    ),
    (
        lambda: assay.compare(A, B, A, test="mcnemar", metric="macro_f1"),
        ParameterError,
        "McNemar's test compares accuracies. Got metric='macro_f1'. Use metric='accuracy', or test='bootstrap' or "
        "test='randomization', which take any metric.",
    ),
    (
        lambda: assay.compare(A, B, A, alternative="bigger"),
        ParameterError,
        "alternative must be one of 'greater', 'two-sided', 'less'. Got 'bigger' instead.",
    ),
    (
        lambda: assay.compare(A, B, A, names=["x"]),
        ParameterError,
        "names must be 2 different names. Got ['x'] instead.",
    ),
    (
        lambda: assay.compare(A, B, A, metric=lambda y, p: [1, 2]),
        ParameterError,
        "A metric must give one number. <lambda> gave list of shape (2,).",
    ),
    (
        lambda: assay.compare(A, B, A, metric=lambda y, p: 1.0, metric_uses="probabilities"),
        ParameterError,
        "metric_uses='probabilities', but the model gives none. Use metric_uses='labels'.",
    ),
    (
        lambda: assay.compare(A, B, A, metric=lambda y, p: 1.0, metric_uses="texts"),
        ParameterError,
        "metric_uses must be 'labels' or 'probabilities'. Got 'texts' instead.",
    ),
    (
        lambda: assay.compare(assay.evaluate(A, B), assay.evaluate(["a", "b"], ["a", "b"])),
        DataError,
        "A was measured on 4 documents and B on 2. Compare them on the same documents.",
    ),
    (
        lambda: assay.compare(assay.evaluate(A, B), assay.evaluate(A[::-1], B)),
        DataError,
        "Row 1: the true label is 'a' for A but 'b' for B. Compare them on the same documents in the same order.",
    ),
    (
        lambda: assay.compare(assay.evaluate(A, B), B, corpus=None, names=["x", "y"]),
        ParameterError,
        "compare needs at least two models",
    ),
    (
        lambda: assay.compare({"x": A, "y": B}),
        ParameterError,
        "compare needs the documents to compare on. Use compare(a, b, corpus).",
    ),
    (
        lambda: assay.compare({"x": A, "y": B, "z": A}, A)["x", "w"],
        ParameterError,
        "There is no pair ('x', 'w'). Models are 'x', 'y', 'z'.",
    ),
]


@pytest.mark.parametrize(("action", "error", "message"), PLAIN, ids=[message[:60] for _, _, message in PLAIN])
def test_message(action: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        action()
    assert message in str(caught.value)


class Labelled:
    def __init__(self, labels, predict):
        self.labels = labels
        self.predict = predict


def test_model_that_predicts_too_few() -> None:
    model = Labelled(["a", "b"], lambda texts: ["a"])
    with pytest.raises(DataError, match="the corpus has 2 labels but the model's list of predictions has 1"):
        assay.evaluate(model, Corpus(["x", "y"], ["a", "b"]))


def test_model_that_predicts_what_nobody_knows() -> None:
    model = Labelled(["a", "b"], lambda texts: ["a", "c"])
    message = (
        r"the model's predictions, row 2: the label 'c' \(1 document\) is not among the model's labels: 'a', 'b'. "
        "Train the model on the labels as the corpus spells them."
    )
    with pytest.raises(DataError, match=message):
        assay.evaluate(model, Corpus(["x", "y"], ["a", "b"]))


def test_model_with_too_few_columns_of_probabilities() -> None:
    model = Labelled(["a", "b"], lambda texts: ["a", "b"])
    model.predict_proba = lambda texts: np.ones((2, 3)) / 3
    with pytest.raises(DataError, match=r"the model's predict_proba has shape \(2, 3\) where \(2, 2\) is needed"):
        assay.evaluate(model, Corpus(["x", "y"], ["a", "b"]))


def test_empty_corpus(rule_model) -> None:
    with pytest.raises(DataError, match="The test set is empty"):
        assay.evaluate(rule_model(), Corpus([], []))


def test_unlabelled_documents(rule_model) -> None:
    class Unlabelled:
        texts = ("good", "bad")
        labels = ("pos", None)
        label_names = ("neg", "pos")
        classes = np.array([1, -1], np.int32)

    corpus = Unlabelled()
    with pytest.raises(DataError, match="Row 2: the document has no label; 1 of 2 have none"):
        assay.evaluate(rule_model(), corpus)


def test_model_without_corpus(rule_model) -> None:
    with pytest.raises(ParameterError, match=r"evaluate\(model, corpus\) needs the corpus to evaluate on"):
        assay.evaluate(rule_model())


def test_models_with_different_labels() -> None:
    corpus = Corpus(["x", "y"], ["a", "b"])
    a = Labelled(["a", "b", "c"], lambda texts: ["a", "b"])
    b = Labelled(["a", "b", "d"], lambda texts: ["a", "b"])
    message = r"A and B do not have the same labels: only A knows \['c'\]; only B knows \['d'\]. Train both on the same"
    with pytest.raises(DataError, match=message):
        assay.compare(a, b, corpus)


def test_unknown_column(reviews, rule_model) -> None:
    with pytest.raises(ParameterError, match=r"The corpus has no column 'sorce'. Columns are 'source', 'year'."):
        assay.evaluate(rule_model(), reviews).mistakes_by("sorce")


@pytest.mark.parametrize(
    ("package", "action"),
    [
        ("pandas", lambda result: result.to_frame()),
        ("matplotlib", lambda result: result.plot()),
    ],
)
def test_missing_packages_are_named(package: str, action, monkeypatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=f"need {package}, which is not installed. Use: pip install {package}"):
        action(assay.evaluate(A, B))
