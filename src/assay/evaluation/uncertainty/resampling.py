"""The two forms in which outcomes are resampled: cells of equal documents, and the documents themselves.

Both answer the same three questions, natively: what are the metrics now, what are they on each bootstrap
resample, and what are they with something left out (for BCa's acceleration).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.errors import DataError, ParameterError
from assay.evaluation.metrics.catalogue import DocumentMetric, LabelMetric, encode_metrics
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.parameters import is_whole
from assay.evaluation.uncertainty.intervals import acceleration
from assay.threads import count_threads
from assay.wording import parameter

__all__ = ["Cells", "Documents", "Resampler", "Resampling"]

Floats = NDArray[np.float64]
JACKKNIFE_BLOCKS = 400
CALIBRATION_BINS = 15


@dataclass(frozen=True)
class Resampling:
    """How resamples are drawn.

    Attributes
    ----------
    n_resamples
        How many.
    seed
        Same seed, same resamples, whatever `threads` is.
    stratified
        Keep the number of documents of each true class in every resample.
    threads
        None: every processor this process may use.
    """

    n_resamples: int = 2000
    seed: int = 0
    stratified: bool = False
    threads: int | None = None

    def __post_init__(self) -> None:
        if not is_whole(self.n_resamples, 1):
            raise ParameterError(
                f"{parameter('n_resamples', option='--resamples')} must be a whole number of at least 1. Got "
                f"{self.n_resamples!r} instead."
            )
        if not is_whole(self.seed, 0, 2**64):
            raise ParameterError(
                f"{parameter('seed')} must be a whole number from 0 to 2**64 - 1. Got {self.seed!r} instead."
            )
        if self.threads is not None and not is_whole(self.threads, 1):
            raise ParameterError(
                f"{parameter('threads')} must be at least 1, and is all cores if not given. Got {self.threads!r} "
                "instead."
            )

    @property
    def n_threads(self) -> int:
        """Threads to use."""
        return count_threads(self.threads)


class Cells:
    """Metrics of predicted labels of one system or two, from the counts of (truth, prediction, …).

    Parameters
    ----------
    systems
        Outcomes on the same documents with the same labels.
    metrics
        What is measured.
    undefined
        Value of 0/0: NaN leaves it out of averages.
    """

    def __init__(
        self,
        systems: Sequence[Outcomes],
        metrics: Sequence[LabelMetric],
        plan: Resampling,
        undefined: float = np.nan,
    ) -> None:
        self.plan = plan
        self.shape = (len(systems), len(metrics))
        labels = systems[0].labels
        # Classes in the order of their names: the same documents give the same resamples however labels are ordered.
        place = np.argsort(np.argsort([str(label) for label in labels], kind="stable")).astype(np.int32)
        shape = (len(labels),) * (1 + len(systems))
        columns = [place[systems[0].truth], *(place[system.predicted] for system in systems)]
        keys, counts = np.unique(np.ravel_multi_index(columns, shape), return_counts=True)
        cells = np.array(np.unravel_index(keys, shape), dtype=np.int32)
        strata = cells[0] if plan.stratified else np.zeros(keys.size, np.int32)
        order = np.lexsort((-counts, strata))
        codes, betas = encode_metrics(metrics)
        codes[:, 2] = place[codes[:, 2]]
        self.counts = counts[order].astype(np.int64)
        self._arguments = (
            np.ascontiguousarray(cells[0][order]),
            np.ascontiguousarray(cells[1:, order].T),
            self.counts,
            np.ascontiguousarray(strata[order]),
            len(labels),
            codes,
            betas,
            float(undefined),
        )

    @cached_property
    def observed(self) -> Floats:
        """Metrics as they are, shape (n_systems, n_metrics)."""
        values = np.empty(self.shape)
        _native.observed_metrics(*self._arguments, values)
        return values

    def bootstrap(self) -> Floats:
        """Metrics of each resample, shape (n_resamples, n_systems, n_metrics)."""
        values = np.empty((self.plan.n_resamples, *self.shape))
        _native.bootstrap_metrics(*self._arguments, self.plan.seed, self.plan.n_threads, values)
        return values

    def randomize(self) -> Floats:
        """Metrics of each random exchange of the two systems, shape (n_resamples, 2, n_metrics)."""
        values = np.empty((self.plan.n_resamples, *self.shape))
        _native.randomize_metrics(*self._arguments, self.plan.seed, self.plan.n_threads, values)
        return values

    def left_out(self) -> tuple[Floats, Floats]:
        """Metrics with one document of each cell left out, and how many documents the cell has."""
        values = np.empty((self.counts.size, *self.shape))
        _native.jackknife_metrics(*self._arguments, self.plan.n_threads, values)
        return values, self.counts.astype(np.float64)


class Documents:
    """Metrics of probabilities or scores of one system or two.

    The jackknife leaves out blocks of documents where there are more than 400, which estimates the same
    acceleration.
    """

    def __init__(self, systems: Sequence[Outcomes], metrics: Sequence[DocumentMetric], plan: Resampling) -> None:
        self.plan = plan
        self.systems = systems
        self.metrics = metrics
        self.shape = (len(systems), len(metrics))
        self._described = [_Description(system, metrics) for system in systems]

    @cached_property
    def observed(self) -> Floats:
        """Metrics as they are, shape (n_systems, n_metrics)."""
        weights = np.ones(self.systems[0].n_documents, np.int32)
        return np.array([d.combine(self._run(d, "weighted_documents", 1, weights))[0] for d in self._described])

    def bootstrap(self) -> Floats:
        """Metrics of each resample, shape (n_resamples, n_systems, n_metrics)."""
        truth = self.systems[0].truth
        members, bounds = strata_of(truth if self.plan.stratified else np.zeros_like(truth))
        drawn = (members, bounds, self.plan.seed, self.plan.n_threads)
        rows = self.plan.n_resamples
        values = [d.combine(self._run(d, "bootstrap_documents", rows, *drawn)) for d in self._described]
        return np.stack(values, axis=1)

    def randomize(self) -> Floats:
        """Metrics of each random exchange of the two systems, shape (n_resamples, 2, n_metrics)."""
        both = _Description(_stacked(self.systems), self.metrics)
        values = np.empty((self.plan.n_resamples, 2, both.width))
        _native.randomize_documents(both.arrays, self.plan.seed, self.plan.n_threads, values)
        return both.combine(values.reshape(-1, both.width)).reshape(-1, 2, len(self.metrics))

    def left_out(self) -> tuple[Floats, Floats]:
        """Metrics with each block left out, and weights that are all equal."""
        blocks = min(self.systems[0].n_documents, JACKKNIFE_BLOCKS)
        threads = self.plan.n_threads
        values = [d.combine(self._run(d, "jackknife_documents", blocks, threads)) for d in self._described]
        return np.stack(values, axis=1), np.ones(blocks)

    def _run(self, described: _Description, kernel: str, rows: int, *arguments: object) -> Floats:
        values = np.empty((rows, described.width))
        getattr(_native, kernel)(described.arrays, *arguments, values)
        return values


Resampler = Cells | Documents


def accelerations(resampler: Resampler) -> Floats:
    """BCa's acceleration, shape (n_systems, n_metrics)."""
    values, weights = resampler.left_out()
    return acceleration(values.reshape(len(values), -1), weights).reshape(resampler.shape)


