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

from assay.prediction.probabilities import softmax

__all__ = ["Combination", "choose_members", "combine", "fit_weights", "log_loss", "usable_weights"]

Floats = NDArray[np.float64]
Classes = NDArray[np.int32]

_WORTHWHILE = 3e-3  # a member must lower the loss by this part of it: less is noise, and each makes the model larger
_PASSES = 200
_PRECISION = 1e-9  # part of the loss; what is less is not worth a step
_FEW, _APART = 4000, 8  # texts; with more, the weights of every eighth text are where Newton's steps begin
_TRIED = 2  # models at a time whose weights are fitted to see which of them helps most


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


def choose_members(
    scores: Sequence[Floats],
    classes: Classes,
    most: int,
    *,
    first: int = 0,
    worthwhile: Sequence[float] | None = None,
) -> Combination:
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
    worthwhile
        By what part of it each model must lower the loss; None: 0.3 %. Of those that do, the one is added that lowers
        it most for the root of what is asked: what costs more must be better by a good deal.
    """
    worth = worthwhile or [_WORTHWHILE] * len(scores)
    chosen = Combination((first,), *fit_weights([scores[first]], classes))
    while len(chosen.members) < most:
        trials = [(_with(chosen, k, scores, classes), worth[k]) for k in _promising(chosen, scores, classes, worth)]
        helpful = [(trial, least) for trial, least in trials if trial.loss <= chosen.loss * (1 - least)]
        if not helpful:
            break
        before = chosen.loss
        chosen = max(helpful, key=lambda one: (before - one[0].loss) / np.sqrt(one[1]))[0]
    # In the order of the models, whichever was found first: the same members have the same weights to the last bit.
    return _without_redundant(combine(scores, classes, sorted(chosen.members)), scores, classes)


def _promising(
    chosen: Combination, scores: Sequence[Floats], classes: Classes, worthwhile: Sequence[float]
) -> list[int]:
    """The few others of which one step of Newton's method, from the weights so far, promises most."""
    others = [k for k in range(len(scores)) if k not in chosen.members]
    if len(others) <= _TRIED:
        return others
    rows = np.arange(classes.size)
    members = [scores[k] for k in chosen.members]
    sums = sum(weight * table for weight, table in zip(chosen.weights, members, strict=True))
    p = softmax(np.asarray(sums))
    centred = [table - np.einsum("nk,nk->n", p, table)[:, None] for table in members]
    within = np.array([[np.einsum("nk,nk,nk->", p, a, b) for b in centred] for a in centred])
    gains = []
    for k in others:
        own = scores[k] - np.einsum("nk,nk->n", p, scores[k])[:, None]
        slope = float(own[rows, classes].sum())  # of the likelihood, in the weight of this one
        weighed = p * own
        across = np.array([np.einsum("nk,nk->", weighed, table) for table in centred])
        curvature = np.einsum("nk,nk->", weighed, own) - across @ np.linalg.lstsq(within, across, rcond=None)[0]
        gains.append(slope * abs(slope) / max(float(curvature), 1e-12) / np.sqrt(worthwhile[k]))
    return [others[i] for i in np.argsort(-np.array(gains), kind="stable")[:_TRIED]]


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

    Projected Newton steps with backtracking, of many texts from the weights of a part of them; one member's weight is
    an inverse temperature.

    Examples
    --------
    >>> good, useless = np.array([[2.0, -2], [-1, 1], [1, -1], [1, -1]]), np.array([[1.0, -1]] * 4)
    >>> weights, loss = fit_weights([good, useless], np.array([0, 1, 0, 1], dtype=np.int32))
    >>> [round(weight, 2) for weight in weights]
    [0.52, 0.0]
    """
    table = np.stack([one.T for one in scores])  # (members, classes, n): sums over a few classes run along the texts
    true = table[:, classes, np.arange(classes.size)]  # (members, n)
    scale = 1 / np.maximum(np.abs(table).mean(axis=(1, 2)), 1e-12)
    weights = scale / len(scores)
    loss, gradient, hessian = _expansion(table, true, weights)
    if classes.size > _FEW:  # most steps are taken where they cost little
        found = np.array(fit_weights([one[::_APART] for one in scores], classes[::_APART])[0])
        expansion = _expansion(table, true, found)
        if expansion[0] < loss:
            weights, (loss, gradient, hessian) = found, expansion
    for _ in range(_PASSES):
        free = (weights > 0) | (gradient < 0)
        step = np.zeros(weights.size)
        # The ridge, on each member's own scale, keeps separable data from running away.
        ridge = np.diag(1e-8 + 1e-6 / scale[free] ** 2)
        step[free] = -np.linalg.solve(hessian[np.ix_(free, free)] + ridge, gradient[free])
        if -float(gradient @ step) < 2 * _PRECISION * loss:  # twice what a step of Newton's method gains
            break
        length = 1.0
        while length > 1e-8:
            trial = np.maximum(weights + length * step, 0.0)
            expansion = _expansion(table, true, trial)
            if expansion[0] < loss:
                break
            length /= 2
        else:
            break
        before, weights = loss, trial
        loss, gradient, hessian = expansion
        if before - loss < _PRECISION * before:
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
    p = np.einsum("m,mkn->kn", weights, table)  # the sums, of which the softmax is made in place
    highest = p.max(axis=0)
    p -= highest
    np.exp(p, out=p)
    totals = p.sum(axis=0)
    p /= totals
    loss = float(np.mean(highest + np.log(totals) - np.einsum("m,mn->n", weights, true)))
    means = np.empty_like(true)  # expected score of each member under p
    hessian = np.empty((len(table), len(table)))
    for a, own in enumerate(table):
        weighed = own * p
        means[a] = weighed.sum(axis=0)
        for b in range(a + 1):
            second = np.einsum("kn,kn->", weighed, table[b])
            hessian[a, b] = hessian[b, a] = (second - np.einsum("n,n->", means[a], means[b])) / true.shape[1]
    gradient = (means - true).mean(axis=1)
    return loss, gradient, hessian
