"""When an interval is not shown because it would not hold what it promises, and how many more texts would mend that.

The limits are those from which intervals cover in `benchmarks/coverage.py`.
"""

from __future__ import annotations

from math import ceil

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.metrics.catalogue import AREAS, AVERAGES, MEASURES, DocumentMetric, Metric
from assay.evaluation.metrics.confusion import ConfusionMatrix
from assay.evaluation.metrics.outcomes import Label, Outcomes
from assay.suggest import counted, quote

__all__ = ["why_no_interval"]

OF_EACH_CLASS = 2  # documents, for an average over classes
OF_EACH_RANKED = 3  # documents of a class and of the others, for an area
OTHERS = 5  # documents outside the most frequent class, in truth and in predictions, for correlations
MISTAKES = 5  # expected by the model's own probabilities, for a mean loss
SEEN = 3  # mistakes that were made


def why_no_interval(metric: Metric, matrix: ConfusionMatrix, outcomes: Outcomes) -> str:
    """The reason why the interval of a metric that is defined could not be trusted; empty where it can.

    Examples
    --------
    >>> from assay.evaluation.metrics.catalogue import parse_metric
    >>> from assay.evaluation.metrics.outcomes import from_labels
    >>> outcomes = from_labels(["a"] * 39 + ["b"], ["a"] * 40)
    >>> why_no_interval(parse_metric("macro_f1", outcomes.labels), ConfusionMatrix.of(outcomes), outcomes)
    "only 1 text is 'b'; 2 are needed, which about 40 more texts like these would give"
    """
    if isinstance(metric, DocumentMetric):
        if metric.kind in AREAS:
            classes = slice(None) if metric.class_index < 0 else slice(metric.class_index, metric.class_index + 1)
            labels, sizes = matrix.labels[classes], matrix.documents[classes]
            others = outcomes.n_documents - sizes
            return rarest(labels, sizes, OF_EACH_RANKED, outcomes.n_documents, "") or rarest(
                labels, others, OF_EACH_RANKED, outcomes.n_documents, "not"
            )
        return _few_mistakes(outcomes) if metric.kind in ("log_loss", "brier") else ""
    measure, average, _ = metric.code
    n = outcomes.n_documents
    if len(matrix.labels) < 2:
        return "there is one label only, and nothing that it could be taken for"
    if average in (AVERAGES["macro"], AVERAGES["weighted"]) or measure == MEASURES["balanced_accuracy"]:
        reason = rarest(matrix.labels, matrix.documents, OF_EACH_CLASS, n, "")
        if measure == MEASURES["precision"] and not reason:
            reason = rarest(matrix.labels, matrix.predicted, OF_EACH_CLASS, n, "called")
        return reason
    if measure in (MEASURES["matthews"], MEASURES["kappa"]):
        for counts, verb in ((matrix.documents, ""), (matrix.predicted, "called")):
            rest = n - int(counts.max())
            if rest < OTHERS:
                often = quote(matrix.labels[int(counts.argmax())])
                return f"{_texts(rest, verb)} anything but {often}; {OTHERS} are needed{_more(rest, OTHERS, n)}"
    return ""


def _texts(count: int, verb: str) -> str:
    """``only 1 text is``, ``no text was called``, ``only 2 texts are not``, ``only 2 texts have``."""
    texts = f"only {counted(count, 'text', 'texts')}" if count else "no text"
    if verb == "has":
        return f"{texts} {('has', 'have')[count > 1]}"
    be = ("was", "were") if verb in ("called", "given") else ("is", "are")
    return f"{texts} {be[count > 1]}{' ' if verb else ''}{verb}"


def rarest(labels: tuple[Label, ...], counts: NDArray[np.int64], least: int, n: int, verb: str) -> str:
    """What is said of the class with the fewest documents, where they are too few."""
    k = int(np.argmin(counts))
    count = int(counts[k])
    if count >= least:
        return ""
    further = int(np.count_nonzero(counts < least)) - 1
    more_classes = f", and the same goes for {counted(further, 'other class', 'other classes')}" if further else ""
    return f"{_texts(count, verb)} {quote(labels[k])}; {least} are needed{_more(count, least, n)}{more_classes}"


def _more(count: int, least: int, n: int) -> str:
    if count == 0:
        return ""
    return f", which about {ceil((least - count) / count * n):,} more texts like these would give"


def _few_mistakes(outcomes: Outcomes) -> str:
    """Losses hang on the mistakes: without any, a mean of them says nothing of how large they are."""
    mistakes = int((~outcomes.correct).sum())
    confidence = outcomes.confidence
    expected = mistakes if confidence is None else float((1 - confidence).sum())
    if expected >= MISTAKES and mistakes >= SEEN:
        return ""
    rate = max(min(expected, mistakes), 1.0)
    more = ceil((MISTAKES / rate - 1) * outcomes.n_documents)
    return (
        f"it hangs on the mistakes, of which {mistakes} {'was' if mistakes == 1 else 'were'} made and {expected:.1f} "
        f"expected: about {more:,} more texts are needed"
    )
