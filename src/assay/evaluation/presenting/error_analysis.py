"""Where a model goes wrong: confident mistakes, confused classes, and what mistakes have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import isnan, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, ParameterError
from assay.evaluation.metrics.confusion import ConfusionMatrix
from assay.evaluation.metrics.outcomes import Label, Outcomes, choices, text_list
from assay.evaluation.uncertainty.estimate import Estimate, number
from assay.evaluation.uncertainty.intervals import wilson_interval
from assay.suggest import counted, quote
from assay.tables import Page, Shown, Table, shorten

__all__ = ["ConfusedPair", "ErrorAnalysis", "Mistake", "MistakeGroup"]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A document that was given a wrong label.

    Attributes
    ----------
    position
        Its index in the test set, from 0.
    text
        None where the evaluation was made from plain labels.
    confidence
        Probability (else score) of the predicted label; NaN where there is neither.
    """

    position: int
    text: str | None
    truth: Label
    predicted: Label
    confidence: float

    def __str__(self) -> str:
        sure = "" if isnan(self.confidence) else f" ({self.confidence:.3f})"
        text = "" if self.text is None else f": {shorten(self.text)}"
        return f"row {self.position + 1}, {quote(self.truth)} taken for {quote(self.predicted)}{sure}{text}"


@dataclass(frozen=True, slots=True)
class ConfusedPair:
    """Two classes, and how often each was taken for the other."""

    first: Label
    second: Label
    first_as_second: int
    second_as_first: int

    @property
    def total(self) -> int:
        """Mistakes in both directions."""
        return self.first_as_second + self.second_as_first


@dataclass(frozen=True, slots=True)
class MistakeGroup:
    """Documents that have something in common, and the share of them that went wrong."""

    group: str
    n_documents: int
    n_mistakes: int
    error_rate: Estimate


@dataclass(frozen=True)
class ErrorAnalysis(Shown):
    """What an evaluation says about its mistakes, to read and to keep. Made by `Evaluation.errors`.

    Attributes
    ----------
    mistakes
        Those of which the model was most sure.
    pairs
        The classes most often taken for each other.
    groups
        Error rates by text length and by columns of the corpus.
    """

    n_documents: int
    n_mistakes: int
    mistakes: tuple[Mistake, ...]
    pairs: tuple[ConfusedPair, ...]
    groups: dict[str, tuple[MistakeGroup, ...]]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "kind": "error_analysis",
            "version": 1,
            "n_documents": self.n_documents,
            "n_mistakes": self.n_mistakes,
            "mistakes": [{**asdict(m), "confidence": number(m.confidence)} for m in self.mistakes],
            "pairs": [asdict(pair) for pair in self.pairs],
            "groups": {
                name: [{**asdict(group), "error_rate": group.error_rate.to_dict()} for group in groups]
                for name, groups in self.groups.items()
            },
        }

    def _page(self) -> Page:
        heading = (
            f"{counted(self.n_mistakes, 'mistake', 'mistakes')} in {counted(self.n_documents, 'document', 'documents')}"
        )
        rows = [
            (shorten(m.text or f"row {m.position + 1}"), str(m.truth), str(m.predicted), _confidence(m.confidence))
            for m in self.mistakes
        ]
        tables = [Table("Most confident mistakes", ("text", "truth", "predicted", "confidence"), rows)]
        tables.append(pairs_table(self.pairs))
        for name, groups in self.groups.items():
            rows = [(g.group, f"{g.n_documents:,}", f"{g.n_mistakes:,}", g.error_rate.cell()) for g in groups]
            tables.append(Table(f"By {name}", (name, "documents", "mistakes", "error rate"), rows))
        return heading, tables, ()


def pairs_table(pairs: Sequence[ConfusedPair]) -> Table:
    """Pairs of classes to read, as many mistakes as there are in each direction."""
    rows = [(f"{p.first} / {p.second}", str(p.total), str(p.first_as_second), str(p.second_as_first)) for p in pairs]
    return Table("Most confused pairs", ("pair", "mistakes", "first as second", "second as first"), rows)


