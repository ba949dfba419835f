"""Agreement beyond chance: percent agreement, Cohen's and Fleiss' kappa, Krippendorff's alpha.

Texts of which everybody said the same count alike, so each coefficient is a function of the different rows of the table
(`patterns`) and of how many texts have each. An interval then asks for the same function of other numbers of texts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.agreement.ratings import MISSING, Ratings

__all__ = ["Coefficient", "Level", "alpha", "cohen", "fleiss", "masi_distances", "percent"]

Floats = NDArray[np.float64]
Level = Literal["nominal", "ordinal", "interval", "masi"]


@dataclass(frozen=True, eq=False)
class Coefficient:
    """One coefficient, as a function of how many texts have each pattern of labels.

    Attributes
    ----------
    of
        (…, n_patterns) numbers of texts → (…,) the coefficient; NaN where it is 0/0.
    counts
        How many texts have each pattern.
    disagreed
        Which patterns show a disagreement that the coefficient counts.
    varied
        Which patterns hold another value than the commonest.
    """

    of: Callable[[Floats], Floats]
    counts: Floats
    disagreed: NDArray[np.bool_]
    varied: NDArray[np.bool_]

    @property
    def value(self) -> float:
        """Of the texts as they are."""
        return float(self.of(self.counts[np.newaxis])[0])


def percent(ratings: Ratings) -> Coefficient:
    """Of two coders who labelled the same text, how often they said the same; the mean over texts.

    Examples
    --------
    >>> percent(Ratings.of_columns([list("aabb"), list("aaba")])).value
    0.75
    """
    said, counts = _patterns(ratings)
    n = said.sum(axis=1)
    agreed = (said * (said - 1)).sum(axis=1) / (n * (n - 1))

    def of(weights: Floats) -> Floats:
        return np.asarray(_quotient(weights @ agreed, weights.sum(axis=-1)))

    return Coefficient(of, counts, agreed < 1, _varied(said, counts))


def cohen(ratings: Ratings, first: int = 0, second: int = 1) -> Coefficient:
    """Cohen's kappa of two coders: (p - e) / (1 - e), where e is what chance makes of each coder's own shares.

    Examples
    --------
    >>> cohen(Ratings.of_columns([list("aabb"), list("aaba")])).value
    0.5

    References
    ----------
    Cohen (1960).
    """
    both = ratings.table[:, [first, second]]
    both = both[(both != MISSING).all(axis=1)]
    patterns, numbers = np.unique(both, axis=0, return_counts=True)
    counts, k = numbers.astype(np.float64), len(ratings.values)
    same = patterns[:, 0] == patterns[:, 1]
    sides = [np.eye(k)[patterns[:, side]] for side in (0, 1)]

    def of(weights: Floats) -> Floats:
        n = weights.sum(axis=-1)
        agreed = _quotient(weights @ same.astype(float), n)
        chance = _quotient(((weights @ sides[0]) * (weights @ sides[1])).sum(axis=-1), n * n)
        return np.asarray(_quotient(agreed - chance, 1 - chance))

    return Coefficient(of, counts, ~same, _varied(sides[0] + sides[1], counts))


def fleiss(ratings: Ratings) -> Coefficient:
    """Fleiss' kappa, of texts that all coders have labelled: chance goes by the shares of all coders together.

    Examples
    --------
    >>> round(fleiss(Ratings.of_columns([list("aabb"), list("aaba"), list("aabb")])).value, 3)
    0.657

    References
    ----------
    Fleiss (1971).
    """
    whole = (ratings.table != MISSING).all(axis=1)
    said, counts = _patterns(ratings, whole)
    m = len(ratings.coders)
    agreed = (said * (said - 1)).sum(axis=1) / (m * (m - 1))

    def of(weights: Floats) -> Floats:
        n = weights.sum(axis=-1)
        shares = _quotient(weights @ said, (n * m)[..., np.newaxis])
        chance = (shares * shares).sum(axis=-1)
        return np.asarray(_quotient(_quotient(weights @ agreed, n) - chance, 1 - chance))

    return Coefficient(of, counts, agreed < 1, _varied(said, counts))


def alpha(ratings: Ratings, level: Level = "nominal", numbers: Sequence[float] | None = None) -> Coefficient:
    """Krippendorff's alpha: 1 - observed / expected disagreement, of every two labels that a text has.

    Parameters
    ----------
    ratings
        Cells may be missing: a text counts as far as two coders or more have labelled it.
    level
        How far apart two values are: ``"nominal"``, all alike; ``"ordinal"``, by how many values lie between them;
        ``"interval"``, the square of their difference; ``"masi"``, of sets, by what they share (Passonneau 2006).
    numbers
        The values as numbers; of ``"ordinal"``, in their order.

    Examples
    --------
    >>> round(alpha(Ratings.of_columns([list("aabb"), list("aaba")])).value, 3)
    0.533

    References
    ----------
    Krippendorff (2011). Computing Krippendorff's alpha-reliability.
    """
    said, counts = _patterns(ratings)
    if level == "ordinal":
        return _ordinal_alpha(said[:, np.argsort(numbers)] if numbers is not None else said, counts)
    distances = _distances(ratings, level, numbers)
    n_said = said.sum(axis=1)
    apart = ((said @ distances) * said).sum(axis=1) / (n_said - 1)

    def of(weights: Floats) -> Floats:
        totals = weights @ said
        expected = ((totals @ distances) * totals).sum(axis=-1)
        return np.asarray(1 - _quotient((totals.sum(axis=-1) - 1) * (weights @ apart), expected))

    return Coefficient(of, counts, apart > 0, _varied(said, counts))


def masi_distances(values: Sequence[tuple[str, ...]]) -> Floats:
    """1 - m · Jaccard's index of every two sets; m is 1 for equal ones, 2/3 for part and whole, 1/3 for overlap.

    Examples
    --------
    >>> masi_distances([("a",), ("a", "b"), ("c",)]).round(3).tolist()
    [[0.0, 0.667, 1.0], [0.667, 0.0, 1.0], [1.0, 1.0, 0.0]]
    """
    sets = [frozenset(value) for value in values]
    return np.array([[_masi(a, b) for b in sets] for a in sets])


def _masi(a: frozenset[str], b: frozenset[str]) -> float:
    if a == b:
        return 0.0
    shared = len(a & b)
    if not shared:
        return 1.0
    return 1 - shared / len(a | b) * (2 / 3 if a < b or b < a else 1 / 3)


def _distances(ratings: Ratings, level: Level, numbers: Sequence[float] | None) -> Floats:
    if level == "masi":
        return masi_distances(ratings.values)
    if level == "interval":
        values = np.asarray(numbers, dtype=np.float64)
        return np.asarray((values[:, np.newaxis] - values) ** 2)
    return np.ones((len(ratings.values), len(ratings.values))) - np.eye(len(ratings.values))


def _ordinal_alpha(said: Floats, counts: Floats) -> Coefficient:
    """Distances depend on how often each value was said, so they are made anew for every numbers of texts."""
    n_values = said.shape[1]
    n_said = said.sum(axis=1)
    pairs = said[:, :, np.newaxis] * said[:, np.newaxis, :] / (n_said - 1)[:, np.newaxis, np.newaxis]

    def of(weights: Floats) -> Floats:
        totals = weights @ said
        below = np.cumsum(totals, axis=-1) - totals / 2  # to the middle of each value
        distances = (below[..., :, np.newaxis] - below[..., np.newaxis, :]) ** 2
        coincidences = np.tensordot(weights, pairs, axes=1)
        observed = (coincidences * distances).sum(axis=(-2, -1))
        expected = (totals[..., :, np.newaxis] * totals[..., np.newaxis, :] * distances).sum(axis=(-2, -1))
        return np.asarray(1 - _quotient((totals.sum(axis=-1) - 1) * observed, expected))

    off = ~np.eye(n_values, dtype=bool)
    return Coefficient(of, counts, (pairs[:, off] > 0).any(axis=1), _varied(said, counts))


def _patterns(ratings: Ratings, among: NDArray[np.bool_] | None = None) -> tuple[Floats, Floats]:
    """The different rows of how many coders said each value, of texts that two or more have labelled, and their number.

    In the order of the table's values, so that nothing depends on how the texts are ordered.
    """
    rows = ratings.counts()[ratings.pairable if among is None else among & ratings.pairable]
    patterns, numbers = np.unique(rows, axis=0, return_counts=True)
    return patterns.reshape(-1, len(ratings.values)), numbers.astype(np.float64)


def _varied(said: Floats, counts: Floats) -> NDArray[np.bool_]:
    """Which patterns hold another value than the one that was said most often."""
    if not counts.size:
        return np.zeros(0, bool)
    commonest = int((counts @ said).argmax())
    return np.asarray(said[:, commonest] < said.sum(axis=1))


def _quotient(over: Floats, under: Floats) -> Floats:
    """NaN where what is below is 0, but for rounding."""
    good = np.abs(under) > 1e-12
    return np.where(good, over / np.where(good, under, 1.0), np.nan)
