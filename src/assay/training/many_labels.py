"""Sets of thousands of labels: a label tree, without a search among recipes; held-out folds for what follows scores.

Tables with a row a text and a column a label would not fit into memory, so everything is worked out on the labels that
the tree's search came to. Most labels have a handful of texts, too few for a calibration or a threshold of their own:
all labels share one of each.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.decisions.calibration_fit import fit_sigmoid
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.protocols.cross_validation_result import CrossValidation
from assay.evaluation.protocols.folds import Fold
from assay.evaluation.uncertainty.metric_value import measure, metric_name
from assay.label_sets import LabelSets
from assay.label_tree import ReachedLabels
from assay.learners.solvers.solution import tree_search
from assay.prediction.calibration import Calibration
from assay.prediction.probability_cap import ProbabilityCap
from assay.prediction.set_decision import SetDecision
from assay.prediction.set_rule import SetRule
from assay.training.fold_matrices import FoldMatrices
from assay.training.parts import fold_numbers, order_with_copies
from assay.training.recipes import Recipe
from assay.training.refit import Member
from assay.training.settings import TrainingSettings
from assay.training.watching import Watcher

__all__ = ["AfterTree", "HeldOutTree", "hold_out_tree"]

Floats = NDArray[np.float64]

FOLDS = 3  # of held-out scores: each costs as much as most of the last training
ENOUGH = 1_000_000  # scores that the calibration is fitted to
GRID = np.geomspace(0.03, 0.95, 60)  # thresholds that are tried
OF_SETS = ("micro_f1", "macro_f1", "samples_f1")


@dataclass(frozen=True, eq=False)
class AfterTree:
    """What follows the scores: one sigmoid, one cap and one threshold for all labels."""

    calibration: Calibration
    cap: ProbabilityCap
    rule: SetRule

    @classmethod
    def fitted(cls, reached: ReachedLabels, truth: LabelSets, labels: tuple[str, ...], metric: str) -> AfterTree:
        """Fitted on held-out scores of the labels that a search came to."""
        right = are_true(reached.sets, truth)
        n = len(labels)
        rows = slice(None, None, -(-len(right) // ENOUGH) or 1)
        slope, intercept = _steep(*fit_sigmoid(reached.values[rows], right[rows])) if right.any() else (1.0, -20.0)
        arrays = {"slopes": np.full(n, slope), "intercepts": np.full(n, intercept)}
        calibration = Calibration(labels, "sigmoid", False, arrays, independent=True)
        probabilities = calibration.of_labels(reached.values, reached.sets.members)
        surest = np.sort(probabilities[right])[::-1]
        count = np.arange(1, surest.size + 1)
        most = float(np.minimum(surest, (count + 1) / (count + 2)).max(initial=0.5))
        cap = ProbabilityCap(labels, np.full(n, most), independent=True)
        threshold = best_threshold(reached.with_values(np.minimum(probabilities, most)), right, truth, metric)
        return cls(calibration, cap, SetRule(labels, "shared", np.array([threshold])))

    @property
    def decision(self) -> SetDecision:
        """All of it."""
        return SetDecision(self.calibration.labels, None, self.calibration, self.rule, self.cap)  # type: ignore[arg-type]


def _steep(slope: float, intercept: float) -> tuple[float, float]:
    """A sigmoid that rises: where scores tell nothing, hardly."""
    return max(slope, 1e-3), intercept


def are_true(said: LabelSets, truth: LabelSets) -> NDArray[np.bool_]:
    """Whether each member of some sets is one of the true ones as well.

    Examples
    --------
    >>> are_true(LabelSets.of_rows([[0, 1], [1]], 2), LabelSets.of_rows([[1], [0]], 2)).tolist()
    [False, True, False]
    """
    n = max(truth.n_classes, 1)
    return np.isin(said.texts * n + said.members, truth.texts * n + truth.members, assume_unique=True)


def best_threshold(
    probabilities: ReachedLabels, right: NDArray[np.bool_], truth: LabelSets, metric: str = "micro_f1"
) -> float:
    """The threshold, of a fixed grid, with the largest micro-, macro- or samples-F1; the lowest of equals.

    Examples
    --------
    >>> reached = ReachedLabels(LabelSets.of_rows([[0, 1], [1]], 2), np.array([0.7, 0.1, 0.2]))
    >>> truth = LabelSets.of_rows([[0], [1]], 2)
    >>> 0.1 < best_threshold(reached, are_true(reached.sets, truth), truth) <= 0.2
    True
    """
    sets, values = probabilities.sets, probabilities.values
    by = {"micro_f1": None, "macro_f1": sets.members, "samples_f1": sets.texts}[metric]
    n = truth.n_classes if metric == "macro_f1" else len(truth)
    counts: dict[str, Any] = {
        "micro_f1": len(truth.members),
        "macro_f1": truth.class_counts,
        "samples_f1": truth.sizes,
    }
    true = counts[metric]
    found = []
    for threshold in GRID:
        given = values >= threshold
        hits, said = (
            np.asarray(np.count_nonzero(marked) if by is None else np.bincount(by[marked], minlength=n))
            for marked in (given & right, given)
        )
        found.append(float(np.mean(2 * hits / np.maximum(true + said, 1))))
    return float(GRID[int(np.argmax(found))])


@dataclass(frozen=True, eq=False)
class HeldOutTree:
    """What held-out folds say of the recipe.

    Attributes
    ----------
    members
        The recipe.
    after
        What follows the scores, by all folds.
    cross_validation
        Of texts as they are answered by what follows from the other folds.
    settings
        With the folds.
    notes
        What should be known, in sentences.
    """

    members: tuple[Member, ...]
    after: AfterTree
    cross_validation: CrossValidation
    settings: TrainingSettings
    notes: tuple[str, ...]


def hold_out_tree(
    train: Any,
    sets: LabelSets,
    labels: tuple[str, ...],
    together: NDArray[np.int64],
    settings: TrainingSettings,
    recipe: Recipe,
    *,
    threads: int,
    watcher: Watcher,
) -> HeldOutTree:
    """Train the recipe on all folds but one, for each; of the held-out scores make all that follows scores."""
    folds = min(settings.folds or 2, FOLDS, np.unique(together).size)
    order = order_with_copies(sets, together, settings.seed)
    fold_of = fold_numbers(sets, together, order, folds)
    watcher.stage("reading the texts")
    matrices = FoldMatrices(train.texts, threads)
    matrices.count(recipe.blocks)
    watcher.stage("cross-validating")
    reached = _held_out(matrices, sets, labels, fold_of, settings.seed, recipe, threads)
    name = metric_name(settings.metric or "micro_f1")
    by = name if name in OF_SETS else OF_SETS[0]
    tested, scores = _tested(reached, sets, labels, fold_of, by, settings.metric or by)
    numbered = tuple(
        Fold(0, int(k), np.flatnonzero(fold_of != k), np.flatnonzero(fold_of == k)) for k in np.unique(fold_of)
    )
    validation = CrossValidation(labels, numbered, {name: scores}, (tested,), (), False, 0.95, settings.seed, train, ())
    after = AfterTree.fitted(reached, sets, labels, by)
    return HeldOutTree((Member(recipe, 1.0),), after, validation, replace(settings, folds=folds), ())


def _held_out(
    matrices: FoldMatrices,
    sets: LabelSets,
    labels: tuple[str, ...],
    fold_of: NDArray[np.int64],
    seed: int,
    recipe: Recipe,
    threads: int,
) -> ReachedLabels:
    """The labels that trees of the other folds come to, in the order of the texts."""
    parts, rows = [], []
    for k in np.unique(fold_of):
        inside, others = np.flatnonzero(fold_of == k), np.flatnonzero(fold_of != k)
        X, tested = matrices.part(recipe.blocks, others, inside)
        found = recipe.learner.fit(X, sets.take(others), labels, seed=seed, threads=threads)
        assert found.tree is not None
        search = tree_search(found.tree, found.weights, found.intercept)
        parts.append(search.reached((tested.indptr, tested.indices, tested.data), threads))
        rows.append(inside)
    return ReachedLabels.joined(parts).take(np.argsort(np.concatenate(rows), kind="stable"))


def _tested(
    reached: ReachedLabels,
    sets: LabelSets,
    labels: tuple[str, ...],
    fold_of: NDArray[np.int64],
    by: str,
    metric: Any,
) -> tuple[SetOutcomes, Floats]:
    """Held-out texts as they are answered, and the metric on each fold; what follows the scores is of other folds."""
    parts: list[SetOutcomes] = []
    rows: list[NDArray[np.int64]] = []
    for k in np.unique(fold_of):
        inside, others = np.flatnonzero(fold_of == k), np.flatnonzero(fold_of != k)
        after = AfterTree.fitted(reached.take(others), sets.take(others), labels, by)
        probabilities = after.decision.of_reached(reached.take(inside))
        said = after.rule.of_reached(probabilities)
        parts.append(SetOutcomes(labels, sets.take(inside), said, reached=probabilities))
        rows.append(inside)
    scores = np.array([measure(metric, part) for part in parts])
    return SetOutcomes.joined(parts, np.argsort(np.concatenate(rows), kind="stable")), scores
