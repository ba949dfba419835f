"""A metric that the user passes as a function, resampled document by document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.errors import ParameterError
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.uncertainty.resampling import JACKKNIFE_BLOCKS, Floats, Resampling, strata_of
from assay.label_sets import LabelSets

__all__ = ["FunctionSampler"]


class FunctionSampler:
    """What `Cells` does, for ``metric(y_true, y_pred)`` of any kind; slower, since every resample calls it.

    Parameters
    ----------
    metric
        Takes labels (or, with ``uses="probabilities"``, labels and a table of probabilities) and gives a
        number.
    """

    def __init__(
        self,
        systems: Sequence[Outcomes | SetOutcomes],
        metric: Callable[[Any, Any], float],
        plan: Resampling,
        uses: str = "labels",
    ) -> None:
        self.plan = plan
        self.shape = (len(systems), 1)
        self._metric = metric
        names = np.array(systems[0].labels)
        self._n_documents = systems[0].n_documents
        self._truth = _as_given(systems[0].truth, names)
        truth = systems[0].truth
        self._classes = np.zeros(len(truth), np.int32) if isinstance(truth, LabelSets) else truth
        self._said = [self._answers(system, names, uses) for system in systems]

    @cached_property
    def observed(self) -> Floats:
        """The metric as it is, shape (n_systems, 1)."""
        return self._measure(np.arange(self._n_documents), self._said)

    def bootstrap(self) -> Floats:
        """The metric of each resample, shape (n_resamples, n_systems, 1)."""
        strata = self._classes if self.plan.stratified else np.zeros_like(self._classes)
        members, bounds = strata_of(strata)
        weights = np.empty(self._n_documents, np.int32)
        values = np.empty((self.plan.n_resamples, *self.shape))
        for r in range(self.plan.n_resamples):
            _native.draw_documents(members, bounds, self.plan.seed, r, weights)
            values[r] = self._measure(np.repeat(np.arange(weights.size), weights), self._said)
        return values

    def randomize(self) -> Floats:
        """The metric of each random exchange of the two systems, shape (n_resamples, 2, 1)."""
        random = np.random.Generator(np.random.Philox(self.plan.seed))
        first, second = self._said
        rows = np.arange(self._n_documents)
        values = np.empty((self.plan.n_resamples, *self.shape))
        for r in range(self.plan.n_resamples):
            kept = (random.random(rows.size) < 0.5).reshape((-1,) + (1,) * (first.ndim - 1))
            values[r] = self._measure(rows, [np.where(kept, first, second), np.where(kept, second, first)])
        return values

    def left_out(self) -> tuple[Floats, Floats]:
        """The metric with each block of documents left out, and weights that are all equal."""
        blocks = min(self._n_documents, JACKKNIFE_BLOCKS)
        rows = np.arange(self._n_documents)
        return np.array([self._measure(rows[rows % blocks != b], self._said) for b in range(blocks)]), np.ones(blocks)

    def _measure(self, rows: NDArray[np.int64], said: Sequence[NDArray[Any]]) -> Floats:
        values = np.empty(self.shape)
        for s, answers in enumerate(said):
            value = self._metric(self._truth[rows], answers[rows])
            if not np.isscalar(value) and np.ndim(value) != 0:
                raise ParameterError(
                    f"A metric must give one number. {_name(self._metric)} gave {type(value).__name__} of "
                    f"shape {np.shape(value)}."
                )
            values[s, 0] = float(value)
        return values

    @staticmethod
    def _answers(system: Outcomes | SetOutcomes, names: NDArray[Any], uses: str) -> NDArray[Any]:
        if uses == "labels":
            return _as_given(system.predicted, names)
        if uses != "probabilities":
            raise ParameterError(f"metric_uses must be 'labels' or 'probabilities'. Got {uses!r} instead.")
        if system.probabilities is None:
            raise ParameterError("metric_uses='probabilities', but the model gives none. Use metric_uses='labels'.")
        return system.probabilities


def _as_given(classes: NDArray[np.int32] | LabelSets, names: NDArray[Any]) -> NDArray[Any]:
    """Labels; or, of label sets, a table of 0 and 1 with a column a label."""
    return classes.table().astype(np.int64) if isinstance(classes, LabelSets) else names[classes]


def _name(metric: Callable[[Any, Any], float]) -> str:
    return getattr(metric, "__name__", type(metric).__name__)
