"""The textbook's worked numbers, exactly."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.evaluation.metrics.confusion import ConfusionMatrix
from assay.evaluation.protocols.evaluation import Evaluation


def from_table(table: list[list[int]], labels: list[str]) -> Evaluation:
    truth = [labels[i] for i, row in enumerate(table) for count in row for _ in range(count)]
    predicted = [labels[j] for row in table for j, count in enumerate(row) for _ in range(count)]
    return assay.evaluate(y_true=truth, y_pred=predicted, labels=labels, n_resamples=100)


# The three-class e-mail table; rows are the truth.
EMAILS = [[8, 5, 3], [10, 60, 30], [1, 50, 200]]
KINDS = ["urgent", "normal", "spam"]


def test_accuracy_of_the_five_example_table() -> None:
    result = assay.evaluate(y_true=["+", "+", "-", "-", "+"], y_pred=["+", "-", "-", "+", "+"])
    assert result.accuracy.value == 3 / 5


def test_f_10_at_half_precision_and_full_recall() -> None:
    result = assay.evaluate(y_true=["+", "-"], y_pred=["+", "+"], beta=10)
    assert result["precision:+"].value == 0.5
    assert result["recall:+"].value == 1.0
    assert result["f10:+"].value == pytest.approx(101 * 0.5 / (100 * 0.5 + 1), rel=1e-12)
    assert round(result["f10:+"].value, 2) == 0.99


def test_email_table_precisions_and_recalls() -> None:
    result = from_table(EMAILS, KINDS)
    assert [result[f"precision:{kind}"].value for kind in KINDS] == [8 / 19, 60 / 115, 200 / 233]
    assert [result[f"recall:{kind}"].value for kind in KINDS] == [8 / 16, 60 / 100, 200 / 251]


def test_email_table_micro_and_macro_precision() -> None:
    result = from_table(EMAILS, KINDS)
    assert result["micro_precision"].value == pytest.approx(268 / 367, rel=1e-12)
    assert round(result["micro_precision"].value, 2) == 0.73
    assert result["macro_precision"].value == pytest.approx((8 / 19 + 60 / 115 + 200 / 233) / 3, rel=1e-12)
    assert round(result["macro_precision"].value, 2) == 0.60


def test_email_table_pooled_counts() -> None:
    pooled = ConfusionMatrix(EMAILS, KINDS).pooled
    assert (pooled.true_positives, pooled.false_positives) == (268, 99)
    assert (pooled.false_negatives, pooled.true_negatives) == (99, 635)


# Which of the two systems is right on each of the ten documents.
A_RIGHT = [True, True, True, False, True, False, True, True, False, True]
B_RIGHT = [True, False, True, True, False, True, False, True, False, False]


def ten_documents() -> tuple[list[str], list[str], list[str]]:
    truth = ["yes"] * 5 + ["no"] * 5
    other = {"yes": "no", "no": "yes"}
    a, b = (
        [label if right else other[label] for label, right in zip(truth, is_right, strict=True)]
        for is_right in (A_RIGHT, B_RIGHT)
    )
    return a, b, truth


def test_ten_document_example_has_delta_point_20() -> None:
    a, b, truth = ten_documents()
    result = assay.compare(a, b, truth, metric="accuracy")
    assert result.first_value == 0.7
    assert result.second_value == 0.5
    assert result.difference.value == pytest.approx(0.2, abs=1e-12)


def exact_bootstrap_p() -> float:
    """P(δ(x*) ≥ 2δ(x)) over every resample of the ten documents, by the three kinds of document that matter."""
    from scipy.stats import multinomial

    only_a = sum(a and not b for a, b in zip(A_RIGHT, B_RIGHT, strict=True))
    only_b = sum(b and not a for a, b in zip(A_RIGHT, B_RIGHT, strict=True))
    law = multinomial(10, [only_a / 10, only_b / 10, 1 - (only_a + only_b) / 10])
    lead = only_a - only_b
    return float(sum(law.pmf([i, j, 10 - i - j]) for i in range(11) for j in range(11 - i) if i - j >= 2 * lead))


def test_ten_document_example_p_value_is_that_of_every_resample() -> None:
    a, b, truth = ten_documents()
    n = 200_000
    result = assay.compare(a, b, truth, metric="accuracy", alternative="greater", n_resamples=n)
    exact = exact_bootstrap_p()
    # Four standard errors of a share of n resamples.
    assert result.p_value == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / n))
