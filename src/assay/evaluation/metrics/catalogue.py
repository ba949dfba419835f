"""The names of metrics, and what each name stands for.

Spam stands for any label::

    accuracy                        share of documents given their true label
    balanced_accuracy               mean recall of the classes that occur
    matthews                        Matthews correlation (Gorodkin's R_K for more than two classes)
    kappa                           Cohen's kappa
    macro_…, micro_…, weighted_…    precision, recall, f1, or f and any β: macro_f0.5
    precision:spam, f2:spam         of one class
    log_loss, brier                 of the probabilities; Brier's as scikit-learn scales it
    calibration_error               expected calibration error of the predicted label's probability
    roc_auc, average_precision      areas: mean over the classes, one against the rest; or of one: roc_auc:spam
    top_2_accuracy                  share of documents whose true label is among the k most probable

Where a text has a set of labels, `assay.evaluation.metrics.set_catalogue` has the names: a name that both have means
the same in both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.evaluation.metrics.outcomes import Label, choices
from assay.evaluation.parameters import is_number
from assay.suggest import quote, shortened

__all__ = ["DocumentMetric", "LabelMetric", "Metric", "metric_range", "parse_metric"]

# The codes of cpp/assay/resampling/label_metrics.hpp.
MEASURES = {
    "accuracy": 0,
    "balanced_accuracy": 1,
    "matthews": 2,
    "kappa": 3,
    "precision": 4,
    "recall": 5,
    "f": 6,
}
AVERAGES = {"": 0, "macro": 1, "micro": 2, "weighted": 3}

LOWER_IS_BETTER = ("log_loss", "brier", "calibration_error", "hamming_loss")
_PLAIN = ("accuracy", "balanced_accuracy", "matthews", "kappa")
_MEANS = ("log_loss", "brier", "calibration_error")
AREAS = ("roc_auc", "average_precision")
_AVERAGED = re.compile(r"(macro|micro|weighted)_(precision|recall|f(\d+(?:\.\d+)?))")
_ONE_CLASS = re.compile(r"(precision|recall|f(\d+(?:\.\d+)?)|roc_auc|average_precision):(.*)", re.DOTALL)
_TOP = re.compile(r"top_(\d+)_accuracy")
_OF_SETS = re.compile(r"subset_accuracy|hamming_loss|(p|r|ndcg)@\d+|samples_(precision|recall|f[\d.]+)")


@dataclass(frozen=True)
class LabelMetric:
    """A metric of predicted labels.

    Attributes
    ----------
    code
        (measure, average, class) as the native core numbers them.
    beta
        Of F_β: recall counts β times as much as precision.
    """

    name: str
    code: tuple[int, int, int]
    beta: float = 1.0

    @property
    def sign(self) -> int:
        """+1: more is better."""
        return 1


@dataclass(frozen=True)
class DocumentMetric:
    """A metric of the probabilities or scores of each document.

    Attributes
    ----------
    kind
        ``log_loss``, ``brier``, ``calibration_error``, ``top``, ``roc_auc`` or ``average_precision``.
    class_index
        For an area: the class, or -1 for the mean over all of them.
    k
        For top-k accuracy.
    """

    name: str
    kind: str
    class_index: int = -1
    k: int = 0

    @property
    def sign(self) -> int:
        """-1 where less is better."""
        return -1 if self.kind in LOWER_IS_BETTER else 1

    @property
    def needs_probabilities(self) -> bool:
        """Whether scores on another scale do not suffice."""
        return self.kind in _MEANS


Metric = LabelMetric | DocumentMetric


def parse_metric(name: str, labels: Sequence[Label]) -> Metric:
    """What a metric's name stands for when the labels are these.

    Examples
    --------
    >>> parse_metric("macro_f0.5", ["ham", "spam"]).beta
    0.5
    >>> parse_metric("recall:spam", ["ham", "spam"]).code
    (5, 0, 1)
    """
    if not isinstance(name, str):
        raise ParameterError(f"A metric is a name such as 'macro_f1', or a function. Got {shortened(name)} instead.")
    if name in _PLAIN:
        return LabelMetric(name, (MEASURES[name], 0, 0))
    if name in _MEANS or name in AREAS:
        return DocumentMetric(name, name)
    if match := _TOP.fullmatch(name):
        return DocumentMetric(name, "top", k=_checked_k(int(match[1]), len(labels)))
    if match := _AVERAGED.fullmatch(name):
        return class_metric(name, match[2], match[3], AVERAGES[match[1]], 0)
    if match := _ONE_CLASS.fullmatch(name):
        index = class_index(match[3], labels)
        if match[1] in AREAS:
            return DocumentMetric(name, match[1], index)
        return class_metric(name, match[1], match[2], AVERAGES[""], index)
    raise ParameterError(
        f"There is no metric {quote(name)}. Metrics are {choices(name, _known_names(labels), limit=30)}; F "
        "takes any β, as in 'macro_f0.5', and a label after a colon asks for one class, as in 'recall:"
        + f"{labels[-1]}'."
    )


def metric_range(name: str) -> tuple[float, float]:
    """Between which values a metric lies; a metric that is not one of these may lie anywhere.

    Examples
    --------
    >>> metric_range("macro_f1"), metric_range("kappa"), metric_range("cost of a letter")
    ((0.0, 1.0), (-1.0, 1.0), (-inf, inf))
    """
    kind = name.partition(":")[0]
    if name in ("matthews", "kappa"):
        return -1.0, 1.0
    if kind == "log_loss":
        return 0.0, inf
    if kind == "brier":  # of two classes at most 1, of more at most 2
        return 0.0, 2.0
    shares = (*_PLAIN, *_MEANS, *AREAS)
    if kind in shares or any(pattern.fullmatch(name) for pattern in (_TOP, _AVERAGED, _ONE_CLASS, _OF_SETS)):
        return 0.0, 1.0
    return -inf, inf


def encode_metrics(metrics: Sequence[LabelMetric]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Codes (n, 3) and betas (n,) for the native core."""
    codes = np.array([metric.code for metric in metrics], dtype=np.int32).reshape(len(metrics), 3)
    return codes, np.array([metric.beta for metric in metrics], dtype=np.float64)


