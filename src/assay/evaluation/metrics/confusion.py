"""The confusion matrix, and the one-vs-rest tables in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.evaluation.metrics.outcomes import Label, Outcomes, choices
from assay.suggest import quote

__all__ = ["BinaryTable", "ConfusionMatrix"]


@dataclass(frozen=True, slots=True)
class BinaryTable:
    """One class against the rest, or several such tables added up."""

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int

    @property
    def precision(self) -> float:
        """Share of what was called positive that is; NaN where nothing was."""
        called = self.true_positives + self.false_positives
        return self.true_positives / called if called else float("nan")

    @property
    def recall(self) -> float:
        """Share of what is positive that was called so; NaN where nothing is."""
        real = self.true_positives + self.false_negatives
        return self.true_positives / real if real else float("nan")


class ConfusionMatrix:
    """counts[i, j] documents of labels[i] were called labels[j].

    Examples
    --------
    >>> matrix = ConfusionMatrix([[8, 5, 3], [10, 60, 30], [1, 50, 200]], ["urgent", "normal", "spam"])
    >>> matrix.one_vs_rest("urgent")
    BinaryTable(true_positives=8, false_positives=11, false_negatives=8, true_negatives=340)
    >>> round(matrix.pooled.precision, 2)
    0.73
    """

    def __init__(self, counts: NDArray[np.int64] | Sequence[Sequence[int]], labels: Sequence[Label]) -> None:
        self.counts = np.asarray(counts, dtype=np.int64)
        self.labels = tuple(labels)

    @classmethod
    def of(cls, outcomes: Outcomes) -> ConfusionMatrix:
        """Count the outcomes."""
        n = len(outcomes.labels)
        cells = np.bincount(outcomes.truth.astype(np.int64) * n + outcomes.predicted, minlength=n * n)
        return cls(cells.reshape(n, n), outcomes.labels)

    @property
    def hits(self) -> NDArray[np.int64]:
        """Of each class: documents given their true label."""
        return np.diagonal(self.counts)

    @property
    def documents(self) -> NDArray[np.int64]:
        """Of each class: documents that are of it."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def predicted(self) -> NDArray[np.int64]:
        """Of each class: documents that were called so."""
        return np.asarray(self.counts.sum(axis=0))

    def one_vs_rest(self, label: Label) -> BinaryTable:
        """The two-by-two table of one class."""
        if label not in self.labels:
            raise ParameterError(f"There is no label {quote(label)}. Labels are {choices(label, self.labels)}.")
        k = self.labels.index(label)
        hits = int(self.hits[k])
        false_positives = int(self.predicted[k]) - hits
        false_negatives = int(self.documents[k]) - hits
        rest = int(self.counts.sum()) - hits - false_positives - false_negatives
        return BinaryTable(hits, false_positives, false_negatives, rest)

    @property
    def pooled(self) -> BinaryTable:
        """All one-vs-rest tables added up: what micro averages are computed from."""
        hits = int(self.hits.sum())
        total = int(self.counts.sum())
        mistakes = total - hits
        return BinaryTable(hits, mistakes, mistakes, len(self.labels) * total - hits - 2 * mistakes)

    def to_dict(self) -> dict[str, object]:
        """JSON-ready: ``labels``, ``counts`` (rows are the truth) and ``pooled``."""
        pooled = self.pooled
        return {
            "labels": list(self.labels),
            "counts": self.counts.tolist(),
            "pooled": {name: getattr(pooled, name) for name in BinaryTable.__dataclass_fields__},
        }
