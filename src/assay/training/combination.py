"""Adding up the scores of several linear models, which is again a linear model.

Each member's held-out scores are multiplied by a weight of 0 or more, the same for all classes; the weights are those
under which the softmax of the sums gives the true labels the highest likelihood (a convex problem with a handful of
unknowns). Members are added one at a time, the one first that helps most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Combination", "choose_members", "combine", "fit_weights", "log_loss", "usable_weights"]

Floats = NDArray[np.float64]
Classes = NDArray[np.int32]

_WORTHWHILE = 3e-3  # a member must lower the loss by this part of it: less is noise, and each makes the model larger
_PASSES = 200


@dataclass(frozen=True, eq=False)
class Combination:
    """Which models are added up, and with what weights.

    Attributes
    ----------
    members
        Indices of the models.
    weights
        Factor of each one's scores: those under which the softmax of the sums is likeliest.
    loss
        Mean −log P(true label) of the held-out documents.
    """

    members: tuple[int, ...]
    weights: tuple[float, ...]
    loss: float


def choose_members(scores: Sequence[Floats], classes: Classes, most: int, *, first: int = 0) -> Combination:
    """Start with one model, and add those of the others that lower the loss noticeably, at most `most` in all.

    Parameters
    ----------
    scores
        Held-out scores of each model, (n, n_classes), for the same documents.
    classes
        Their true classes.
    most
        Members at most.
    first
        The model to start with.
    """
    chosen = Combination((first,), *fit_weights([scores[first]], classes))
    while len(chosen.members) < most:
        others = [k for k in range(len(scores)) if k not in chosen.members]
        trials = [_with(chosen, k, scores, classes) for k in others]
        best = min(trials, key=lambda trial: trial.loss, default=chosen)
        if best.loss > chosen.loss * (1 - _WORTHWHILE):
            break
        chosen = best
    # In the order of the models, whichever was found first: the same members have the same weights to the last bit.
    return _without_redundant(combine(scores, classes, sorted(chosen.members)), scores, classes)


def _without_redundant(chosen: Combination, scores: Sequence[Floats], classes: Classes) -> Combination:
    """Leave out, one at a time, members that later ones have made superfluous."""
    while len(chosen.members) > 1:
        fewer = [combine(scores, classes, [m for m in chosen.members if m != k]) for k in chosen.members]
        best = min(fewer, key=lambda trial: trial.loss)
        if best.loss > chosen.loss / (1 - _WORTHWHILE):
            break
        chosen = best
    return chosen


def combine(scores: Sequence[Floats], classes: Classes, members: Sequence[int]) -> Combination:
    """These models, without those whose weight comes out as 0."""
    kept = tuple(members)
    while True:
        weights, loss = usable_weights([scores[k] for k in kept], classes)
        used = tuple(k for k, weight in zip(kept, weights, strict=True) if weight > 0)
        if len(used) == len(kept):
            return Combination(kept, weights, loss)
        kept = used


def usable_weights(scores: Sequence[Floats], classes: Classes) -> tuple[tuple[float, ...], float]:
    """Those of `fit_weights`; where all are 0, the first model's order of the classes, and no confidence in it.

    No better than guessing, a model still has an answer to each text, and is to be measured by it.
    """
    weights, loss = fit_weights(scores, classes)
    if any(weights):
        return weights, loss
    return (1e-3 / max(float(np.abs(scores[0]).mean()), 1e-12), *weights[1:]), loss


def _with(chosen: Combination, k: int, scores: Sequence[Floats], classes: Classes) -> Combination:
    return combine(scores, classes, (*chosen.members, k))


def fit_weights(scores: Sequence[Floats], classes: Classes) -> tuple[tuple[float, ...], float]:
    """The weights of 0 or more with which the softmax of the weighted sums has the lowest loss, and that loss.

    Projected Newton steps with backtracking; one member's weight is an inverse temperature.

    Examples
    --------
    >>> good, useless = np.array([[2.0, -2], [-1, 1], [1, -1], [1, -1]]), np.array([[1.0, -1]] * 4)
    >>> weights, loss = fit_weights([good, useless], np.array([0, 1, 0, 1], dtype=np.int32))
    >>> [round(weight, 2) for weight in weights]
    [0.52, 0.0]
    """
    table = np.stack(scores)  # (members, n, classes)
    true = table[:, np.arange(classes.size), classes]  # (members, n)
    scale = 1 / np.maximum(np.abs(table).mean(axis=(1, 2)), 1e-12)
    weights = scale / len(scores)
    loss, gradient, hessian = _expansion(table, true, weights)
    for _ in range(_PASSES):
        free = (weights > 0) | (gradient < 0)
        step = np.zeros(weights.size)
        # The ridge, on each member's own scale, keeps separable data from running away.
        ridge = np.diag(1e-8 + 1e-6 / scale[free] ** 2)
        step[free] = -np.linalg.solve(hessian[np.ix_(free, free)] + ridge, gradient[free])
        length = 1.0
        while length > 1e-8:
            trial = np.maximum(weights + length * step, 0.0)
            if log_loss(np.tensordot(trial, table, 1), classes) < loss:
                break
            length /= 2
        else:
            break
        before, weights = loss, trial
        loss, gradient, hessian = _expansion(table, true, weights)
        if before - loss < 1e-9 * before:
            break
    weights[weights * np.abs(table).mean(axis=(1, 2)) < 1e-6] = 0.0
    return tuple(weights.tolist()), loss


def log_loss(scores: Floats, classes: Classes) -> float:
    """Mean −log of the softmax at the true class."""
    highest = scores.max(axis=1)
    sums = np.exp(scores - highest[:, None]).sum(axis=1)
    return float(np.mean(highest + np.log(sums) - scores[np.arange(classes.size), classes]))


def _expansion(table: Floats, true: Floats, weights: Floats) -> tuple[float, Floats, Floats]:
    """Loss, gradient and Hessian at some weights."""
    sums = np.tensordot(weights, table, 1)  # (n, classes)
    highest = sums.max(axis=1, keepdims=True)
    powers = np.exp(sums - highest)
    totals = powers.sum(axis=1, keepdims=True)
    p = powers / totals
    loss = float(np.mean(highest[:, 0] + np.log(totals[:, 0]) - weights @ true))
    means = np.einsum("mnk,nk->mn", table, p)  # expected score of each member under p
    gradient = (means - true).mean(axis=1)
    second = np.einsum("ank,bnk,nk->ab", table, table, p, optimize=True) if len(table) > 1 else None
    if second is None:
        second = np.array([[np.einsum("nk,nk,nk->", table[0], table[0], p)]])
    hessian = (second - means @ means.T) / true.shape[1]
    return loss, gradient, hessian
