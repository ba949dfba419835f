"""How a search spends its time: on how much of the data recipes are tried, in which round, and how many go on.

The *opening* tries every recipe on a sample, for which alone texts are read. The *race* tries the best of each kind on
as many texts as the winner will have, on as few folds as tell them apart; the last round finishes the folds of those
that lead, or that the leaders are better with (`assay.training.racing`).

The plan follows from the data and the budget by a fixed price list, never from the clock: the same data and settings
make the same plan, and so the same model, on every machine and with any number of threads. Only a budget that was given
by hand also stops a search that the price list took to be quicker than it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assay.training.prices import Prices
from assay.training.recipes import Recipe

__all__ = ["Round", "default_budget", "plan_rounds", "texts_of_opening"]

FINALISTS = 10  # where all has been tried on all folds already
RACERS = 7
LEADERS = 4  # that go through all folds
FEWEST_FINALISTS = 3
FEWEST_FOLDS = 3
CORES = 2  # a plan is made for an ordinary computer, whatever the number of threads
_FEWEST_TESTED = 1000  # texts that a round should test its recipes on
_SHARES = (0.15, 0.2, 0.4)  # of the budget, for the three rounds; the rest is for reading and for fitting the winner
_OPENING_BYTES, _OPENING_TEXTS = 6e6, 3000  # to read for the opening: so much, but at least so many texts
_NEARLY_ALL = 0.7  # of the race's training texts: an opening that can afford so many takes all, and the race is done
_MOST_OF_ALL = 0.6  # beyond this part of all texts, all are read at once


@dataclass(frozen=True)
class Round:
    """One round of the search.

    Attributes
    ----------
    n_texts
        Texts that it knows, in the order of the search.
    n_train
        Of these, texts to train on in each fold.
    tested
        Folds to test on.
    most
        Recipes that may take part.
    allowed
        Seconds of one core that they may cost together.
    """

    n_texts: int
    n_train: int
    tested: int
    most: int
    allowed: float


def texts_of_opening(n_texts: int, n_bytes: int) -> int:
    """How many texts to read before anything is known of them: a sample of much text, all of little.

    Examples
    --------
    >>> texts_of_opening(20_000, 26_000_000), texts_of_opening(20_000, 2_000_000)
    (4615, 20000)
    """
    sample = max(_OPENING_TEXTS, int(n_texts * _OPENING_BYTES / max(n_bytes, 1)))
    return sample if sample <= _MOST_OF_ALL * n_texts else n_texts


def default_budget(n_bytes: int) -> float:
    """Seconds that a search is planned to take: 12 for up to 12 MB of text, 40 from 22 MB on, 200 for very much.

    Examples
    --------
    >>> default_budget(1_000_000), default_budget(33_000_000)
    (12.0, 40.0)
    """
    megabytes = n_bytes / 1e6
    return min(200.0, 12.0 + 2.8 * min(max(megabytes - 12, 0.0), 10.0) + 0.6 * max(megabytes - 40, 0.0))


def plan_rounds(
    prices: Prices, recipes: Sequence[Recipe], folds: int, budget: float, n_opening: int | None = None
) -> list[Round]:
    """Rounds for these recipes that take about `budget` seconds on two cores: three, or fewer where data is little.

    The last one tests every fold. Where that cannot be afforded it has fewer folds, and then trains on fewer texts. The
    first one knows `n_opening` texts; None: all.
    """
    first, second, third = (share * budget * CORES for share in _SHARES)
    last = _last_round(prices, recipes, folds, third)
    if len(recipes) <= FINALISTS and prices.seconds(recipes, last.n_train, last.tested) <= third:
        return [last]
    n_texts = min(n_opening or prices.n_texts, prices.n_texts)
    sampled = Round(n_texts, n_texts * (last.tested - 1) // last.tested, last.tested, len(recipes), first)
    opening = _largest(prices, recipes, sampled)
    if opening.n_texts == last.n_texts and opening.n_train >= _NEARLY_ALL * last.n_train:
        opening = replace(opening, n_train=last.n_train)  # what the opening knows of a fold, the race need not learn
    if opening.n_train == last.n_train and opening.tested == last.tested:
        return [opening, last]
    race = replace(last, tested=_enough_folds(last), most=RACERS, allowed=second)
    return [opening, race, replace(last, most=LEADERS)]


def _last_round(prices: Prices, recipes: Sequence[Recipe], folds: int, allowed: float) -> Round:
    """A round that a few recipes of the middle price can go through."""
    by_price = sorted(recipes, key=lambda recipe: prices.seconds([recipe], prices.n_texts, 1))
    usual = by_price[len(by_price) // 2]
    few = min(FEWEST_FINALISTS, len(recipes))
    for tested in (folds, min(folds, FEWEST_FOLDS)):
        n_train = prices.n_texts * (tested - 1) // tested
        price = few * prices.seconds([usual], n_train, tested)
        if price <= allowed:
            return Round(prices.n_texts, n_train, tested, FINALISTS, allowed)
    fewer = max(min(500, n_train), int(n_train * allowed / price))
    return Round(prices.n_texts, fewer, tested, FINALISTS, allowed)


def _enough_folds(whole: Round) -> int:
    """Folds that have enough texts to tell recipes apart."""
    return min(whole.tested, -(-_FEWEST_TESTED // max(1, whole.n_texts // whole.tested)))


def _largest(prices: Prices, recipes: Sequence[Recipe], whole: Round) -> Round:
    """The round that costs what is allowed: enough tests first, then more training texts, then all tests.

    More tests than enough would be told apart by the race for fewer recipes.
    """
    tested = _enough_folds(whole)
    price = prices.seconds(recipes, whole.n_train, 1)  # of one fold with all texts
    if price * tested > whole.allowed:
        fewest = min(500, whole.n_train)
        return replace(whole, n_train=max(fewest, int(whole.n_train * whole.allowed / (price * tested))), tested=tested)
    return whole if price * whole.tested <= whole.allowed else replace(whole, tested=tested)
