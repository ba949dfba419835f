"""Perceptrons onward: the passes go on over the new texts, from the weights that the old ones led to.

The averaged perceptron passes over the new texts as often as it did over the old ones, so that each text counts alike
in the mean; the mean moves as far as the share of the new texts goes. The plain one passes once: more would follow the
new texts alone, and forget the old ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.learners import Perceptron
from assay.learners.solvers.averaged_perceptron import AveragedPerceptronSettings, AveragedWeights, run_epochs
from assay.learners.solvers.examples import Examples
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.learned_state import PassedRows
from assay.modelfile.kept_state import KeptState
from assay.updating.onward.growing import Grown
from assay.updating.onward.told import Told, cannot_go_onward

__all__ = ["outputs_of_all", "pass_on", "pass_on_averaged"]

Floats = NDArray[np.float64]


def pass_on_averaged(
    told: Told,
    kept: KeptState,
    grown: Grown,
    rows: LabelledRows,
    old: Sequence[str],
) -> tuple[Floats, Floats, KeptState]:
    """Weights and biases, and the state to go on from."""
    assert isinstance(kept.state, PassedRows)
    assert isinstance(told.learner, AveragedPerceptronSettings)
    labels, settings, before = list(rows.labels), told.learner, kept.state.weights
    factor = kept.factor / 2 if len(old) == 2 < len(labels) and kept.factor != 1.0 else kept.factor
    last = outputs_of_all(grown.table(before.last), before.last_intercept, old, labels)
    sums = outputs_of_all(grown.table(before.sums), before.intercept_sums, old, labels)
    weights = AveragedWeights(*last, *sums, before.clock)
    passes = kept.state.passes
    if passes > settings.epochs:
        raise cannot_go_onward(f"it says that it passed {passes:,} times, and its settings allow {settings.epochs:,}")
    if rows.X.shape[0]:
        examples = Examples.prepare(rows, shuffle=settings.shuffle)
        run_epochs(lambda some, order: weights.learn(some, order, settings), examples, told.seed, passes)
    mean = weights.mean()
    return mean.weights * factor, mean.intercept * factor, KeptState(PassedRows(weights, passes), factor)


def pass_on(told: Told, weights: Floats, bias: Floats, rows: LabelledRows) -> tuple[Floats, Floats]:
    """The same of the plain perceptron, whose weights are all that it goes on from."""
    learner: Perceptron = told.learner
    if not rows.X.shape[0]:
        return weights, bias
    weights, bias = np.array(weights, dtype=np.float64, order="C"), np.array(bias)

    def learn(examples: Examples, order: NDArray[np.int64]) -> int:
        how = learner.eta0, learner.fit_intercept, weights, bias, examples.label_offsets
        mistakes: int = _native.perceptron_epoch(*examples.arrays, order, *how)
        return mistakes

    run_epochs(learn, Examples.prepare(rows, shuffle=learner.shuffle), told.seed, 1)
    return weights, bias


def outputs_of_all(table: Floats, biases: Floats, old: Sequence[str], labels: Sequence[str]) -> tuple[Floats, Floats]:
    """Outputs for more labels: zeros for new ones; of two labels, whose output is one, -w and w."""
    if len(labels) == len(old):
        return np.ascontiguousarray(table, dtype=np.float64), np.array(biases, dtype=np.float64)
    if len(old) == 2:
        table, biases = np.hstack([-table, table]), np.concatenate([-biases, biases])
    place = [labels.index(label) for label in old]
    wider, of_all = np.zeros((len(table), len(labels))), np.zeros(len(labels))
    wider[:, place], of_all[place] = table, biases
    return wider, of_all