def strata_of(strata: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Documents grouped by stratum, and where each group begins."""
    members = np.argsort(strata, kind="stable").astype(np.int32)
    sizes = np.unique(strata, return_counts=True)[1]
    return members, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


class _Description:
    """The arrays from which the native core computes one system's document metrics."""

    def __init__(self, outcomes: Outcomes, metrics: Sequence[DocumentMetric]) -> None:
        self._metrics = metrics
        self._means = [metric for metric in metrics if metric.kind in ("log_loss", "brier", "top")]
        self._calibrated = any(metric.kind == "calibration_error" for metric in metrics)
        areas = [metric.class_index for metric in metrics if metric.kind in ("roc_auc", "average_precision")]
        every = range(len(outcomes.labels))
        self._ranked = sorted({k for index in areas for k in (every if index < 0 else (index,))})
        self.width = len(self._means) + self._calibrated + 2 * len(self._ranked)
        columns = [_per_document(outcomes, metric) for metric in self._means]
        gaps, bins = calibration_gaps(outcomes) if self._calibrated else (np.empty(0), np.empty(0, np.int32))
        n = outcomes.n_documents
        self.arrays = _native.DocumentArrays(
            np.ascontiguousarray(np.column_stack(columns)) if columns else np.empty((n, 0)),
            gaps,
            bins,
            CALIBRATION_BINS if self._calibrated else 0,
            *_rankings(outcomes, self._ranked),
        )

    def combine(self, values: Floats) -> Floats:
        """Columns of `metrics` from the native columns: means over classes where a metric asks for them."""
        first_area = len(self._means) + self._calibrated
        columns = []
        for metric in self._metrics:
            if metric in self._means:
                columns.append(values[:, self._means.index(metric)])
            elif metric.kind == "calibration_error":
                columns.append(values[:, len(self._means)])
            else:
                areas = values[:, first_area + (metric.kind == "average_precision") :: 2]
                if metric.class_index < 0:
                    columns.append(_mean_of_defined(areas))
                else:
                    columns.append(areas[:, self._ranked.index(metric.class_index)])
        return np.column_stack(columns)


def _mean_of_defined(areas: Floats) -> Floats:
    defined = ~np.isnan(areas)
    count = defined.sum(axis=1)
    return np.where(count > 0, np.where(defined, areas, 0.0).sum(axis=1) / np.maximum(count, 1), np.nan)


def _per_document(outcomes: Outcomes, metric: DocumentMetric) -> Floats:
    """The values whose mean over documents is the metric."""
    rows = np.arange(outcomes.n_documents)
    if metric.kind == "top":
        table = _table(outcomes)
        # Ties go to the later label, as scikit-learn's top_k_accuracy_score gives them.
        best = np.argsort(table, axis=1, kind="stable")[:, -metric.k :]
        return np.asarray(np.any(best == outcomes.truth[:, None], axis=1), dtype=np.float64)
    probabilities = _probabilities(outcomes, metric)
    if metric.kind == "log_loss":
        return -np.log(np.maximum(probabilities[rows, outcomes.truth], np.finfo(np.float64).eps))
    truth = np.zeros_like(probabilities)
    truth[rows, outcomes.truth] = 1.0
    squares = ((probabilities - truth) ** 2).sum(axis=1)
    return np.asarray(squares / 2 if len(outcomes.labels) == 2 else squares)


def calibration_gaps(outcomes: Outcomes) -> tuple[Floats, NDArray[np.int32]]:
    """Of each document: whether it was right, minus the confidence in that; and its bin of confidence."""
    confidence = _probabilities(outcomes, DocumentMetric("calibration_error", "calibration_error"))[
        np.arange(outcomes.n_documents), outcomes.predicted
    ]
    bins = np.minimum((confidence * CALIBRATION_BINS).astype(np.int32), CALIBRATION_BINS - 1)
    return outcomes.correct - confidence, bins


def _rankings(
    outcomes: Outcomes, classes: Sequence[int]
) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.uint8]]:
    """For each class: documents by descending score, whether they are of the class, and where ties end."""
    shape = (len(classes), outcomes.n_documents)
    order = np.empty(shape, np.int32)
    positive = np.empty(shape, np.uint8)
    last_of_tie = np.ones(shape, np.uint8)
    for row, k in enumerate(classes):
        scores = _table(outcomes)[:, k]
        order[row] = np.argsort(-scores, kind="stable")
        positive[row] = outcomes.truth[order[row]] == k
        last_of_tie[row, :-1] = np.diff(scores[order[row]]) != 0
    return order, positive, last_of_tie


def _table(outcomes: Outcomes) -> Floats:
    table = outcomes.probabilities if outcomes.probabilities is not None else outcomes.scores
    if table is None:
        raise DataError(
            "This metric needs probabilities or scores, and the model gives neither. Use a model with "
            "predict_proba or decision_function, or a metric of predicted labels such as 'macro_f1'."
        )
    return table


def _probabilities(outcomes: Outcomes, metric: DocumentMetric) -> Floats:
    if outcomes.probabilities is None:
        raise DataError(
            f"{metric.name!r} needs probabilities, and the model gives none. Use a model with "
            "predict_proba, or calibrate this one (assay.evaluation.calibrate)."
        )
    return outcomes.probabilities


def _stacked(systems: Sequence[Outcomes]) -> Outcomes:
    """Both systems' outcomes, one after the other."""
    first, second = systems

    def both(a: Floats | None, b: Floats | None) -> Floats | None:
        return None if a is None or b is None else np.concatenate([a, b])

    return Outcomes(
        first.labels,
        np.concatenate([first.truth, second.truth]),
        np.concatenate([first.predicted, second.predicted]),
        both(first.probabilities, second.probabilities),
        both(first.scores, second.scores),
    )
