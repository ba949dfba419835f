"""How a search spends its time: which recipes are tried, on how much of the data, in which round.

The plan follows from the data and the budget by a fixed price list, never from the clock: the same data and settings
make the same plan, and so the same model, on every machine and with any number of threads. Only a budget that was given
by hand also stops a search that the price list took to be quicker than it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from assay.training.recipes import FeatureBlock, Recipe

__all__ = ["Prices", "Round", "default_budget", "plan_rounds"]

FINALISTS = (10, 6, 4)  # recipes in the last round, as many as can be afforded
FEWEST_FOLDS = 3
CORES = 2  # a plan is made for an ordinary computer, whatever the number of threads
# Nanoseconds for each stored value of a training matrix, times the number of outputs; and for each value alone.
_PRICE = {"svm": 45, "logistic": 80, "nbsvm": 90, "nb": 4, "complement-nb": 4, "averaged-perceptron": 60}
_MATRIX_PRICE = 40
_FEWEST_TESTED = 1000  # texts that a round should test its recipes on
_SHARES = (0.2, 0.25, 0.45)  # of the budget, for the three rounds; the rest is for reading and fitting the winner


@dataclass(frozen=True)
class Round:
    """One round of the search.

    Attributes
    ----------
    n_train
        Texts to train on.
    tested
        Folds to test on.
    keep
        Recipes that go on; in the last round, those that there may be.
    """

    n_train: int
    tested: int
    keep: int


@dataclass(frozen=True)
class Prices:
    """What it costs to train on a text.

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
    sizes: Mapping[FeatureBlock, int]

    def seconds(self, recipes: Sequence[Recipe], n_train: int, tested: int) -> float:
        """Seconds of one core for a round."""
        outputs = 1 if self.n_classes == 2 else self.n_classes
        values = {recipe.blocks: sum(self.sizes[block] for block in recipe.blocks) for recipe in recipes}
        nanoseconds = sum(_MATRIX_PRICE * size for size in values.values())
        nanoseconds += sum(_PRICE[recipe.learner.name] * outputs * values[recipe.blocks] for recipe in recipes)
        return nanoseconds * 1e-9 * tested * n_train / self.n_texts


def default_budget(n_bytes: int) -> float:
    """Seconds that a search is planned to take: 50 for up to 12 MB of text, 150 for 33 MB, 600 at most.

    Examples
    --------
    >>> default_budget(1_000_000), round(default_budget(33_000_000))
    (50.0, 150)
    """
    beyond = max(0.0, n_bytes / 1e6 - 12)
    return min(600.0, 50.0 + beyond * 100 / 21)


def plan_rounds(prices: Prices, recipes: Sequence[Recipe], folds: int, budget: float) -> list[Round]:
    """Rounds for these recipes that take about `budget` seconds on two cores: three, or two where data is little.

    The last one tests every fold. Where not all can be afforded, fewer recipes reach it; then it has fewer folds; then
    it trains on fewer texts.
    """
    first, second, third = (share * budget * CORES for share in _SHARES)
    last = _last_round(prices, recipes, folds, third)
    if len(recipes) <= last.keep:
        return [last]
    n_full = prices.n_texts * (last.tested - 1) // last.tested
    whole, half = Round(n_full, last.tested, last.keep), max(last.keep, len(recipes) // 2)
    opening = _largest(prices, recipes, 1.0, whole, first, keep=half)
    if opening.n_train == n_full and opening.tested == last.tested:
        return [replace(opening, keep=last.keep), last]
    return [opening, _largest(prices, recipes, half / len(recipes), whole, second, keep=last.keep), last]


def _last_round(prices: Prices, recipes: Sequence[Recipe], folds: int, allowed: float) -> Round:
    fewer_folds = min(folds, FEWEST_FOLDS)
    for finalists, tested in (*((n, folds) for n in FINALISTS), (FINALISTS[-1], fewer_folds)):
        n_train = prices.n_texts * (tested - 1) // tested
        price = prices.seconds(recipes, n_train, tested) * min(1.0, finalists / len(recipes))
        if price <= allowed:
            return Round(n_train, tested, finalists)
    return Round(max(min(500, n_train), int(n_train * allowed / price)), tested, finalists)


def _largest(
    prices: Prices, recipes: Sequence[Recipe], part: float, whole: Round, allowed: float, *, keep: int
) -> Round:
    """The round that costs what is allowed: enough tests first, then more training texts, then more tests.

    `part` is the share of the recipes that take part, at the mean price.
    """
    per_fold = max(1, prices.n_texts // whole.tested)
    tested = min(whole.tested, -(-_FEWEST_TESTED // per_fold))
    price = prices.seconds(recipes, whole.n_train, 1) * part  # of one fold with all texts
    if price * tested > allowed:
        fewest = min(500, whole.n_train)
        return Round(max(fewest, int(whole.n_train * allowed / (price * tested))), tested, keep)
    return Round(whole.n_train, min(whole.tested, max(tested, int(allowed / price))), keep)
