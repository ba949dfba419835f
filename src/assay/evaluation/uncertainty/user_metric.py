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
from assay.evaluation.uncertainty.resampling import JACKKNIFE_BLOCKS, Floats, Resampling, strata_of

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
        systems: Sequence[Outcomes],
        metric: Callable[[Any, Any], float],
        plan: Resampling,
        uses: str = "labels",
    ) -> None:
        self.plan = plan
        self.shape = (len(systems), 1)
        self._metric = metric
        names = np.array(systems[0].labels)
        self._truth = names[systems[0].truth]
        self._classes = systems[0].truth
        self._said = [self._answers(system, names, uses) for system in systems]

    @cached_property
    def observed(self) -> Floats:
        """The metric as it is, shape (n_systems, 1)."""
        return self._measure(np.arange(self._truth.size), self._said)

    def bootstrap(self) -> Floats:
        """The metric of each resample, shape (n_resamples, n_systems, 1)."""
        strata = self._classes if self.plan.stratified else np.zeros_like(self._classes)
        members, bounds = strata_of(strata)
        weights = np.empty(self._truth.size, np.int32)
        values = np.empty((self.plan.n_resamples, *self.shape))
        for r in range(self.plan.n_resamples):
            _native.draw_documents(members, bounds, self.plan.seed, r, weights)
            values[r] = self._measure(np.repeat(np.arange(weights.size), weights), self._said)
        return values

    def randomize(self) -> Floats:
        """The metric of each random exchange of the two systems, shape (n_resamples, 2, 1)."""
        random = np.random.Generator(np.random.Philox(self.plan.seed))
        first, second = self._said
        rows = np.arange(self._truth.size)
        values = np.empty((self.plan.n_resamples, *self.shape))
        for r in range(self.plan.n_resamples):
            kept = (random.random(rows.size) < 0.5).reshape((-1,) + (1,) * (first.ndim - 1))
            values[r] = self._measure(rows, [np.where(kept, first, second), np.where(kept, second, first)])
        return values

    def left_out(self) -> tuple[Floats, Floats]:
        """The metric with each block of documents left out, and weights that are all equal."""
        blocks = min(self._truth.size, JACKKNIFE_BLOCKS)
        rows = np.arange(self._truth.size)
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
    def _answers(system: Outcomes, names: NDArray[Any], uses: str) -> NDArray[Any]:
        if uses == "labels":
            return names[system.predicted]
        if uses != "probabilities":
            raise ParameterError(f"metric_uses must be 'labels' or 'probabilities'. Got {uses!r} instead.")
        if system.probabilities is None:
            raise ParameterError("metric_uses='probabilities', but the model gives none. Use metric_uses='labels'.")
        return system.probabilities


def _name(metric: Callable[[Any, Any], float]) -> str:
    return getattr(metric, "__name__", type(metric).__name__)
