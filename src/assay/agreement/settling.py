"""Which label to take where coders differ: the majority's, and that of Dawid and Skene's model.

Dawid and Skene (1979) take each coder for an instrument with its own confusions: P(says l | true k) is learned together
with the labels by expectation and maximisation, from the majority's shares on. A coder who agrees with nobody counts
for little. Nothing is random; of labels that are equally probable, the first by the alphabet is taken, which is said.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.agreement.ratings import MISSING, Ratings

__all__ = ["Settled", "dawid_skene", "majority", "settle"]

Floats = NDArray[np.float64]
MOST_STEPS, ENOUGH, SMOOTHING = 500, 1e-9, 0.01
_TIE = 1e-6  # probabilities nearer than this are the same


@dataclass(frozen=True, eq=False)
class Settled:
    """A label for each text.

    Attributes
    ----------
    majority
        Number of the value that most said, the first of equals; -1 where nobody said anything.
    tied
        Whether others were said as often.
    likely
        Number of the value that Dawid and Skene's model finds most probable; -1 as above.
    probability
        How probable.
    likely_tied
        Whether another is as probable.
    reliability
        Of each coder, the chance to say the true value, as that model sees it.
    """

    majority: NDArray[np.int64]
    tied: NDArray[np.bool_]
    likely: NDArray[np.int64]
    probability: Floats
    likely_tied: NDArray[np.bool_]
    reliability: Floats


def settle(ratings: Ratings) -> Settled:
    """Both ways for all texts."""
    chosen, tied = majority(ratings)
    posterior, confusions, shares = dawid_skene(ratings)
    nobody = (ratings.table == MISSING).all(axis=1)
    best = posterior.max(axis=1)
    near = (posterior >= best[:, np.newaxis] - _TIE).sum(axis=1)
    likely = np.argmax(posterior >= best[:, np.newaxis] - _TIE, axis=1)
    reliability = np.einsum("k,ckk->c", shares, confusions)
    return Settled(chosen, tied, np.where(nobody, MISSING, likely), best, (near > 1) & ~nobody, reliability)


def majority(ratings: Ratings) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """What most coders said of each text, and where others were said as often.

    Examples
    --------
    >>> ratings = Ratings.of_columns([["b", "a"], ["b", "b"], ["a", None]])
    >>> chosen, tied = majority(ratings)
    >>> chosen.tolist(), tied.tolist()
    ([1, 0], [False, True])
    """
    counts = ratings.counts()
    most = counts.max(axis=1)
    tied = (counts == most[:, np.newaxis]).sum(axis=1) > 1
    return np.where(most > 0, counts.argmax(axis=1), MISSING).astype(np.int64), tied & (most > 0)


def dawid_skene(ratings: Ratings) -> tuple[Floats, Floats, Floats]:
    """P(true value | what was said) of each text, P(said | true) of each coder, (coder, true, said), and the shares.

    A hundredth of a text is added to every cell of a coder's table, so that nothing is impossible that was never seen.

    Examples
    --------
    >>> three = [list("aaaabbbb"), list("aaaabbbb"), list("abababab")]
    >>> posterior, confusions, _ = dawid_skene(Ratings.of_columns(three))
    >>> posterior.argmax(axis=1).tolist(), confusions[2].round(1).tolist()
    ([0, 0, 0, 0, 1, 1, 1, 1], [[0.5, 0.5], [0.5, 0.5]])
    """
    counts = ratings.counts()
    n, k = counts.shape
    said = [np.flatnonzero(column != MISSING) for column in ratings.table.T]
    totals = counts.sum(axis=1, keepdims=True)
    posterior = np.where(totals > 0, counts / np.maximum(totals, 1), 1 / k)
    for _ in range(MOST_STEPS):
        shares = posterior[totals[:, 0] > 0].mean(axis=0)
        confusions = np.full((len(said), k, k), SMOOTHING)
        for coder, rows in enumerate(said):
            np.add.at(confusions[coder].T, ratings.table[rows, coder], posterior[rows])
        confusions /= confusions.sum(axis=2, keepdims=True)
        logs = np.tile(np.log(np.maximum(shares, 1e-300)), (n, 1))
        for coder, rows in enumerate(said):
            logs[rows] += np.log(confusions[coder]).T[ratings.table[rows, coder]]
        logs -= logs.max(axis=1, keepdims=True)
        found = np.exp(logs)
        found /= found.sum(axis=1, keepdims=True)
        moved = float(np.abs(found - posterior).max())
        posterior = found
        if moved < ENOUGH:
            break
    return posterior, confusions, shares
