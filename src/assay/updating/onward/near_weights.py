"""Linear learners onward: as near to the old weights as the old texts hold them, as right on the new ones as C asks.

Around its minimum, what the old texts cost is half a quadratic form in the change of the weights (Laplace). Of its
matrix, the diagonal can be told from the file:

    pullⱼ = ridgeⱼ + strength · cost · bend · Σ over old texts of xᵢⱼ²,

where the sum is the number of old texts that have feature j (its idf says it) times a usual square, and bend is how
much the loss of a text curves, on average over the new ones. So frequent words are held by what many texts said of
them, a word that was in few moves easily, and one that is new is free, as in a training: only its ridge holds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.learners.solvers.nearest_weights import Loss, NewRows, nearest_weights
from assay.prediction.probabilities import sigmoid, softmax
from assay.updating.onward.growing import Grown
from assay.updating.onward.told import Told

__all__ = ["learn_near", "old_squares", "widened"]

Floats = NDArray[np.float64]


def learn_near(
    told: Told,
    grown: Grown,
    X: Any,
    classes: NDArray[np.integer[Any]],
    labels: Sequence[str],
    old: tuple[NDArray[Any], Floats],
    strength: float,
) -> tuple[NDArray[Any], Floats]:
    """The weights, in the type of the old ones, and the biases.

    Parameters
    ----------
    told
        How the model learned.
    grown
        Its features, with the columns of `X`.
    X, classes, labels
        New texts: rows, and numbers of their labels.
    old
        Weights and biases before, with columns and labels that are new: `widened` makes them.
    strength
        Factor of what holds the old weights.
    """
    weights, bias = old
    errors = told.errors
    assert errors is not None
    used = np.unique(X.indices)
    if not len(used):
        return weights, bias
    X = X[:, used]
    scores = np.asarray(X @ weights[used].astype(np.float64)) + bias
    positive = np.zeros(scores.shape, bool)
    if scores.shape[1] == 1:
        positive[:, 0] = classes == 1
    else:
        positive[np.arange(len(classes)), classes] = True
    factors = told.factors(labels, np.bincount(classes, minlength=len(labels)))
    loss = errors.of(scores.shape[1])
    against_rest = scores.shape[1] > 1 and loss != "multinomial"
    cost = (
        np.where(positive, factors, 1.0) if against_rest else np.broadcast_to(factors[classes][:, None], scores.shape)
    )
    rows = NewRows(X, positive, scores, errors.cost * cost)
    bend = strength * errors.cost * _bend(loss, positive, scores)
    held = old_squares(grown, X, used, told.n_texts)
    ridge = np.repeat(errors.ridge, [block.n_columns for block in grown.features])[used]
    change, moved = nearest_weights(rows, loss, ridge + bend * held, errors.bias_ridge + bend * told.n_texts)
    weights = weights.copy()
    weights[used] += change.astype(weights.dtype)
    return weights, bias + moved


def _bend(loss: Loss, positive: NDArray[np.bool_], scores: Floats) -> float:
    """How much the loss of a text curves on average, as if one text more were at the boundary.

    Of many outputs, the words of a text move those of its own label and of the labels that are mixed up with it: it is
    there that curvature counts, not in the many that are far off.
    """
    if loss == "multinomial":
        p = softmax(scores)  # p(1 - p) between two labels is half of what is here summed over all
        return 0.5 * (float((1 - (p * p).sum(axis=1)).sum()) + 0.5) / (len(p) + 1)
    own = np.where(positive, scores, -scores) if scores.shape[1] == 1 else scores[positive]
    if loss == "squared_hinge":
        return 2 * (float((own < 1).sum()) + 1) / (own.size + 1)
    p = sigmoid(own)
    return (float((p * (1 - p)).sum()) + 0.25) / (p.size + 1)


def old_squares(grown: Grown, X: Any, used: NDArray[np.integer[Any]], n_texts: int) -> Floats:
    """Of the columns that are used, about the sum of their squares over the old texts.

    The old texts that have a column are known by its idf; where there is none, they are taken to be the same share as
    of the new texts. A usual square is that of the new texts' values in the block, in parts of the idf.
    """
    is_old = np.zeros(grown.n_columns, bool)
    is_old[grown.places] = True
    found, begin = np.zeros(len(used)), 0
    for block in grown.features:
        inside = np.flatnonzero((used >= begin) & (used < begin + block.n_columns))
        own = X[:, inside]
        factor = block.weighting.idf[used[inside] - begin] if len(block.weighting.idf) else np.ones(len(inside))
        share = float((own.data**2).sum() / max(float((factor[own.indices] ** 2).sum()), 1e-300))
        if len(block.weighting.idf):
            frequency = _documents(factor, n_texts)
        else:
            frequency = n_texts * np.bincount(own.indices, minlength=len(inside)) / X.shape[0]
        found[inside] = np.where(is_old[used[inside]], frequency, 0.0) * share * factor**2
        begin += block.n_columns
    return found


def _documents(idf: Floats, n_texts: int) -> Floats:
    """In how many of the old texts a column is: the inverse of its idf, smoothed or not, which matters to few texts."""
    return np.clip((n_texts + 1) / np.exp(idf - 1) - 1, 1.0, n_texts)


def widened(
    X: Any,
    weights: NDArray[Any],
    bias: Floats,
    old: Sequence[str],
    labels: Sequence[str],
    told: Told,
    sizes: NDArray[np.integer[Any]],
) -> tuple[NDArray[Any], Floats]:
    """Weights and biases of outputs for more labels: a new one begins where no text is of it.

    Two labels have one output, s; as soon as there are more, each has its own: -s and s, or, where the scores are
    logarithms of odds, -s/2 and s/2. A new label has no weights, and the bias that old texts would have given it: with
    a hinge -1; where there are probabilities, that of its share of all texts.
    """
    errors = told.errors
    assert errors is not None
    if weights.shape[1] == 1:
        half = 0.5 if errors.joint else 1.0
        weights, bias = np.hstack([-half * weights, half * weights]), np.concatenate([-half * bias, half * bias])
    place = [labels.index(label) for label in old]
    wider, begin = np.zeros((len(weights), len(labels)), weights.dtype), np.full(len(labels), -1.0)
    wider[:, place] = weights
    if errors.loss == "logistic":
        begin = np.log(np.maximum(sizes, 1) / told.n_texts)
        if errors.joint:  # beside what the old labels weigh together
            scores = np.asarray(X @ weights.astype(np.float64)) + bias
            highest = scores.max(axis=1, keepdims=True)
            begin += np.mean(highest[:, 0] + np.log(np.exp(scores - highest).sum(axis=1)))
    begin[place] = bias
    return wider, begin
