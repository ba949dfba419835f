"""From the finalists of a search to what is trained: one recipe, or several whose scores are added up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.decisions.calibration_fit import fit_temperature
from assay.training.combination import Combination, choose_members, combine, fit_weights
from assay.training.halving import Finalist, Material
from assay.training.refit import Member

__all__ = ["Winners", "choose_winners"]

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
    held_out
        Scores of every training text by models that had not seen it, with weights that were fitted without its fold;
        their softmax gives the probabilities.
    scores
        The metric on each fold.
    """

    members: tuple[Member, ...]
    finalists: tuple[Finalist, ...]
    held_out: Floats
    scores: Floats


def choose_winners(
    material: Material, finalists: Sequence[Finalist], most: int, *, all_of_them: bool = False
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
    """
    scores = [finalist.held_out for finalist in finalists]
    if all_of_them:
        found = combine(scores, material.classes, range(len(finalists)))
    else:
        found = choose_members(scores, material.classes, most)
    single = combine(scores, material.classes, (0,))
    tested = _tested(material, scores, found)
    if len(found.members) > 1 and not all_of_them:
        alone = _tested(material, scores, single)
        if material.yardstick.rank(tested[1]) < material.yardstick.rank(alone[1]):
            found, tested = single, alone
    weights = _calibrated([scores[k] for k in found.members], found.weights, material.classes)
    members = tuple(Member(finalists[k].trial.recipe, weight) for k, weight in zip(found.members, weights, strict=True))
    marked = tuple(
        replace(finalist, trial=replace(finalist.trial, survived=k in found.members))
        for k, finalist in enumerate(finalists)
    )
    return Winners(members, marked, *tested)


def _tested(material: Material, scores: Sequence[Floats], found: Combination) -> tuple[Floats, Floats]:
    """Sums of scores, with weights for each fold from the other folds, and the metric on each fold."""
    held_out = np.empty_like(scores[0])
    measured = []
    for fold in np.unique(material.fold_of):
        inside = material.fold_of == fold
        others = [scores[k][~inside] for k in found.members]
        weights = _calibrated(others, fit_weights(others, material.classes[~inside])[0], material.classes[~inside])
        held_out[inside] = sum(weight * scores[k][inside] for k, weight in zip(found.members, weights, strict=True))
        measured.append(material.yardstick(material.classes[inside], held_out[inside]))
    return held_out, np.array(measured)


def _calibrated(scores: Sequence[Floats], weights: Sequence[float], classes: NDArray[np.int32]) -> tuple[float, ...]:
    """The weights times the one factor that makes the softmax of the sums no surer than so many texts can show.

    The likeliest weights alone run away where the sums separate the classes. A factor changes no label.
    """
    sums = np.tensordot(np.array(weights), np.stack(scores), 1)
    factor = 1 / fit_temperature(sums, classes)
    return tuple(factor * weight for weight in weights)
