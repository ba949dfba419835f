"""How a search spends its time: on how much of the data recipes are tried, in which round, and how many go on.

The plan follows from the data and the budget by a fixed price list, never from the clock: the same data and settings
make the same plan, and so the same model, on every machine and with any number of threads. Only a budget that was given
by hand also stops a search that the price list took to be quicker than it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from assay.training.recipes import Block, Recipe

__all__ = ["Prices", "Round", "default_budget", "plan_rounds"]

FINALISTS = 10
FEWEST_FINALISTS = 3
FEWEST_FOLDS = 3
CORES = 2  # a plan is made for an ordinary computer, whatever the number of threads
# Nanoseconds to train on one stored value of a matrix: once, and for each output (class).
_PRICE = {
    "svm": (35, 10),
    "logistic": (30, 12),
    "nbsvm": (35, 38),
    "nb": (6, 2),
    "complement-nb": (6, 2),
    "averaged-perceptron": (55, 10),
}
_MATRIX_PRICE = 30  # nanoseconds to weigh a stored value
_FEWEST_TESTED = 1000  # texts that a round should test its recipes on
_SHARES = (0.15, 0.2, 0.4)  # of the budget, for the three rounds; the rest is for reading and for fitting the winner


@dataclass(frozen=True)
class Round:
    """One round of the search.

    Attributes
    ----------
    n_train
        Texts to train on.
    tested
        Folds to test on.
    most
        Recipes that may take part.
    allowed
        Seconds of one core that they may cost together.
    """

    n_train: int
    tested: int
    most: int
    allowed: float


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
    """

    n_texts: int
    n_classes: int
    sizes: Mapping[Block, int]

    def seconds(self, recipes: Sequence[Recipe], n_train: int, tested: int) -> float:
        """Seconds of one core for a round; recipes on the same features share their matrices."""
        outputs = 1 if self.n_classes == 2 else self.n_classes
        values = {recipe.blocks: sum(self.sizes[block] for block in recipe.blocks) for recipe in recipes}
        nanoseconds = sum(_MATRIX_PRICE * size for size in values.values())
        for recipe in recipes:
            once, each = _PRICE[recipe.learner.name]
            nanoseconds += (once + each * outputs) * values[recipe.blocks]
        return nanoseconds * 1e-9 * tested * n_train / self.n_texts

    def affordable(self, recipes: Sequence[Recipe], round_: Round) -> list[Recipe]:
        """The first of the recipes that the round has time for: one at least; a dear one is passed over."""
        kept: list[Recipe] = []
        for recipe in recipes:
            together = self.seconds([*kept, recipe], round_.n_train, round_.tested)
            if len(kept) < round_.most and (not kept or together <= round_.allowed):
                kept.append(recipe)
        return kept


def default_budget(n_bytes: int) -> float:
    """Seconds that a search is planned to take: 40 for up to 12 MB of text, 130 from 22 MB on, 600 for very much.

    Examples
    --------
    >>> default_budget(1_000_000), default_budget(33_000_000)
    (40.0, 130.0)
    """
    megabytes = n_bytes / 1e6
    return min(600.0, 40.0 + 9 * min(max(megabytes - 12, 0.0), 10.0) + 2 * max(megabytes - 40, 0.0))


def plan_rounds(prices: Prices, recipes: Sequence[Recipe], folds: int, budget: float) -> list[Round]:
    """Rounds for these recipes that take about `budget` seconds on two cores: three, or fewer where data is little.

    The last one tests every fold. Where that cannot be afforded it has fewer folds, and then trains on fewer texts.
    """
    first, second, third = (share * budget * CORES for share in _SHARES)
    last = _last_round(prices, recipes, folds, third)
    if len(recipes) <= FINALISTS and prices.seconds(recipes, last.n_train, last.tested) <= third:
        return [last]
    n_full = prices.n_texts * (last.tested - 1) // last.tested
    whole, half = replace(last, n_train=n_full), max(FINALISTS, len(recipes) // 2)
    opening = _largest(prices, recipes, 1.0, replace(whole, most=len(recipes), allowed=first))
    if opening.n_train == n_full and opening.tested == last.tested:
        return [opening, last]
    middle = _largest(prices, recipes, min(1.0, half / len(recipes)), replace(whole, most=half, allowed=second))
    return [opening, replace(middle, allowed=1.5 * second), last]


def _last_round(prices: Prices, recipes: Sequence[Recipe], folds: int, allowed: float) -> Round:
    """A round that a few recipes of the middle price can go through."""
    by_price = sorted(recipes, key=lambda recipe: prices.seconds([recipe], prices.n_texts, 1))
    usual = by_price[len(by_price) // 2]
    few = min(FEWEST_FINALISTS, len(recipes))
    for tested in (folds, min(folds, FEWEST_FOLDS)):
        n_train = prices.n_texts * (tested - 1) // tested
        price = few * prices.seconds([usual], n_train, tested)
        if price <= allowed:
            return Round(n_train, tested, FINALISTS, allowed)
    return Round(max(min(500, n_train), int(n_train * allowed / price)), tested, FINALISTS, allowed)


def _largest(prices: Prices, recipes: Sequence[Recipe], part: float, whole: Round) -> Round:
    """The round that costs what is allowed: enough tests first, then more training texts, then more tests.

    `part` is the share of the recipes that take part, at the mean price.
    """
    per_fold = max(1, prices.n_texts // whole.tested)
    tested = min(whole.tested, -(-_FEWEST_TESTED // per_fold))
    price = prices.seconds(recipes, whole.n_train, 1) * part  # of one fold with all texts
    if price * tested > whole.allowed:
        fewest = min(500, whole.n_train)
        return replace(whole, n_train=max(fewest, int(whole.n_train * whole.allowed / (price * tested))), tested=tested)
    return replace(whole, tested=min(whole.tested, max(tested, int(whole.allowed / price))))
