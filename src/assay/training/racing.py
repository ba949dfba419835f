"""Who goes on in a race of recipes: those that lead, and those that the leaders are better with.

Recipes are compared on the same held-out texts, text by text. One is out of the race where it is behind the best by
more standard errors of that paired difference than luck explains, unless adding its scores to those of the leaders
makes the true labels more probable: a recipe that loses alone may still be the best second. One that costs more than
the best must help more, or be nearer to it. Strengths of a learner are told apart on the first way of reading; on
others it is tried with the best of them, and with those that are as good. Prices are of the plan, nothing is timed:
the same data gives the same race on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.metrics.set_catalogue import TextMetric
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.metrics.text_values import text_values
from assay.label_sets import LabelSets
from assay.training.combination import choose_members
from assay.training.prices import Prices
from assay.training.recipes import Recipe
from assay.training.trials import Finalist, Material

__all__ = ["behind_the_best", "going_on", "worth_reading"]

AS_GOOD = 0.5  # standard errors that another C may be behind the best C of the same learner and features to be tried on
BEHIND = 1.5  # standard errors of the paired difference, beyond which a recipe is out that costs no more than the best
WORTHWHILE = 3e-3  # part of the loss by which one must lower it that costs no more than the best
OF_SAMPLE = 1e-2  # the same where all that was learned from is a sample, and going on means reading all texts
DEAREST = 5.0  # times as much is asked of one that costs so many times as much, or more; in between, in proportion
SUMMED = 3  # recipes of different kinds that go on where texts have several labels, to be added up at the end
MOST_VALUES = 150_000  # texts × classes that are enough to see who is better with whom


def going_on(
    material: Material,
    ranked: Sequence[Finalist],
    prices: Prices,
    most: int,
    *,
    strengths: int = 1,
    rare: bool = False,
) -> list[Recipe]:
    """Recipes for the next round, in the order in which they should be taken; there may be more than `most`.

    Parameters
    ----------
    material
        The texts' classes.
    ranked
        What was tried, on the same texts, the best first.
    prices
        Of recipes.
    most
        Recipes that the next round takes.
    strengths
        How many of the best kind may go on, that differ in nothing but C; of each other kind one does.
    rare
        Whether all classes count alike, however rare.
    """
    kinds = _different(ranked, strengths)
    tested = ranked[0].rows
    apart = -(-tested.size * len(material.labels) // MOST_VALUES)
    scores = [finalist.held_out[::apart] for finalist in kinds]
    cost = [prices.seconds([finalist.trial.recipe], prices.n_texts, 1) for finalist in kinds]
    least = WORTHWHILE if material.matrices.has_all else OF_SAMPLE
    if isinstance(material.truth, LabelSets):
        sets = material.sets[tested]
        merits = [_merits(material, sets, finalist.held_out) for finalist in kinds]
        close = [k for k in range(len(kinds)) if behind_the_best(merits[0], merits[k], np.ones(len(sets))) <= BEHIND]
        return [kinds[k].trial.recipe for k in dict.fromkeys((*range(min(SUMMED, len(kinds))), *close))]
    dear = [min(max(1.0, each / cost[0]), DEAREST) for each in cost]
    worth = [least * factor for factor in dear]
    members = choose_members(scores, material.classes[tested[::apart]], most, worthwhile=worth).members
    truth = material.classes[tested]
    weights = _weights(material, truth, rare)
    right = [finalist.held_out.argmax(axis=1) == truth for finalist in kinds]
    best = _kind(kinds[0])
    allowed = [AS_GOOD if k and _kind(finalist) == best else BEHIND for k, finalist in enumerate(kinds)]
    close = [k for k in range(len(kinds)) if behind_the_best(right[0], right[k], weights) <= allowed[k] / dear[k]]
    return [kinds[k].trial.recipe for k in dict.fromkeys((0, *members, *close))]


def worth_reading(
    material: Material, ranked: Sequence[Finalist], recipes: Sequence[Recipe], *, rare: bool = False
) -> list[Recipe]:
    """Of recipes on other features those worth trying, by how their learners did on the first, the best first.

    The strength of a learner depends on the texts more than on how they are read. Of each learner, those are left that
    have its best strength, or one that is as good as that.
    """
    truth = material.truth[ranked[0].rows]
    best: dict[str, Any] = {}
    kept = set()
    for finalist in ranked:
        learner = finalist.trial.recipe.learner
        if isinstance(truth, LabelSets):
            merits, weights = _merits(material, truth, finalist.held_out), np.ones(len(truth))
        else:
            merits, weights = finalist.held_out.argmax(axis=1) == truth, _weights(material, truth, rare)
        if behind_the_best(best.setdefault(learner.name, merits), merits, weights) <= AS_GOOD:
            kept.add(learner)
    tried = {finalist.trial.recipe.learner for finalist in ranked}
    return [recipe for recipe in recipes if recipe.learner in kept or recipe.learner not in tried]


def _weights(material: Material, truth: NDArray[np.int32], rare: bool) -> NDArray[np.float64]:
    """Of texts: all alike, or those of each class together as much as those of another."""
    return 1 / np.bincount(truth, minlength=len(material.labels))[truth] if rare else np.ones(truth.size)


def _merits(material: Material, sets: LabelSets, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """How well each text's set was met: twice the labels that are right over those of both sets."""
    outcomes = SetOutcomes(material.labels, sets, material.yardstick.likely_sets(sets, scores))
    return text_values(outcomes, TextMetric("samples_f1", "f"), 1.0)


def behind_the_best(best: NDArray[Any], other: NDArray[Any], weights: NDArray[np.float64]) -> float:
    """By how many standard errors of their paired difference one recipe is behind another.

    Examples
    --------
    >>> best, other = np.array([True] * 9 + [False]), np.array([True] * 5 + [False] * 4 + [True])
    >>> round(behind_the_best(best, other, np.ones(10)), 2)
    1.34
    """
    difference = weights * (best.astype(np.float64) - other)
    return float(difference.sum() / max(float(np.sqrt(np.square(difference).sum())), 1e-12))


def _kind(finalist: Finalist) -> Any:
    """All that a recipe is but its C."""
    return finalist.trial.recipe.blocks, finalist.trial.recipe.learner.name


def _different(ranked: Sequence[Finalist], strengths: int) -> list[Finalist]:
    """The best of each kind, and `strengths` of the best kind: the same with another C is not worth adding up."""
    taken: dict[Any, int] = {}
    kept = []
    for finalist in ranked:
        kind = _kind(finalist)
        taken[kind] = taken.get(kind, 0) + 1
        if taken[kind] <= (strengths if kind == next(iter(taken)) else 1):
            kept.append(finalist)
    return kept
