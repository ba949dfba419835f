"""Where a model of label sets goes wrong: labels taken for others, mistakes that come together, texts to look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.metrics.outcomes import Label, text_list
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.suggest import quote
from assay.tables import Table, shorten

__all__ = ["ConfusedLabels", "ErrorsTogether", "SetMistake", "confused_labels", "errors_together", "mistakes_of_label"]


@dataclass(frozen=True, slots=True)
class ConfusedLabels:
    """A label that was given to texts that have another one and not this.

    Attributes
    ----------
    said, true
        The label that was given wrongly, and the one that the texts have.
    texts
        Texts that have `true` and not `said`, and were given `said`.
    instead
        Those of them that were not given `true` either: `said` stands in its place.
    expected
        How many texts there would be if the wrong label had nothing to do with the true one.
    """

    said: Label
    true: Label
    texts: int
    instead: int
    expected: float


@dataclass(frozen=True, slots=True)
class ErrorsTogether:
    """Two labels that are wrong, missing or given, in the same texts; and in how many by chance."""

    first: Label
    second: Label
    texts: int
    expected: float


@dataclass(frozen=True, slots=True)
class SetMistake:
    """A text that lacks a label or was given one too many.

    Attributes
    ----------
    position
        Its index in the test set, from 0.
    text
        None where the evaluation was made from plain labels.
    label
        The label in question.
    missed
        Whether the text has it and was not given it; else it was given it and has it not.
    truth, predicted
        All labels that it has, and that it was given.
    probability
        Of the label (else its score); NaN where there is neither.
    """

    position: int
    text: str | None
    label: Label
    missed: bool
    truth: tuple[Label, ...]
    predicted: tuple[Label, ...]
    probability: float

    def __str__(self) -> str:
        what = f"{'lacks' if self.missed else 'was given'} {quote(self.label)}"
        sure = "" if isnan(self.probability) else f" ({self.probability:.3f})"
        text = "" if self.text is None else f": {shorten(self.text)}"
        return f"row {self.position + 1} {what}{sure}{text}"


def confused_labels(outcomes: SetOutcomes, n: int) -> list[ConfusedLabels]:
    """The n pairs with the most texts in which one label stands in another's place, then the most texts."""
    spurious, missed = _wrong(outcomes, 1), _wrong(outcomes, 2)
    true = outcomes.truth.sparse()
    wrongly = (spurious.T @ true).tocoo()
    instead = (spurious.T @ missed).tocsr()
    rows, columns, counts = wrongly.row, wrongly.col, wrongly.data
    in_place = np.asarray(instead[rows, columns]).ravel() if rows.size else np.empty(0, np.int64)
    order = np.lexsort((columns, rows, -counts, -in_place))[:n]
    given, having = np.asarray(spurious.sum(axis=0)).ravel(), outcomes.truth.class_counts
    return [
        ConfusedLabels(
            outcomes.labels[rows[i]],
            outcomes.labels[columns[i]],
            int(counts[i]),
            int(in_place[i]),
            float(given[rows[i]] * having[columns[i]] / outcomes.n_documents),
        )
        for i in order.tolist()
    ]


def errors_together(outcomes: SetOutcomes, n: int) -> list[ErrorsTogether]:
    """The n pairs of labels with the most texts above chance in which both are wrong."""
    wrong = _wrong(outcomes, 1) + _wrong(outcomes, 2)
    both = (wrong.T @ wrong).tocoo()
    upper = both.row < both.col
    rows, columns, counts = both.row[upper], both.col[upper], both.data[upper]
    each = np.asarray(wrong.sum(axis=0)).ravel()
    expected = each[rows] * each[columns] / outcomes.n_documents
    order = np.lexsort((columns, rows, expected - counts))[:n]
    return [
        ErrorsTogether(outcomes.labels[rows[i]], outcomes.labels[columns[i]], int(counts[i]), float(expected[i]))
        for i in order.tolist()
        if counts[i] > expected[i]
    ]


def mistakes_of_label(outcomes: SetOutcomes, corpus: Any, k: int, missed: bool, n: int) -> list[SetMistake]:
    """The n texts that lack label k, or were given it wrongly, of which the model was most sure."""
    texts, labels, outcome = outcomes.outcome_of_each
    rows = texts[(labels == k) & (outcome == (2 if missed else 1))]
    table = outcomes.table
    if table is not None:
        rows = rows[np.argsort(table[rows, k] * (1 if missed else -1), kind="stable")]
    rows = rows[:n]
    shown = text_list(corpus.select(rows)) if corpus is not None and rows.size else None
    truth, said = (sets.take(rows).names(outcomes.labels) for sets in (outcomes.truth, outcomes.predicted))
    return [
        SetMistake(
            row,
            None if shown is None else shown[i],
            outcomes.labels[k],
            missed,
            truth[i],
            said[i],
            nan if table is None else float(table[row, k]),
        )
        for i, row in enumerate(rows.tolist())
    ]


def confused_table(pairs: Sequence[ConfusedLabels]) -> Table:
    """Confused labels to read."""
    rows = [
        (f"{pair.said} for {pair.true}", f"{pair.instead:,}", f"{pair.texts:,}", f"{pair.expected:.1f}")
        for pair in pairs
    ]
    headers = ("said, not true, for true", "in its place", "texts", "by chance")
    return Table("Labels given wrongly to texts that have another", headers, rows)


def together_table(pairs: Sequence[ErrorsTogether]) -> Table:
    """Mistakes that come together, to read."""
    rows = [(f"{pair.first} / {pair.second}", f"{pair.texts:,}", f"{pair.expected:.1f}") for pair in pairs]
    return Table("Labels that are wrong in the same texts", ("pair", "texts", "by chance"), rows)


def _wrong(outcomes: SetOutcomes, kind: int) -> Any:
    """Texts and labels of one outcome, as a sparse matrix of ones."""
    from scipy.sparse import csr_array

    texts, labels, outcome = outcomes.outcome_of_each
    here: NDArray[np.bool_] = outcome == kind
    shape = (outcomes.n_documents, len(outcomes.labels))
    return csr_array((np.ones(int(here.sum()), np.int64), (texts[here], labels[here])), shape=shape)