def confident_mistakes(outcomes: Outcomes, corpus: Any, n: int) -> list[Mistake]:
    """The n mistakes of which the model was most sure; without confidence, the first n."""
    wrong = np.flatnonzero(~outcomes.correct)
    confidence = outcomes.confidence
    if confidence is not None:
        wrong = wrong[np.argsort(-confidence[wrong], kind="stable")]
    rows = wrong[:n].tolist()
    texts = text_list(corpus.select(np.array(rows, dtype=np.int64))) if corpus is not None and rows else None
    places = rows if outcomes.answered is None else outcomes.answered[rows].tolist()
    return [
        Mistake(
            places[i],
            None if texts is None else texts[i],
            outcomes.labels[outcomes.truth[row]],
            outcomes.labels[outcomes.predicted[row]],
            nan if confidence is None else float(confidence[row]),
        )
        for i, row in enumerate(rows)
    ]


def confused_pairs(matrix: ConfusionMatrix, n: int) -> list[ConfusedPair]:
    """The n pairs of classes with the most mistakes between them."""
    both = np.triu(matrix.counts + matrix.counts.T, k=1)
    order = np.argsort(-both, axis=None, kind="stable")[:n]
    pairs = [np.unravel_index(flat, both.shape) for flat in order]
    return [
        ConfusedPair(matrix.labels[i], matrix.labels[j], int(matrix.counts[i, j]), int(matrix.counts[j, i]))
        for i, j in pairs
        if both[i, j] > 0
    ]


def mistakes_by_length(outcomes: Outcomes, corpus: Any, n_bins: int, level: float) -> list[MistakeGroup]:
    """Error rate over equally large groups of documents, from the shortest texts to the longest."""
    import pyarrow.compute as pc

    lengths = np.asarray(pc.utf8_length(corpus.texts).to_numpy())
    return _by_number(outcomes, lengths, n_bins, level, "characters")


def mistakes_by_column(outcomes: Outcomes, corpus: Any, column: str, n_bins: int, level: float) -> list[MistakeGroup]:
    """Error rate for each value of a column; numbers with many values are cut into equally large groups."""
    if column not in list(corpus.columns):
        raise ParameterError(
            f"The corpus has no column {quote(column)}. Columns are {choices(column, corpus.columns)}."
        )
    values = corpus.column(column)
    values = values.to_pylist() if hasattr(values, "to_pylist") else list(values)
    present = [value for value in values if value is not None]
    numeric = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in present)
    if numeric and len(present) == len(values) and len(set(values)) > max(n_bins, 10):
        return _by_number(outcomes, np.asarray(values, dtype=np.float64), n_bins, level, "")
    names = np.array(["(missing)" if value is None else str(value) for value in values], dtype=object)
    groups = [(name, names == name) for name in sorted(set(names.tolist()))]
    return sorted(_groups(outcomes, groups, level), key=lambda group: -group.error_rate.value)


def _by_number(outcomes: Outcomes, values: NDArray[Any], n_bins: int, level: float, unit: str) -> list[MistakeGroup]:
    if n_bins < 1:
        raise ParameterError(f"n_bins must be at least 1. Got {n_bins!r} instead.")
    edges = np.unique(np.quantile(values, np.linspace(0, 1, n_bins + 1), method="nearest"))
    if edges.size == 1:
        edges = np.append(edges, edges[0])
    groups = []
    for i, (low, high) in enumerate(pairwise(edges)):
        last = i == edges.size - 2
        inside = (values >= low) & ((values <= high) if last else (values < high))
        shown = high if last or unit == "" else high - 1
        groups.append((f"{low:g} to {shown:g} {unit}".rstrip(), inside))
    return _groups(outcomes, groups, level)


def _groups(outcomes: Outcomes, groups: Sequence[tuple[str, NDArray[np.bool_]]], level: float) -> list[MistakeGroup]:
    found = []
    for name, inside in groups:
        n = int(inside.sum())
        if n == 0:
            continue
        wrong = int((~outcomes.correct[inside]).sum())
        rate = Estimate(wrong / n, *wilson_interval(wrong, n, level), "wilson")
        found.append(MistakeGroup(name, n, wrong, rate))
    return found


def _confidence(value: float) -> str:
    return "" if isnan(value) else f"{value:.3f}"


def require_corpus(corpus: Any, what: str) -> None:
    """Complain where there are labels only."""
    if corpus is None:
        raise DataError(f"{what} needs the documents. Evaluate with assay.evaluate(model, corpus).")