def beta_name(beta: float) -> str:
    """``f1``, ``f0.5``: how F_β is written in the names of metrics."""
    if not (is_number(beta) and beta > 0):
        raise ParameterError(f"beta must be a positive number. Got {beta!r} instead.")
    return f"f{np.format_float_positional(beta, trim='-')}"


def class_metric(name: str, measure: str, beta: str | None, average: int, index: int) -> LabelMetric:
    """Precision, recall or F of a class, or an average of it."""
    if beta is None:
        return LabelMetric(name, (MEASURES[measure], average, index))
    if float(beta) == 0:
        raise ParameterError(f"beta must be a positive number. Got {float(beta)!r} in {name!r} instead.")
    return LabelMetric(name, (MEASURES["f"], average, index), float(beta))


def class_index(text: str, labels: Sequence[Label]) -> int:
    """The class that a metric's name speaks of."""
    for index, label in enumerate(labels):
        if str(label) == text:
            return index
    raise ParameterError(f"There is no label {quote(text)}. Labels are {choices(text, labels)}.")


def _checked_k(k: int, n_labels: int) -> int:
    if not 1 <= k <= n_labels:
        raise ParameterError(f"k of top-k accuracy must be between 1 and the {n_labels} labels. Got {k} instead.")
    return k


def _known_names(labels: Sequence[Label]) -> list[str]:
    averaged = [f"{a}_{m}" for a in ("macro", "micro", "weighted") for m in ("precision", "recall", "f1")]
    per_class = [f"{m}:{labels[-1]}" for m in ("precision", "recall", "f1")]
    return [*_PLAIN, *averaged, *_MEANS, *AREAS, "top_2_accuracy", *per_class]
