"""From the finalists of a search to what is trained: one recipe, or several whose scores are added up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.decisions.calibration_fit import fit_temperature
from assay.evaluation.decisions.prior_weights import choose_prior_weights
from assay.evaluation.metrics.catalogue import LabelMetric, parse_metric
from assay.prediction.decision_rule import DecisionRule
from assay.prediction.probabilities import softmax
from assay.prediction.probability_cap import ProbabilityCap
from assay.training.combination import Combination, choose_members, combine, usable_weights
from assay.training.refit import Member
from assay.training.trials import Finalist, Material

__all__ = ["Tested", "Winners", "choose_winners"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Winners:
    """What was chosen of the finalists.

    Attributes
    ----------
    members
        Recipes with their weights.
    finalists
        All of the last round; those that were chosen are marked as surviving.
    tested
        What they gave texts that they had not seen.
    rule
        How labels are decided; None: by the highest score.
    """

    members: tuple[Member, ...]
    finalists: tuple[Finalist, ...]
    tested: Tested
    rule: DecisionRule | None = None


@dataclass(frozen=True, eq=False)
class Tested:
    """What models made of every training text that they had not seen.

    Attributes
    ----------
    probabilities
        (n, n_classes), with weights that were fitted without the fold of a text, and capped.
    cap
        The largest probability that these texts can bear out.
    predicted
        The class that each text was given; where a rule decides, by one that was chosen without its fold.
    scores
        The metric on each fold.
    """

    probabilities: Floats
    cap: ProbabilityCap
    predicted: NDArray[np.int32]
    scores: Floats


def choose_winners(
    material: Material, finalists: Sequence[Finalist], most: int, *, all_of_them: bool = False, rare: bool = False
) -> Winners:
    """Compare the best finalist with the best combination of finalists.

    Parameters
    ----------
    material
        The training texts' classes and folds.
    finalists
        The best first, with scores of all texts.
    most
        Members at most.
    all_of_them
        Add up all finalists: they were chosen before.
    rare
        Decide labels so that rare classes are said, as the metric has it.
    """
    scores = [finalist.held_out for finalist in finalists]
    if all_of_them:
        found = combine(scores, material.classes, range(len(finalists)))
    else:
        found = choose_members(scores, material.classes, most)
    single = combine(scores, material.classes, (0,))
    tested = _tested(material, scores, found, rare)
    # A combination that came down to one member is compared too: the likeliest is not always the best by the metric.
    if found.members != single.members and not all_of_them:
        alone = _tested(material, scores, single, rare)
        if material.yardstick.rank(tested.scores) < material.yardstick.rank(alone.scores):
            found, tested = single, alone
    weights = _calibrated([scores[k] for k in found.members], found.weights, material.classes)
    members = tuple(Member(finalists[k].trial.recipe, weight) for k, weight in zip(found.members, weights, strict=True))
    marked = tuple(
        replace(finalist, trial=replace(finalist.trial, survived=k in found.members))
        for k, finalist in enumerate(finalists)
    )
    rule = _rule(material, tested.probabilities, material.fold_of >= 0) if rare else None
    return Winners(members, marked, tested, rule)


def _tested(material: Material, scores: Sequence[Floats], found: Combination, rare: bool) -> Tested:
    """A combination on held-out texts; the weights and the rule of a fold come from the other folds."""
    held_out = np.empty_like(scores[0])
    folds = [material.fold_of == fold for fold in np.unique(material.fold_of)]
    for inside in folds:
        others = [scores[k][~inside] for k in found.members]
        weights = _calibrated(others, usable_weights(others, material.classes[~inside])[0], material.classes[~inside])
        held_out[inside] = sum(weight * scores[k][inside] for k, weight in zip(found.members, weights, strict=True))
    cap = ProbabilityCap.of_held_out(material.labels, softmax(held_out), material.classes)
    probabilities = cap.apply(softmax(held_out))
    predicted = held_out.argmax(axis=1).astype(np.int32)
    measured = []
    for inside in folds:
        if rare:
            predicted[inside] = _rule(material, probabilities, ~inside).apply(probabilities[inside])
        measured.append(material.yardstick(material.classes[inside], held_out[inside], predicted[inside]))
    return Tested(probabilities, cap, predicted, np.array(measured))


def _rule(material: Material, probabilities: Floats, rows: NDArray[np.bool_]) -> DecisionRule:
    """The decisions that make the metric largest on these rows."""
    metric = parse_metric(material.yardstick.name, material.labels)
    assert isinstance(metric, LabelMetric)
    return choose_prior_weights(probabilities[rows], material.classes[rows], material.labels, metric)


def _calibrated(scores: Sequence[Floats], weights: Sequence[float], classes: NDArray[np.int32]) -> tuple[float, ...]:
    """The weights times the one factor that makes the softmax of the sums no surer than so many texts can show.

    The likeliest weights alone run away where the sums separate the classes. A factor changes no label.
    """
    sums = np.tensordot(np.array(weights), np.stack(scores), 1)
    factor = 1 / fit_temperature(sums, classes)
    return tuple(factor * weight for weight in weights)
