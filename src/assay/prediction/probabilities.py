"""From scores to probabilities and back: the functions that links and calibrations are made of."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["LINKS", "SET_LINKS", "Floats", "Link", "link_scores", "log_odds", "logits", "sigmoid", "softmax"]

Floats = NDArray[np.float64]

#: What turns a model's scores into probabilities.
Link = Literal["softmax", "sigmoid", "posterior", "independent"]
#: Of models that give one label a text, and of those that give a set of labels.
LINKS = ("softmax", "sigmoid", "posterior")
SET_LINKS = ("independent",)

_LARGEST = 1e307
_SMALLEST = 1e-15  # probabilities are kept this far from 0 before logarithms


def link_scores(scores: Any, link: Link) -> Floats:
    """Probabilities, shape (n, n_labels), from scores of shape (n, n_labels), or (n,) where there are two labels.

    "softmax" and "posterior" (scores are log P(class, text)) divide exp(score) by the sum over the classes; "sigmoid"
    takes every class against the rest and divides by the sum; "independent", where a text may have several labels or
    none, does not divide. One score for two labels is that of the second: the first three then are its sigmoid.

    Examples
    --------
    >>> link_scores([0.0, 2.0], "sigmoid").round(3).tolist()
    [[0.5, 0.5], [0.119, 0.881]]
    >>> link_scores([[1.0, 1.0, 3.0]], "softmax").round(3).tolist()
    [[0.107, 0.107, 0.787]]
    """
    table = np.asarray(scores, dtype=np.float64)
    if link == "independent":
        return sigmoid(table)
    if table.ndim == 1:
        return np.column_stack([sigmoid(-table), sigmoid(table)])
    if link != "sigmoid":
        return softmax(table)
    separate = sigmoid(table)
    total = separate.sum(axis=1, keepdims=True)
    shares: Floats = np.full_like(separate, 1 / separate.shape[1])
    np.divide(separate, total, out=shares, where=total > 0)
    return shares


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + exp(-x)) without overflow."""
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1.0, small) / (1.0 + small)


def softmax(scores: Floats) -> Floats:
    """exp(score), each row divided by its sum, without overflow."""
    inside = np.clip(scores, -_LARGEST, _LARGEST)  # so that the differences are numbers
    powers = np.exp(inside - inside.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def logits(table: Floats, of_probabilities: bool) -> Floats:
    """Scores whose softmax are the probabilities; scores as they are."""
    return np.log(np.maximum(table, _SMALLEST)) if of_probabilities else table


def log_odds(p: Floats) -> Floats:
    """The inverse of `sigmoid`, finite for 0 and 1 too."""
    inside = np.clip(p, _SMALLEST, 1 - _SMALLEST)
    return np.asarray(np.log(inside) - np.log1p(-inside))
