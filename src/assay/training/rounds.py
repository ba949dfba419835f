"""The rounds of a search: from many recipes on few texts to few recipes on all of them.

After each round those go on that may still win, or be part of what wins. The last round tests its recipes on every
training text by models that have not seen it, which is what the combination and the calibration are made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assay.training.parts import Part, make_parts
from assay.training.plan import Round
from assay.training.prices import Prices
from assay.training.racing import going_on, worth_reading
from assay.training.rare_classes import balanced_recipes
from assay.training.recipes import Recipe
from assay.training.trials import Finalist, Material, Trial, try_recipes

__all__ = ["run_rounds"]


def run_rounds(
    material: Material, recipes: Sequence[Recipe], rounds: Sequence[Round], prices: Prices, *, rare: bool
) -> tuple[list[Trial], list[Finalist]]:
    """Every trial, round by round, and the recipes of the last round, the best first.

    Parameters
    ----------
    material
        What is shared; after the first round, texts are read for what is left.
    recipes, rounds, prices
        What is tried, and the plan; the prices are corrected by the passes that each round counts.
    rare
        Whether the best are tried with class weights too, once they have as many texts as the winner will have.
    """
    trials: list[Trial] = []
    left = list(recipes)
    weighted = len(rounds) - 1 if len(rounds) > 2 else len(rounds)  # the round that tries class weights
    for number, round_ in enumerate(rounds, 1):
        material.read_for(left, round_.n_texts)
        parts = make_parts(material.order[: round_.n_texts], material.fold_of, round_.n_train, round_.tested)
        if number == 1 < len(rounds):
            found = _opened(material, left, parts, len(rounds), rare=rare)
        else:
            found = material.best_first(try_recipes(material, left, parts, number, len(rounds)))
        if rare and number == weighted and not material.out_of_time:
            balanced = balanced_recipes([finalist.trial.recipe for finalist in found])
            found = material.best_first([*found, *try_recipes(material, balanced, parts, number, len(rounds))])
        if number < len(rounds):
            following = rounds[number]
            prices = prices.learned({finalist.trial.recipe: finalist.trial.passes for finalist in found})
            strengths = 1 if following.tested == rounds[-1].tested else 2
            recipes = going_on(material, found, prices, following.most, strengths=strengths, rare=rare)
            left = prices.affordable(recipes, following)
        trials += [replace(finalist.trial, survived=finalist.trial.recipe in left) for finalist in found]
    return trials, found


def _opened(
    material: Material, recipes: Sequence[Recipe], parts: Sequence[Part], of: int, *, rare: bool
) -> list[Finalist]:
    """The opening: every recipe on the first features, and on others those with strengths that did well there."""
    first = [recipe for recipe in recipes if recipe.blocks == recipes[0].blocks]
    others = [recipe for recipe in recipes if recipe.blocks != recipes[0].blocks]
    found = material.best_first(try_recipes(material, first, parts, 1, of))
    if found and others:
        others = worth_reading(material, found, others, rare=rare)
        found = material.best_first([*found, *try_recipes(material, others, parts, 1, of)])
    return found
