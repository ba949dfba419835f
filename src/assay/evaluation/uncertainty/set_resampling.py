"""Resampling where texts have sets of labels: whole texts are drawn, with all that was said of them.

`SetTexts` answers the same questions as `Cells` and `Documents` do where a text has one label.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.errors import ParameterError
from assay.evaluation.metrics.catalogue import AVERAGES, MEASURES, LabelMetric, encode_metrics
from assay.evaluation.metrics.set_catalogue import TextMetric
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.metrics.text_values import text_values
from assay.evaluation.uncertainty.intervals import Floats
from assay.evaluation.uncertainty.resampling import Resampling

__all__ = ["SetTexts", "label_variance", "left_out"]


class SetTexts:
    """Metrics of label sets of one system or two.

    Parameters
    ----------
    systems
        Outcomes on the same texts with the same labels.
    metrics
        What is measured: metrics of counts, and means over texts.
    undefined
        Value of 0/0: NaN leaves it out of averages.
    """

    def __init__(
        self,
        systems: Sequence[SetOutcomes],
        metrics: Sequence[LabelMetric | TextMetric],
        plan: Resampling,
        undefined: float = np.nan,
    ) -> None:
        if plan.stratified:
            raise ParameterError(
                "stratified=True keeps the number of texts of each class, and a text with several labels is of several "
                "classes. Leave it out."
            )
        self.plan = plan
        self.systems = systems
        self.metrics = metrics
        self.undefined = undefined
        self.shape = (len(systems), len(metrics))
        self._of_counts = [m for m, metric in enumerate(metrics) if isinstance(metric, LabelMetric)]
        self._of_texts = [m for m, metric in enumerate(metrics) if isinstance(metric, TextMetric)]
        self._counted = [metric for metric in metrics if isinstance(metric, LabelMetric)]

    @cached_property
    def values(self) -> Floats:
        """What each text contributes to the means, shape (n_texts, n_systems, n_means)."""
        means = [metric for metric in self.metrics if isinstance(metric, TextMetric)]
        found = np.empty((self.systems[0].n_documents, len(self.systems), len(means)))
        for s, system in enumerate(self.systems):
            for m, metric in enumerate(means):
                found[:, s, m] = text_values(system, metric, self.undefined)
        return found

    @cached_property
    def observed(self) -> Floats:
        """Metrics as they are, shape (n_systems, n_metrics)."""
        tallies = np.stack([system.counts.tallies for system in self.systems])
        found = np.empty(self.shape)
        found[:, self._of_counts] = _of_tallies(tallies, self._counted, self.undefined, self.plan.n_threads)
        known = ~np.isnan(self.values)
        texts = known.sum(axis=0)
        sums = np.where(known, self.values, 0.0).sum(axis=0)
        found[:, self._of_texts] = np.where(texts > 0, sums / np.maximum(texts, 1), np.nan)
        return found

    def bootstrap(self) -> Floats:
        """Metrics of each resample of texts, shape (n_resamples, n_systems, n_metrics)."""
        return self._resampled(_native.bootstrap_sets)

    def randomize(self) -> Floats:
        """Metrics of each random exchange of all that the two said of a text, shape (n_resamples, 2, n_metrics)."""
        return self._resampled(_native.randomize_sets)

    def left_out(self) -> tuple[Floats, Floats]:
        """Metrics with each text left out, and weights that are all equal."""
        found = [[left_out(system, metric, self.undefined) for metric in self.metrics] for system in self.systems]
        return np.moveaxis(np.array(found), 2, 0), np.ones(self.systems[0].n_documents)

    def _resampled(self, kernel: object) -> Floats:
        codes, betas = encode_metrics(self._counted)
        values = np.empty((self.plan.n_resamples, *self.shape))
        every = not np.isnan(self.undefined)
        plan = (float(self.undefined), every, self.plan.seed, self.plan.n_threads)
        kernel(self._cells, codes, betas, *plan, values)  # type: ignore[operator]
        found = np.empty_like(values)
        found[:, :, [*self._of_counts, *self._of_texts]] = values
        return found

    @cached_property
    def _cells(self) -> _native.SetArrays:
        """Texts with the same outcome, once each, with how many they are, the largest cells first."""
        system_slots = [_slots(system) for system in self.systems]
        rows = [
            (*(slots[begin[i] : begin[i + 1]].tobytes() for begin, slots in system_slots), self.values[i].tobytes())
            for i in range(self.systems[0].n_documents)
        ]
        first: dict[tuple[bytes, ...], int] = {}
        cell_of = np.array([first.setdefault(row, len(first)) for row in rows], np.int64)
        counts = np.bincount(cell_of)
        texts = np.unique(cell_of, return_index=True)[1]
        order = np.argsort(-counts, kind="stable")
        lists = [slots[begin[i] : begin[i + 1]] for i in texts[order].tolist() for begin, slots in system_slots]
        begin = np.concatenate([[0], np.cumsum([part.size for part in lists])]).astype(np.int64)
        slots = np.concatenate([*lists, np.empty(0, np.int32)]).astype(np.int32)
        means = np.ascontiguousarray(self.values[texts[order]])
        return _native.SetArrays(counts[order].astype(np.int64), begin, slots, means, len(self.systems[0].labels))


def _of_tallies(tallies: Floats, metrics: Sequence[LabelMetric], undefined: float, threads: int = 1) -> Floats:
    """The metrics of rows of hits, predicted and documents, shape (n_rows, n_metrics)."""
    codes, betas = encode_metrics(metrics)
    values = np.empty((len(tallies), len(metrics)))
    if metrics:
        every = not np.isnan(undefined)
        _native.tally_metrics(np.ascontiguousarray(tallies), codes, betas, float(undefined), threads, values, every)
    return values


_OF_A_TEXT = np.array([[1.0, 1.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])  # hits, predicted, documents by outcome


def left_out(outcomes: SetOutcomes, metric: LabelMetric | TextMetric, undefined: float) -> Floats:
    """The metric with each text left out; where nothing would be left to measure, as it is.

    Every metric of counts is a ratio of two sums over labels, of which a text changes those of its own labels.

    Examples
    --------
    >>> from assay.evaluation.metrics.set_catalogue import parse_set_metric
    >>> from assay.label_sets import LabelSets
    >>> truth, said = LabelSets.of_rows([[0], [0, 1], [1]], 2), LabelSets.of_rows([[0], [1], []], 2)
    >>> outcomes = SetOutcomes(("a", "b"), truth, said)
    >>> left_out(outcomes, parse_set_metric("macro_recall", ("a", "b")), np.nan).tolist()
    [0.25, 0.5, 0.75]
    """
    if isinstance(metric, TextMetric):
        values = text_values(outcomes, metric, undefined)
        known = ~np.isnan(values)
        n, total = int(known.sum()), float(values[known].sum())
        return np.where(known, (total - np.nan_to_num(values)) / max(n - 1, 1), total / max(n, 1))
    (above, below), without = _ratio_of_sums(outcomes, metric, undefined)
    texts, _, _ = outcomes.outcome_of_each
    changes = [np.bincount(texts, part, minlength=outcomes.n_documents) for part in without]
    rest = below + changes[1]
    there = rest > 1e-12
    return np.where(there, (above + changes[0]) / np.where(there, rest, 1.0), above / max(below, 1e-12))


def label_variance(outcomes: SetOutcomes, metric: LabelMetric, undefined: float) -> float:
    """The jackknife's variance of a metric as if every label had texts of its own."""
    (above, below), (of_above, of_below) = _ratio_of_sums(outcomes, metric, undefined)
    return float((((of_above - above / below * of_below) / below) ** 2).sum())


