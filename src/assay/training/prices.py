"""What it costs to train and test recipes, by counted work: passes of a solver over the stored values, not seconds.

A recipe has so many passes that its learner usually takes with its C, until its folds have been through some: then
those count. A solver that is not done after four times the usual passes is stopped. Passes are counted by the values
that are read, so that nothing here depends on the machine, its load or the number of threads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from assay.training.recipes import Block, Recipe

if TYPE_CHECKING:
    from assay.training.plan import Round

__all__ = ["Prices", "most_passes"]

OVERRUN = 4  # times the usual passes, after which a solver is stopped
_MATRIX_PRICE = 30  # nanoseconds to weigh a stored value


@dataclass(frozen=True)
class _Price:
    """Of a learner, in nanoseconds: values × once + passes × (values × (each + lane × outputs) + rows × outputs × row).

    Fitted to the processor seconds of 189 fits (trec6, r8, banking77, davidson_hate, mr, sms_spam, 20ng: 2 to 77
    classes, three ways of reading, C from 0.3 to 30), on a busy machine. With the usual passes 92 % are within a factor
    of two, the worst at 0.32 and 4.4 of what was measured; with those that were counted 96 %, at 0.57 and 2.5.
    """

    once: float
    each: float = 0.0
    lane: float = 0.0
    row: float = 0.0
    passes: float = 1.0
    at: float = 1.0  # the C that takes so many
    power: float = 0.0

    def usual_passes(self, strength: float) -> float:
        return float(self.passes * (strength / self.at) ** self.power)

    def nanoseconds(self, values: float, rows: float, outputs: int, passes: float) -> float:
        a_pass = values * (self.each + self.lane * outputs) + rows * outputs * self.row
        return values * self.once + passes * a_pass


_PRICES = {
    "svm": _Price(10, 0.6, 0.33, 37, passes=5, power=0.37),
    "logistic": _Price(10, 2, 0.22, 72, passes=3, at=3.0, power=0.48),
    "nbsvm": _Price(9, 1.6, 0.9, 57, passes=5.5, power=0.4),
    "nb": _Price(12, 0, 0.3),
    "complement-nb": _Price(12, 0, 0.3),
    "averaged-perceptron": _Price(0, 60, 6),
}


def most_passes(learner: str, strength: float) -> int:
    """Passes over the values that a learner of a search may take for a class, before it is stopped.

    Examples
    --------
    >>> most_passes("svm", 1.0), most_passes("logistic", 30.0)
    (20, 36)
    """
    return max(1, round(OVERRUN * _PRICES[learner].usual_passes(strength)))


@dataclass(frozen=True)
class Prices:
    """What it costs to train and test recipes.

    Attributes
    ----------
    n_texts
        All training texts.
    n_classes
        Classes.
    sizes
        Stored counts of all texts, for each block of features.
    passes
        Of recipes that have been tried, what their solvers took.
    """

    n_texts: int
    n_classes: int
    sizes: Mapping[Block, int]
    passes: Mapping[Recipe, float] = field(default_factory=dict)

    def learned(self, passes: Mapping[Recipe, float]) -> Prices:
        """With the passes that recipes were seen to take; of a learner that has none, what is usual goes on to hold."""
        seen = {recipe: counted for recipe, counted in passes.items() if counted > 0}
        return replace(self, passes={**self.passes, **seen})

    def seconds(self, recipes: Sequence[Recipe], n_train: int, tested: int) -> float:
        """Seconds of one core for a round; recipes on the same features share their matrices."""
        outputs = 1 if self.n_classes == 2 else self.n_classes
        values = {recipe.blocks: sum(self.sizes[block] for block in recipe.blocks) for recipe in recipes}
        nanoseconds = float(sum(_MATRIX_PRICE * size for size in values.values()))
        for recipe in recipes:
            price = _PRICES[recipe.learner.name]
            passes = self.passes.get(recipe) or price.usual_passes(recipe.learner.C)
            nanoseconds += price.nanoseconds(values[recipe.blocks], self.n_texts, outputs, passes)
        return nanoseconds * 1e-9 * tested * n_train / self.n_texts

    def affordable(self, recipes: Sequence[Recipe], round_: Round) -> list[Recipe]:
        """The first of the recipes that the round has time for: one at least; a dear one is passed over."""
        kept: list[Recipe] = []
        for recipe in recipes:
            together = self.seconds([*kept, recipe], round_.n_train, round_.tested)
            if len(kept) < round_.most and (not kept or together <= round_.allowed):
                kept.append(recipe)
        return kept
