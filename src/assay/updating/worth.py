"""Before and after: what an update changed on texts that neither model learned from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.data.corpus.corpus import Corpus
from assay.evaluation.metrics.catalogue import LabelMetric, parse_metric
from assay.evaluation.protocols.comparison import compare
from assay.evaluation.protocols.comparison_result import Comparison

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FEWEST", "before_and_after"]

FEWEST = 20  # texts to compare on: of fewer, no difference that matters could be told from chance
NO_ANSWER = "(no answer)"


def before_and_after(
    before: Any,
    after: Any,
    test: Corpus,
    metric: str | Callable[[Any, Any], float] | None,
    *,
    level: float = 0.95,
    seed: int = 0,
    threads: int | None = None,
) -> Comparison | None:
    """The new model beside the old one on the same texts; None where these are too few.

    They are compared by the metric that the training was measured by if it is one of labels, else by accuracy, of label
    sets by micro-F1. A class that only the new model knows counts against the old one.
    """
    present = [name for name, n in zip(test.label_names, test.class_counts, strict=True) if n]
    if len(test) < FEWEST or (test.task == "labels" and len(present) < 2):
        return None
    how: dict[str, Any] = {"level": level, "seed": seed, "threads": threads, "names": ("after", "before")}
    labels = list(dict.fromkeys([*after.labels, *before.labels, *present]))
    answers = [model.decision.predict(model.decision_function(test)).tolist() for model in (after, before)]
    if test.task == "label-sets":
        by = metric if isinstance(metric, str) and metric.endswith("_f1") else "micro_f1"
        truth = test.label_sets.names(test.label_names)
        return compare(*answers, truth, labels=labels, metric=by, **how)  # type: ignore[return-value]
    said = [[NO_ANSWER if answer is None else answer for answer in given] for given in answers]
    if any(NO_ANSWER in given for given in said):
        labels = [*labels, NO_ANSWER]
    by_labels = isinstance(metric, str) and isinstance(parse_metric(metric, labels), LabelMetric)
    true = [label for _, label in test]
    return compare(*said, true, labels=labels, metric=metric if by_labels else "accuracy", **how)  # type: ignore[return-value]