def _ratio_of_sums(
    outcomes: SetOutcomes, metric: LabelMetric, undefined: float
) -> tuple[tuple[float, float], tuple[Floats, Floats]]:
    """Both sums, and what leaving out the text of each outcome (`SetOutcomes.outcome_of_each`) adds to them."""
    tallies = outcomes.counts.tallies
    above, below = _parts(tallies, metric, undefined)
    changed = [
        [
            part - old
            for part, old in zip(_parts(tallies - gone[:, None], metric, undefined), (above, below), strict=True)
        ]
        for gone in _OF_A_TEXT
    ]
    _, labels, outcome = outcomes.outcome_of_each
    of_above, of_below = (np.stack([each[side] for each in changed])[outcome, labels] for side in (0, 1))
    return (float(above.sum()), float(below.sum())), (of_above, of_below)


def _parts(tallies: Floats, metric: LabelMetric, undefined: float) -> tuple[Floats, Floats]:
    """What each label adds to the two sums whose ratio the metric is."""
    hits, said, true = np.maximum(tallies, 0.0)
    measure, average, k = metric.code
    square = metric.beta**2
    above, below = {
        MEASURES["precision"]: (hits, said),
        MEASURES["recall"]: (hits, true),
    }.get(measure, ((1 + square) * hits, square * true + said))
    if average == AVERAGES["micro"]:
        return above, below
    there = below > 0
    values = np.where(there, above / np.where(there, below, 1.0), undefined)
    weights = true if average == AVERAGES["weighted"] else np.ones_like(true)
    if average == AVERAGES[""]:
        weights = (np.arange(true.size) == k).astype(np.float64)
    weights = np.where(np.isnan(values), 0.0, weights)
    return weights * np.nan_to_num(values), weights


def _slots(outcomes: SetOutcomes) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Where each text begins, and its outcomes by label: outcome · n_labels + label."""
    texts, labels, outcome = outcomes.outcome_of_each
    begin = np.searchsorted(texts, np.arange(outcomes.n_documents + 1)).astype(np.int64)
    return begin, (outcome.astype(np.int32) * len(outcomes.labels) + labels).astype(np.int32)
