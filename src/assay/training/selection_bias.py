"""How much too good a cross-validated figure is because it was also used to choose.

Of many recipes the one with the highest figure wins partly by luck, and the luck is in its figure. The bootstrap plays
the choice again: texts are drawn with replacement (copies and near-copies of one together), the recipe that is best on
the draw is chosen, and its figure on the draw is compared with its figure on all texts. The mean difference is the
optimism; it is taken off. Only the answers that the search keeps anyway are needed, nothing is trained.

References
----------
Efron & Tibshirani (1993), An introduction to the bootstrap, chapter 17; Tsamardinos et al. (2018) for the bootstrap
over answers that a search has kept.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["CORRECTED", "selection_optimism"]

Floats = NDArray[np.float64]
#: Metrics whose optimism can be measured by counting answers.
CORRECTED = ("accuracy", "macro_f1", "balanced_accuracy")
MOST_DRAWS, FEWEST_DRAWS = 400, 20
WORK = 2e10  # draws × texts × recipes × classes
NUMBERS_AT_ONCE = 4_000_000  # drawn at a time: 32 MB


def selection_optimism(
    answers: Sequence[NDArray[np.int32]],
    truth: NDArray[np.int32],
    n_classes: int,
    metric: str,
    seed: int = 0,
    together: NDArray[np.int64] | None = None,
) -> float:
    """What the best of several recipes has gained by being chosen on these texts.

    Parameters
    ----------
    answers
        Of each recipe, the class that every text was given by a model that had not seen it.
    truth
        Their true classes.
    n_classes
        Classes there are.
    metric
        One of `CORRECTED`.
    seed
        Of the draws.
    together
        For each text the first of those that belong together, as copies do: they are drawn as one.

    Examples
    --------
    >>> random = np.random.default_rng(0)
    >>> truth = random.integers(0, 2, 100).astype(np.int32)
    >>> guesses = [random.integers(0, 2, 100).astype(np.int32) for _ in range(20)]
    >>> 0.05 < selection_optimism(guesses, truth, 2, "accuracy") < 0.15
    True
    >>> selection_optimism(guesses[:1], truth, 2, "accuracy")
    0.0
    """
    if len(answers) < 2:
        return 0.0
    # Texts with the same class and the same answers are alike: a draw needs only how often each kind came.
    kinds, kind_of, numbers = np.unique(
        np.stack([truth, *answers]), axis=1, return_inverse=True, return_counts=True
    )  # (1 + recipes, kinds)
    truth, table = kinds[0], kinds[1:]
    draws = int(np.clip(WORK / (table.size * n_classes), FEWEST_DRAWS, MOST_DRAWS))
    counts = _drawn(kind_of.reshape(-1), together, draws, seed)
    weights = np.concatenate([counts, numbers[None]]).astype(np.float32)  # the last row: the texts as they are
    values = _values(table, truth, n_classes, metric, weights)  # (draws + 1, recipes)
    drawn, whole = values[:-1], values[-1]
    chosen = drawn.argmax(axis=1)
    # Means over classes are a little lower on draws, which hold some texts twice; being chosen never costs anything.
    return max(0.0, float(np.mean(drawn[np.arange(draws), chosen] - whole[chosen])))


def _drawn(kind_of: NDArray[np.intp], together: NDArray[np.int64] | None, draws: int, seed: int) -> Floats:
    """How many texts of each kind every draw has, shape (draws, kinds)."""
    from scipy.sparse import csr_array

    random = np.random.default_rng(seed)
    n_kinds = int(kind_of.max()) + 1
    group = np.arange(kind_of.size) if together is None else np.unique(together, return_inverse=True)[1]
    in_group = np.bincount(group)
    alone = in_group[group] == 1
    several = np.flatnonzero(in_group > 1)
    # Units that are drawn: texts on their own by their kind, then each group of several texts.
    units = np.concatenate([np.bincount(kind_of[alone], minlength=n_kinds), np.ones(several.size, np.int64)])
    place = np.searchsorted(several, group[~alone])
    kinds_of_groups = csr_array((np.ones(place.size), (place, kind_of[~alone])), shape=(several.size, n_kinds))
    found = np.empty((draws, n_kinds))
    step = max(1, NUMBERS_AT_ONCE // units.size)
    for begin in range(0, draws, step):
        counts = random.multinomial(in_group.size, units / in_group.size, size=min(step, draws - begin))
        found[begin : begin + step] = counts[:, :n_kinds] + counts[:, n_kinds:] @ kinds_of_groups
    return found


def _values(
    table: NDArray[np.int32], truth: NDArray[np.int32], n_classes: int, metric: str, weights: NDArray[np.float32]
) -> Floats:
    """The metric of every recipe under every weighting of the texts."""
    if metric == "accuracy":
        right = (table == truth).astype(np.float32)
        return np.asarray(weights @ right.T / weights.sum(axis=1, keepdims=True), dtype=np.float64)
    totals, present = np.zeros((len(weights), len(table))), np.zeros((len(weights), len(table)))
    for k in range(n_classes):
        said, real = table == k, truth == k
        hits = weights @ (said & real).T.astype(np.float32)
        documents = (weights @ real.astype(np.float32))[:, None]
        whole = documents if metric == "balanced_accuracy" else (documents + weights @ said.T.astype(np.float32)) / 2
        occurs = np.broadcast_to(whole > 0, hits.shape)
        totals += np.where(occurs, hits / np.where(whole > 0, whole, 1), 0.0)
        present += occurs
    return totals / np.maximum(present, 1)
