"""The names of metrics where a text has a set of labels, and what each name stands for.

Sport stands for any label; y is a text's set, ŷ the set that it was given::

    micro_…             precision, recall, f1 (or f and any β) of all pairs of text and label together
    macro_…, weighted_… the mean over labels of the label's own; weighted by how many texts have the label
    samples_…           the mean over texts of the text's own: |y ∩ ŷ| over |ŷ| (precision) and over |y| (recall)
    precision:sport     of one label, as are recall, f1, log_loss, brier, calibration_error, roc_auc, average_precision
    subset_accuracy     share of texts given exactly their set
    hamming_loss        share of all pairs of text and label that are wrong
    p@5, r@5, ndcg@5    of the five labels with the highest probabilities or scores
    log_loss, brier     mean over texts and labels; calibration_error is the mean of the labels' own

``macro_f1`` is the mean of the labels' F1, as scikit-learn has it. The other thing of that name, F1 of the mean
precision and the mean recall, rewards labels that are hardly ever said, and is not used (Opitz & Burst 2019).

0/0, as the precision of a label that was never said or the samples_f1 of a text without labels that was given none, is
undefined and left out of means; with ``zero_division=0`` or 1 it counts so, and every label counts, as scikit-learn has
it. p@k divides by k however few labels a text has; r@k and ndcg@k of a text without labels are 0, as in scikit-learn's
`ndcg_score` and in LibMultiLabel. Labels with the same score share their places: the value is the mean over their
orders, as in `ndcg_score`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assay.errors import ParameterError
from assay.evaluation.metrics.catalogue import (
    AREAS,
    AVERAGES,
    LOWER_IS_BETTER,
    LabelMetric,
    class_index,
    class_metric,
)
from assay.evaluation.metrics.outcomes import Label, choices
from assay.suggest import quote, shortened

__all__ = ["OneLabelMetric", "SetMetric", "TextMetric", "parse_set_metric"]

LOSSES = ("log_loss", "brier")
RANKS = ("p", "r", "ndcg")
OF_PROBABILITIES = (*LOSSES, "calibration_error")
_AVERAGED = re.compile(r"(macro|micro|weighted|samples)_(precision|recall|f(\d+(?:\.\d+)?))")
_ONE_LABEL = re.compile(
    r"(precision|recall|f(\d+(?:\.\d+)?)|log_loss|brier|calibration_error|roc_auc|average_precision):(.*)", re.DOTALL
)
_AT = re.compile(r"(p|r|ndcg)@(\d+)")


@dataclass(frozen=True)
class TextMetric:
    """A mean over texts of a value that each text has on its own.

    Attributes
    ----------
    kind
        ``precision``, ``recall``, ``f``, ``subset_accuracy``, ``hamming_loss``, ``p``, ``r``, ``ndcg``, ``log_loss`` or
        ``brier``.
    k
        Of p@k and its like.
    beta
        Of F_β.
    """

    name: str
    kind: str
    k: int = 0
    beta: float = 1.0

    @property
    def sign(self) -> int:
        """-1 where less is better."""
        return -1 if self.kind in (*LOSSES, "hamming_loss") else 1


@dataclass(frozen=True)
class OneLabelMetric:
    """A metric of the probabilities of one label, or the mean of it over the labels (`label` below 0)."""

    name: str
    kind: str
    label: int = -1

    @property
    def sign(self) -> int:
        """-1 where less is better."""
        return -1 if self.kind in LOWER_IS_BETTER else 1


SetMetric = LabelMetric | TextMetric | OneLabelMetric


def parse_set_metric(name: str, labels: Sequence[Label]) -> SetMetric:
    """What a metric's name stands for where texts have sets of these labels.

    Examples
    --------
    >>> parse_set_metric("macro_f1", ["sport", "politics"]).code
    (6, 1, 0)
    >>> parse_set_metric("ndcg@2", ["sport", "politics"]).k
    2
    """
    if not isinstance(name, str):
        raise ParameterError(f"A metric is a name such as 'micro_f1', or a function. Got {shortened(name)} instead.")
    if name in ("subset_accuracy", "hamming_loss", *LOSSES):
        return TextMetric(name, name)
    if name == "calibration_error":
        return OneLabelMetric(name, name)
    if match := _AT.fullmatch(name):
        return TextMetric(name, match[1], k=_checked_k(name, int(match[2]), len(labels)))
    if match := _AVERAGED.fullmatch(name):
        if match[1] == "samples":
            own = class_metric(name, match[2], match[3], 0, 0)
            return TextMetric(name, "f" if match[3] else match[2], beta=own.beta)
        return class_metric(name, match[2], match[3], AVERAGES[match[1]], 0)
    if match := _ONE_LABEL.fullmatch(name):
        index = class_index(match[3], labels)
        if match[1] in (*OF_PROBABILITIES, *AREAS):
            return OneLabelMetric(name, match[1], index)
        return class_metric(name, match[1], match[2], AVERAGES[""], index)
    more = " Exactly the right set is 'subset_accuracy'." if name == "accuracy" else ""
    raise ParameterError(
        f"There is no metric {quote(name)} of label sets.{more} Metrics are {choices(name, _known(labels), limit=40)}; "
        f"F takes any β, as in 'macro_f0.5', and a label after a colon asks for one, as in 'recall:{labels[-1]}'."
    )


def _checked_k(name: str, k: int, n_labels: int) -> int:
    if not 1 <= k <= n_labels:
        raise ParameterError(
            f"k of {quote(name)} must be between 1 and the number of labels, which is {n_labels}. Got {k} instead."
        )
    return k


def _known(labels: Sequence[Label]) -> list[str]:
    averaged = [f"{a}_{m}" for a in ("micro", "macro", "samples", "weighted") for m in ("f1", "precision", "recall")]
    per_label = [f"{m}:{labels[-1]}" for m in ("precision", "recall", "f1", "average_precision")]
    ranked = [f"{m}@{min(5, len(labels))}" for m in ("p", "r", "ndcg")]
    return [*averaged, "subset_accuracy", "hamming_loss", *ranked, *OF_PROBABILITIES, *per_label]
