"""From the finalists of a search for several labels a text to what is trained: recipes, calibrations, thresholds.

The finalists one by one, and the best of them added up, are compared by the metric as the search compares recipes; what
is best is measured as it will be used: calibrated and with thresholds, both from the other folds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.decisions.calibration_fit import fit_sigmoid
from assay.evaluation.decisions.set_calibration import choose_set_cap, fit_set_calibration
from assay.evaluation.decisions.set_thresholds import choose_set_thresholds
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.uncertainty.metric_value import measure
from assay.label_sets import LabelSets
from assay.prediction.calibration import Calibration
from assay.prediction.probability_cap import ProbabilityCap
from assay.prediction.set_rule import SetRule
from assay.training.refit import Member
from assay.training.trials import Finalist, Material

__all__ = ["SetWinners", "choose_set_winners"]

Floats = NDArray[np.float64]

#: What thresholds are chosen for where the search goes by a metric that no threshold changes.
_OF_THRESHOLDS = "micro_f1"
_ENOUGH = 200_000  # texts × labels that a factor is fitted to


@dataclass(frozen=True, eq=False)
class AfterScores:
    """What follows the scores of a model."""

    calibration: Calibration
    cap: ProbabilityCap
    rule: SetRule

    @classmethod
    def fitted(cls, scores: Floats, sets: LabelSets, labels: tuple[str, ...], metric: str) -> AfterScores:
        """Fitted on held-out scores."""
        calibration = fit_set_calibration(scores, sets, labels)
        probabilities = calibration.apply(scores)
        cap = choose_set_cap(probabilities, sets, labels)
        chosen = choose_set_thresholds(cap.apply(probabilities), sets, labels, metric=metric)
        return cls(calibration, cap, chosen.rule)

    def probabilities(self, scores: Floats) -> Floats:
        """Calibrated and capped."""
        return self.cap.apply(self.calibration.apply(scores))


@dataclass(frozen=True, eq=False)
class SetWinners:
    """What was chosen of the finalists.

    Attributes
    ----------
    members
        Recipes with their weights.
    finalists
        All of the last round; those that were chosen are marked as surviving.
    after
        Calibration, cap and rule, of all held-out scores.
    tested
        What they gave texts that they had not seen, by calibrations and rules from the other folds.
    scores
        The metric on each fold.
    """

    members: tuple[Member, ...]
    finalists: tuple[Finalist, ...]
    after: AfterScores
    tested: SetOutcomes
    scores: Floats


def choose_set_winners(material: Material, finalists: Sequence[Finalist], most: int) -> SetWinners:
    """Compare the finalists, and the best two, three … of them added up, `most` at most.

    Parameters
    ----------
    material
        The training texts' sets of labels, and folds.
    finalists
        With scores of all texts.
    most
        Members at most.
    """
    factors = [_steepness(material, finalist.held_out) for finalist in finalists]
    scaled = [factor * finalist.held_out for factor, finalist in zip(factors, finalists, strict=True)]

    ranks: dict[tuple[int, ...], float] = {(k,): _rank(material, scaled[k]) for k in range(len(finalists))}
    order = sorted(range(len(finalists)), key=lambda k: -ranks[(k,)])
    for size in range(2, min(most, len(order)) + 1):
        ranks[tuple(order[:size])] = _rank(material, _added_up(scaled, order[:size]))
    chosen = max(ranks, key=lambda each: (ranks[each], -len(each)))
    members = tuple(Member(finalists[k].trial.recipe, factors[k]) for k in chosen)
    marked = tuple(
        replace(finalist, trial=replace(finalist.trial, survived=k in chosen)) for k, finalist in enumerate(finalists)
    )
    scores = _added_up(scaled, chosen)
    after = AfterScores.fitted(scores, material.sets, material.labels, _metric(material))
    return SetWinners(members, marked, after, *_tested(material, scores))


def _rank(material: Material, scores: Floats) -> float:
    """By the metric on each fold, as recipes are compared."""
    inside = [np.flatnonzero(material.fold_of == fold) for fold in np.unique(material.fold_of)]
    return material.yardstick.rank(np.array([material.yardstick(material.sets[rows], scores[rows]) for rows in inside]))


def _tested(material: Material, scores: Floats) -> tuple[SetOutcomes, Floats]:
    """Held-out texts as they are answered, and the metric on each fold; what follows its scores is from the others."""
    sets, metric = material.sets, _metric(material)
    probabilities, given = np.empty_like(scores), np.zeros(scores.shape, bool)
    folds = [material.fold_of == fold for fold in np.unique(material.fold_of)]
    for inside in folds:
        after = AfterScores.fitted(scores[~inside], sets[~inside], material.labels, metric)
        probabilities[inside] = after.probabilities(scores[inside])
        given[inside] = after.rule.apply(probabilities[inside]).table()
    tested = SetOutcomes(material.labels, sets, LabelSets.of_table(given), probabilities)
    measured = [measure(material.yardstick.metric, tested.among(np.flatnonzero(inside))) for inside in folds]
    return tested, np.array(measured)


def _added_up(scaled: Sequence[Floats], chosen: Sequence[int]) -> Floats:
    total: Floats = np.sum([scaled[k] for k in chosen], axis=0)
    return total


def _steepness(material: Material, scores: Floats) -> float:
    """The factor that makes scores logarithms of odds, of all labels together: so those of different recipes add up."""
    rows = np.arange(0, len(scores), -(-scores.size // _ENOUGH))
    slope, _ = fit_sigmoid(scores[rows].ravel(), material.sets[rows].table().ravel())
    return slope if slope > 0 else 1.0


def _metric(material: Material) -> str:
    """What thresholds are to make largest."""
    name = material.yardstick.name
    return name if name.endswith("_f1") else _OF_THRESHOLDS
