"""Measuring: confusion, averages of label sets, thresholds, cross-validation, the paired bootstrap."""

from __future__ import annotations

from collections.abc import Sequence

from assay.textbook import worked
from assay.textbook.catalogue.record import Algorithm, Example
from assay.textbook.cross_validation import cross_validate_steps
from assay.textbook.label_threshold import LabelThreshold, label_threshold_steps
from assay.textbook.metrics import Confusion, confusion_steps
from assay.textbook.perceptron import perceptron
from assay.textbook.rendering.numbers import show, show_number
from assay.textbook.set_averages import SetAverages, set_averages_steps
from assay.textbook.significance import BootstrapTest, paired_bootstrap_steps

__all__ = ["MEASURING"]

_JURAFSKY = "Jurafsky & Martin, Speech and Language Processing, chapter 4"


def perceptron_accuracy(train: Sequence[int], test: Sequence[int]) -> float:
    """Train a perceptron on some of the ten reviews by lexicon counts, and test it on others."""
    X, y = worked.LEXICON_COUNTS, worked.LEXICON_LABELS
    model = perceptron([X[i] for i in train], [y[i] for i in train])
    return sum(model.predict(X[i]) == y[i] for i in test) / len(test)


def _confusion(table: Confusion) -> str:
    figures = []
    for label in table.labels:
        outcomes = table.one_against_rest(label)
        values = {"precision": outcomes.precision(), "recall": outcomes.recall(), "F1": outcomes.f()}
        shown = ", ".join(f"{name} {'undefined' if v is None else show(v)}" for name, v in values.items())
        figures.append(f"{label}: {shown}")
    return f"Accuracy {show_number(table.accuracy)}; " + "; ".join(figures) + "."


def _averages(found: SetAverages) -> str:
    values = {"Micro-F1": found.micro, "macro-F1": found.macro, "samples-F1": found.samples}
    shown = ", ".join(f"{name} {'undefined' if v is None else show_number(v)}" for name, v in values.items())
    labels = ", ".join(f"{label} {show(outcomes.f())}" for label, outcomes in found.by_label.items())
    return (
        f"{shown}. F1 of the labels: {labels}. Exactly right: {show_number(found.subset_accuracy)} of the texts; "
        f"wrong: {show_number(found.hamming_loss)} of all decisions."
    )


def _threshold(found: LabelThreshold) -> str:
    return (
        f"Give the label from {show_number(found.threshold)} on: F1 is {show_number(found.f1)}. If the probabilities "
        f"were right, the threshold would be half of it, {show_number(found.half_of_f1)}."
    )


def _mean(score: float) -> str:
    return f"Mean score {show_number(score)}."


def _test(test: BootstrapTest) -> str:
    return (
        f"δ(x) = {show_number(test.delta)}; p = {show_number(test.p_value)} from {len(test.deltas)} virtual test sets."
    )


MEASURING = (
    Algorithm(
        "confusion",
        "Confusion matrix",
        "accuracy, precision, recall and F from counts",
        "Surdeanu & Valenzuela-Escárcega, section 2.3",
        confusion_steps,
        ("gold", "predicted"),
        (
            Example(
                "five",
                "five decisions",
                "Surdeanu & Valenzuela-Escárcega, section 2.3, Table 2.2",
                {"gold": worked.FIVE_GOLD, "predicted": worked.FIVE_PREDICTED},
            ),
            Example(
                "e-mails",
                "367 e-mails in three classes",
                f"{_JURAFSKY}.9.1, Figure 4.8",
                dict(zip(("gold", "predicted"), zip(*worked.email_decisions(), strict=True), strict=True)),
            ),
        ),
        _confusion,
        ("matrix",),
        {"seen": "gold", "decision": "system"},
    ),
    Algorithm(
        "set-averages",
        "Averages of label sets",
        "micro, macro and samples F1 where a text has several labels",
        "Sorower (2010), A literature survey on algorithms for multi-label learning",
        set_averages_steps,
        ("gold", "predicted"),
        (
            Example(
                "six-texts",
                "six texts with three labels",
                "made for this textbook",
                {"gold": worked.SIX_SETS, "predicted": worked.SIX_ANSWERS},
            ),
        ),
        _averages,
        ("matrix",),
        {"seen": "gold", "score": "F1 of the text", "decision": "system", "update": "counts"},
    ),
    Algorithm(
        "label-threshold",
        "Threshold of a label",
        "give a label from the probability on that makes F1 largest",
        "Lipton, Elkan & Naryanaswamy (2014)",
        label_threshold_steps,
        ("probabilities", "gold"),
        (
            Example(
                "rare",
                "a rare label of ten texts",
                "made for this textbook",
                {"probabilities": worked.RARE_PROBABILITIES, "gold": worked.RARE_GOLD},
            ),
        ),
        _threshold,
        ("loss",),
        {"seen": "text", "score": "probability", "decision": "truth"},
    ),
    Algorithm(
        "cross-validation",
        "Cross-validation",
        "test on all of the data, never on what was trained on",
        f"{_JURAFSKY}.10",
        cross_validate_steps,
        ("n", "score"),
        (
            Example(
                "perceptron",
                "a perceptron on ten reviews, five folds",
                f"{_JURAFSKY}.10, Figure 4.10; the data is ours",
                {"n": len(worked.LEXICON_COUNTS), "score": perceptron_accuracy, "k": 5, "seed": 3},
            ),
        ),
        _mean,
        ("folds",),
        {"seen": "test fold"},
    ),
    Algorithm(
        "paired-bootstrap",
        "Paired bootstrap test",
        "is A better than B, or was it lucky with these documents?",
        f"{_JURAFSKY}.11.1",
        paired_bootstrap_steps,
        ("pairs",),
        (
            Example(
                "ten-documents",
                "two classifiers on ten documents",
                f"{_JURAFSKY}.11.1, Figure 4.11",
                {"pairs": worked.TEN_DOCUMENTS, "b": 1000, "seed": 0},
            ),
        ),
        _test,
        ("histogram",),
        {"seen": "documents drawn", "score": "δ"},
    ),
)
