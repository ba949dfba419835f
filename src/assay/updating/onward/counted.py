"""Naive Bayes onward: counts are added to counts, and the weights are those of a training on all texts.

Where the new texts bring no new words, the model is the one that training again with the old vocabulary makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.learners.solvers.class_counts import ClassCounts
from assay.learners.solvers.learned_state import CountedRows
from assay.learners.solvers.naive_bayes import NaiveBayesSettings, log_prior, weigh_counts
from assay.learners.solvers.solution import one_output
from assay.modelfile.kept_state import KeptState
from assay.prediction.linear_model import LinearTextModel
from assay.updating.onward.growing import Grown
from assay.updating.onward.told import Told, cannot_go_onward

__all__ = ["count_on"]

Floats = NDArray[np.float64]

_SAME = 0.02  # part of the largest weight: less is rounding, also of a file in half precision


@dataclass(frozen=True, eq=False)
class _Weighing:
    """How counts become weights."""

    settings: NaiveBayesSettings
    factor: float
    learned_prior: bool
    threads: int

    def weights(self, state: CountedRows, n_features: int, factors: Floats) -> tuple[Floats, Floats]:
        found = weigh_counts(state.counts, state.class_sizes, n_features, self.settings, self.threads)
        biases, n_classes = found.biases, len(state.class_sizes)
        if self.settings.events != "complement":  # which leaves the prior out of the decision
            equal = np.full(n_classes, -np.log(n_classes))
            biases = biases + (log_prior(state.class_sizes * factors) if self.learned_prior else equal)
        weights = np.ascontiguousarray(found.table(self.threads).T)
        if n_classes == 2:
            weights, biases = one_output(weights, biases)
        return weights * self.factor, biases * self.factor


def count_on(
    told: Told,
    kept: KeptState,
    model: LinearTextModel,
    grown: Grown,
    X: Any,
    classes: NDArray[np.int32],
    labels: Sequence[str],
    threads: int,
) -> tuple[Floats, Floats, KeptState]:
    """Weights and biases, and the counts to go on from."""
    assert isinstance(kept.state, CountedRows)
    factor, none = kept.factor, np.zeros(len(labels), np.int64)
    if len(model.labels) == 2 < len(labels) and model.link != "posterior":
        factor /= 2  # of the scores -s and s, whose difference the factor of two classes is for
    weighing = _Weighing(told.learner, kept.factor, told.learned_prior, threads)
    old_factors = told.factors(model.labels, none[: len(model.labels)])
    _require_same(model, *weighing.weights(kept.state, model.n_features, old_factors))
    place = np.array([labels.index(label) for label in model.labels])
    sizes = np.zeros(len(labels))
    sizes[place] = kept.state.class_sizes
    counts = _moved(kept.state.counts, grown.places, place, len(labels))
    counts = counts.plus(X, classes, np.ones(len(classes)), threads)
    more = np.bincount(classes, minlength=len(labels))
    state = CountedRows(counts, sizes + more)
    weighing = _Weighing(told.learner, factor, told.learned_prior, threads)
    weights, biases = weighing.weights(state, grown.n_columns, told.factors(labels, more))
    return weights, biases, KeptState(state, factor)


def _moved(counts: ClassCounts, places: NDArray[np.int64], classes: NDArray[np.int64], n_classes: int) -> ClassCounts:
    """The same counts of columns and classes with other numbers, both in the same order as before."""
    lengths = np.zeros(n_classes, np.int64)
    lengths[classes] = np.diff(counts.begin)
    begin = np.concatenate([[0], np.cumsum(lengths)])
    order = np.argsort(classes, kind="stable")
    rows = np.concatenate([np.arange(counts.begin[k], counts.begin[k + 1]) for k in order])
    return ClassCounts(begin, places[counts.features[rows]].astype(np.int32), counts.counts[rows])


def _require_same(model: LinearTextModel, weights: Floats, biases: Floats) -> None:
    """Complain about counts from which other weights than those of the model follow."""
    own = model.weights if isinstance(model.weights, np.ndarray) else model.weights.to_table()
    for given, wanted in ((own, weights), (model.bias, biases)):
        same = given.shape == wanted.shape and bool(np.isfinite(wanted).all())
        if not same or np.abs(given - wanted).max(initial=0) > _SAME * np.abs(wanted).max(initial=1):
            raise cannot_go_onward("the counts that it keeps are not those that its weights were made of")
