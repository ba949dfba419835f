"""When an interval that is shown may hold the true value more often than it says, and why it is not narrower.

Of a class with a handful of documents, or beside the end of a metric's range, one of the two tails cannot miss, or an
interval that never misses too often misses hardly ever: in `benchmarks/coverage.py` those cover in up to 100 of 100
sets. Nearly all others cover in at most 97.
"""

from __future__ import annotations

import numpy as np

from assay.evaluation.metrics.catalogue import AREAS, AVERAGES, MEASURES, DocumentMetric, Metric
from assay.evaluation.metrics.confusion import ConfusionMatrix
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.uncertainty.estimate import Estimate
from assay.evaluation.uncertainty.loss_intervals import LOSSES
from assay.suggest import counted, quote

__all__ = ["why_cautious"]

FEW_OF_CLASS = 5  # documents of the rarest class, of an average over classes
FEW_RANKED = {"roc_auc": 12, "average_precision": 15}  # of the class or of the others, of an area
FEW_MISTAKES = 12  # of a mean loss
AT_THE_END = 0.995  # an area that reaches so far up


def why_cautious(metric: Metric, found: Estimate, matrix: ConfusionMatrix, outcomes: Outcomes) -> str:
    """The reason why the interval of an estimate may cover more often than asked; empty where there is none.

    Examples
    --------
    >>> from assay.evaluation.metrics.catalogue import parse_metric
    >>> from assay.evaluation.metrics.outcomes import from_labels
    >>> outcomes = from_labels(["a"] * 40 + ["b"] * 4, ["a"] * 42 + ["b"] * 2)
    >>> found = Estimate(0.8, 0.6, 0.9, "posterior")
    >>> why_cautious(parse_metric("macro_f1", outcomes.labels), found, ConfusionMatrix.of(outcomes), outcomes)
    "only 4 texts are 'b'"
    """
    if found.method == "exact":
        return "of fewer than five texts the exact one is taken"
    if isinstance(metric, DocumentMetric):
        if metric.kind in AREAS:
            return _of_area(metric, found, matrix)
        mistakes = int((~outcomes.correct).sum())
        few = metric.kind in LOSSES and mistakes < FEW_MISTAKES
        return f"it hangs on {counted(mistakes, 'mistake', 'mistakes')}" if few else ""
    measure, average, _ = metric.code
    # what is a share of all documents, as weighted recall is, has Wilson's interval
    if found.method != "posterior" or (average == AVERAGES[""] and measure != MEASURES["balanced_accuracy"]):
        return ""
    rarest = int(matrix.documents.argmin())
    n = int(matrix.documents[rarest])
    return f"only {counted(n, 'text is', 'texts are')} {quote(matrix.labels[rarest])}" if n < FEW_OF_CLASS else ""


def _of_area(metric: DocumentMetric, found: Estimate, matrix: ConfusionMatrix) -> str:
    """Which side of a class has few documents; or that the area is at its end."""
    classes = np.arange(len(matrix.labels)) if metric.class_index < 0 else np.array([metric.class_index])
    sizes = matrix.documents[classes]
    others = matrix.documents.sum() - sizes
    k = int(np.minimum(sizes, others).argmin())
    n = int(min(sizes[k], others[k]))
    if n < FEW_RANKED[metric.kind]:
        is_not = "" if sizes[k] == n else " not"
        return f"only {counted(n, 'text is', 'texts are')}{is_not} {quote(matrix.labels[classes[k]])}"
    return "so near 1 none that is too large can be seen" if found.high > AT_THE_END else ""
