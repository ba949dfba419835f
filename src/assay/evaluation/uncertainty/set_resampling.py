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

__all__ = ["SetTexts", "influences", "of_tallies", "slopes"]


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
        found[:, self._of_counts] = of_tallies(tallies, self._counted, self.undefined, self.plan.n_threads)
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
        """Metrics with each text left out, to first order, and weights that are all equal."""
        n = self.systems[0].n_documents
        moved = np.stack([influences(system, self.metrics, self.undefined) for system in self.systems], axis=1)
        return self.observed - moved / max(n - 1, 1), np.ones(n)

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


def of_tallies(tallies: Floats, metrics: Sequence[LabelMetric], undefined: float, threads: int = 1) -> Floats:
    """The metrics of rows of hits, predicted and documents, shape (n_rows, n_metrics)."""
    codes, betas = encode_metrics(metrics)
    values = np.empty((len(tallies), len(metrics)))
    if metrics:
        every = not np.isnan(undefined)
        _native.tally_metrics(np.ascontiguousarray(tallies), codes, betas, float(undefined), threads, values, every)
    return values


def slopes(tallies: Floats, metric: LabelMetric, undefined: float) -> Floats:
    """By how much a metric rises with each of the tallies, shape (3, n_labels); 0 where it is undefined.

    Examples
    --------
    >>> from assay.evaluation.metrics.set_catalogue import parse_set_metric
    >>> recall = parse_set_metric("macro_recall", ["a", "b"])
    >>> slopes(np.array([[1.0, 3.0], [2.0, 4.0], [2.0, 4.0]]), recall, np.nan).tolist()
    [[0.25, 0.125], [0.0, 0.0], [-0.125, -0.09375]]
    """
    measure, average, k = metric.code
    if average == AVERAGES["micro"]:
        of_sums, _ = _rises(tallies.sum(axis=1, keepdims=True), measure, metric.beta)
        return np.repeat(of_sums, tallies.shape[1], axis=1)
    rises, values = _rises(tallies, measure, metric.beta)
    if average == AVERAGES[""]:
        return np.where(np.arange(tallies.shape[1]) == k, rises, 0.0)
    known = ~np.isnan(values)
    if average == AVERAGES["macro"]:
        return np.asarray(rises / max(1, int(known.sum()) if np.isnan(undefined) else known.size))
    weights = np.where(known, tallies[2], 0.0)
    total = weights.sum()
    if total <= 0:
        return np.zeros_like(tallies)
    mean = np.where(known, weights * values, 0.0).sum() / total
    by_weight = rises * weights / total
    by_weight[2] += np.where(known, np.nan_to_num(values) - mean, 0.0) / total
    return np.asarray(by_weight)


def _rises(tallies: Floats, measure: int, beta: float) -> tuple[Floats, Floats]:
    """Slopes of each label's own precision, recall or F, and its value, NaN where it is 0/0."""
    hits, said, true = tallies
    numerator, of_said, of_true = 1.0, 1.0, 0.0
    if measure == MEASURES["recall"]:
        of_said, of_true = 0.0, 1.0
    elif measure == MEASURES["f"]:
        numerator, of_true = 1 + beta**2, beta**2
    below = of_said * said + of_true * true
    there = below > 0
    safe = np.where(there, below, 1.0)
    values = np.where(there, numerator * hits / safe, np.nan)
    fall = -np.nan_to_num(values) / safe
    return np.stack([np.where(there, numerator / safe, 0.0), of_said * fall, of_true * fall]), values


def influences(outcomes: SetOutcomes, metrics: Sequence[LabelMetric | TextMetric], undefined: float) -> Floats:
    """By how much each text moves each metric: n times the rise for one text more, shape (n_texts, n_metrics)."""
    n = outcomes.n_documents
    found = np.zeros((n, len(metrics)))
    texts, labels, outcome = outcomes.outcome_of_each
    for m, metric in enumerate(metrics):
        if isinstance(metric, LabelMetric):
            hit, said, true = slopes(outcomes.counts.tallies, metric, undefined)
            each = np.stack([hit + said + true, said, true])[outcome, labels]
            found[:, m] = n * np.bincount(texts, each, minlength=n)
        else:
            values = text_values(outcomes, metric, undefined)
            known = ~np.isnan(values)
            mean = values[known].mean() if known.any() else 0.0
            found[:, m] = np.where(known, values - mean, 0.0) * n / max(int(known.sum()), 1)
    return found


def _slots(outcomes: SetOutcomes) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Where each text begins, and its outcomes by label: outcome · n_labels + label."""
    texts, labels, outcome = outcomes.outcome_of_each
    begin = np.searchsorted(texts, np.arange(outcomes.n_documents + 1)).astype(np.int64)
    return begin, (outcome.astype(np.int32) * len(outcomes.labels) + labels).astype(np.int32)
