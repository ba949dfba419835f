"""What a system said of texts that have sets of labels: where the measuring of several labels a text starts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError
from assay.evaluation.metrics.outcomes import Label, Outcomes
from assay.label_sets import LabelSets
from assay.label_tree import ReachedLabels

__all__ = ["LabelCounts", "SetOutcomes"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LabelCounts:
    """Of each label: texts that have it, texts that were given it, and texts that are both.

    The names are those of `ConfusionMatrix`: what is counted of one label alone is the same in both tasks.
    """

    labels: tuple[Label, ...]
    hits: NDArray[np.int64]
    documents: NDArray[np.int64]
    predicted: NDArray[np.int64]

    @property
    def tallies(self) -> Floats:
        """Hits, predicted and documents, a row each, as the native core takes them."""
        return np.stack([self.hits, self.predicted, self.documents]).astype(np.float64)


@dataclass(frozen=True, eq=False)
class SetOutcomes:
    """Truth and predictions of n texts as sets of indices into `labels`.

    Attributes
    ----------
    labels
        Every label, in the order of the columns of `probabilities` and `scores`.
    truth, predicted
        The labels that each text has, and those that it was given.
    probabilities, scores
        float64, shape (n, len(labels)), or None. Each probability is of its own label: a row need not sum to 1.
    notes
        What a reader should know about how the outcomes were put together.
    reached
        Of a label tree with too many labels for a table, the labels that its search came to, and their probabilities
        or scores.

    Examples
    --------
    >>> truth, said = LabelSets.of_rows([[0, 1], [1], []], 2), LabelSets.of_rows([[0], [1], [1]], 2)
    >>> outcomes = SetOutcomes(("sport", "politics"), truth, said)
    >>> outcomes.correct.tolist(), outcomes.counts.hits.tolist(), outcomes.counts.documents.tolist()
    ([False, True, False], [1, 1], [1, 2])
    """

    labels: tuple[Label, ...]
    truth: LabelSets
    predicted: LabelSets
    probabilities: Floats | None = None
    scores: Floats | None = None
    notes: tuple[str, ...] = field(default=())
    answered: NDArray[np.int64] | None = None  # as in `Outcomes`; a model of label sets answers every text
    reached: ReachedLabels | None = None

    def __post_init__(self) -> None:
        for name, sets in (("truth", self.truth), ("predicted", self.predicted)):
            if len(sets) != len(self.truth) or sets.n_classes != len(self.labels):
                raise DataError(
                    f"{name} has {len(sets):,} sets of {sets.n_classes:,} labels where {len(self.truth):,} sets of "
                    f"{len(self.labels):,} are needed. There must be one for each text."
                )

    @property
    def n_documents(self) -> int:
        """Texts."""
        return len(self.truth)

    @cached_property
    def outcome_of_each(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int8]]:
        """Text, label and outcome of each label that is true or was said: 0 both, 1 said only, 2 true only."""
        n = max(len(self.labels), 1)
        true, said = (sets.texts * n + sets.members for sets in (self.truth, self.predicted))
        either = np.union1d(true, said)
        is_true, is_said = np.isin(either, true, assume_unique=True), np.isin(either, said, assume_unique=True)
        outcome = np.where(is_true & is_said, 0, np.where(is_said, 1, 2)).astype(np.int8)
        return either // n, (either % n).astype(np.int32), outcome

    @cached_property
    def counts(self) -> LabelCounts:
        """Texts of each label, in truth, predictions and both."""
        _, labels, outcome = self.outcome_of_each
        hits = np.bincount(labels[outcome == 0], minlength=len(self.labels))
        return LabelCounts(self.labels, hits, self.truth.class_counts, self.predicted.class_counts)

    @cached_property
    def mistakes(self) -> NDArray[np.int64]:
        """Labels of each text that were said or true, and not both."""
        texts, _, outcome = self.outcome_of_each
        return np.bincount(texts[outcome > 0], minlength=self.n_documents)

    @property
    def correct(self) -> NDArray[np.bool_]:
        """Whether each text was given exactly its set."""
        return np.equal(self.mistakes, 0)

    @property
    def table(self) -> Floats | None:
        """Probabilities, else scores."""
        return self.probabilities if self.probabilities is not None else self.scores

    def among(self, rows: NDArray[np.int64]) -> SetOutcomes:
        """Those of some of the texts."""
        probabilities, scores = (None if table is None else table[rows] for table in (self.probabilities, self.scores))
        truth, said = self.truth.take(rows), self.predicted.take(rows)
        reached = None if self.reached is None else self.reached.take(rows)
        return SetOutcomes(self.labels, truth, said, probabilities, scores, reached=reached)

    def reordered(self, labels: Sequence[Label]) -> SetOutcomes:
        """The same outcomes with the labels in this order."""
        if self.labels == tuple(labels):
            return self
        columns = [self.labels.index(label) for label in labels]
        place = np.argsort(columns)
        truth, said = (sets.renumbered(place, len(columns)) for sets in (self.truth, self.predicted))
        probabilities, scores = (None if t is None else t[:, columns] for t in (self.probabilities, self.scores))
        reached = self.reached
        if reached is not None:
            renamed = place[reached.sets.members]
            at = np.lexsort((renamed, reached.sets.texts))
            own = LabelSets(reached.sets.offsets, renamed[at].astype(np.int32), len(columns))
            reached = ReachedLabels(own, reached.values[at])
        return SetOutcomes(tuple(labels), truth, said, probabilities, scores, self.notes, reached=reached)

    def differs_from(self, other: SetOutcomes) -> NDArray[np.bool_]:
        """Whether another system gave each text another set."""
        return ~SetOutcomes(self.labels, self.predicted, other.predicted).correct

    def one_label(self, k: int) -> Outcomes:
        """Label k against its absence, as outcomes of two classes: what is measured of probabilities of one label.

        The second class is the label, and a text counts as called so where its probability is at least a half.
        """
        probabilities = self.probabilities
        table = None if probabilities is None else np.column_stack([1 - probabilities[:, k], probabilities[:, k]])
        scores = None if self.scores is None else np.column_stack([-self.scores[:, k], self.scores[:, k]])
        said = self.predicted.having(k) if table is None else table[:, 1] >= 0.5
        names = (f"not {self.labels[k]}", str(self.labels[k]))
        return Outcomes(names, self.truth.having(k).astype(np.int32), said.astype(np.int32), table, scores)

    @classmethod
    def joined(cls, parts: Sequence[SetOutcomes], order: NDArray[np.int64]) -> SetOutcomes:
        """Outcomes one after the other, then in this order."""

        def table(name: str) -> Floats | None:
            values = [getattr(part, name) for part in parts]
            return None if any(value is None for value in values) else np.concatenate(values)[order]

        truth, said = (joined_sets([getattr(part, name) for part in parts]) for name in ("truth", "predicted"))
        told = [part.reached for part in parts if part.reached is not None]
        reached = ReachedLabels.joined(told).take(order) if len(told) == len(parts) else None
        tables = table("probabilities"), table("scores")
        return cls(parts[0].labels, truth.take(order), said.take(order), *tables, reached=reached)


def joined_sets(parts: Iterable[LabelSets]) -> LabelSets:
    """Sets one after the other."""
    listed = list(parts)
    sizes = np.concatenate([part.sizes for part in listed])
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return LabelSets(offsets, np.concatenate([part.members for part in listed]), listed[0].n_classes)
