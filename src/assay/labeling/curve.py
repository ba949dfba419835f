"""What models with fewer labels would have got right: the points of a learning curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.label_sets import LabelSets
from assay.labeling.known import KnownLabels
from assay.labeling.quick_model import QuickModel

if TYPE_CHECKING:
    from assay.labeling.pool import TextPool

__all__ = ["cross_checked", "curve_sizes", "right_on"]

Mask = NDArray[np.bool_]

_SMALLEST = 20  # labels of the first point
_STEP = 2.0
_FOLDS = 5


def curve_sizes(n: int, most: int = 6) -> list[int]:
    """Growing numbers of labels up to n, each about twice the one before.

    Examples
    --------
    >>> curve_sizes(300), curve_sizes(25), curve_sizes(10)
    ([20, 38, 75, 150, 300], [25], [])
    """
    sizes = [round(n / _STEP**k) for k in range(most)]
    kept = [size for size in sizes if size >= _SMALLEST]
    if kept and kept[-1] > _SMALLEST and len(kept) < most and kept[-1] / _STEP > _SMALLEST * 0.8:
        kept.append(_SMALLEST)
    return kept[::-1]


def right_on(pool: TextPool, learned: KnownLabels, order: NDArray[np.intp], asked: KnownLabels, size: int) -> Mask:
    """Whether a model of the first `size` labels of an order gives each text that is asked about just its labels."""
    model = _model(pool, learned, order[:size])
    return _right(pool, model, asked)


def cross_checked(pool: TextPool, known: KnownLabels, seed: int) -> tuple[list[int], NDArray[np.bool_]]:
    """The same with labels of the very texts that are asked about: random parts of those of other folds.

    Returns numbers of labels, and (n_sizes, n_texts) whether each is right.
    """
    n = len(known)
    random = np.random.default_rng([seed, 7])
    groups, group = np.unique(pool.corpus.near_copies.first[known.rows], return_inverse=True)
    fold = (random.permutation(len(groups)) % _FOLDS)[group]  # near-copies are in one
    order = random.permutation(n)
    smallest = min(int((fold != k).sum()) for k in range(_FOLDS)) if n else 0
    sizes = curve_sizes(smallest)
    right = np.zeros((len(sizes), n), bool)
    for k in range(_FOLDS):
        train, test = order[fold[order] != k], np.flatnonzero(fold == k)
        asked = KnownLabels(known.rows[test], known.take(test), known.names, known.n_texts)
        for i, size in enumerate(sizes):
            right[i, test] = _right(pool, _model(pool, known, train[:size]), asked)
    return sizes, right


def _model(pool: TextPool, known: KnownLabels, at: NDArray[np.intp]) -> QuickModel:
    rows = pool.features.rows[known.rows[at]]
    return QuickModel.learn(rows, known.take(at), known.names, seed=pool.seed, threads=pool.threads)


def _right(pool: TextPool, model: QuickModel, asked: KnownLabels) -> Mask:
    """Labels are compared by name: the model may not know all of them."""
    table = model.probabilities(pool.features.rows[asked.rows], pool.threads)
    place = {name: k for k, name in enumerate(model.names)}
    numbers = np.array([place.get(name, -1) for name in asked.names], np.int64)
    if isinstance(asked.classes, LabelSets):
        truth = np.zeros((len(asked), len(model.names)), bool)
        known = numbers[asked.classes.members] >= 0
        truth[asked.classes.texts[known], numbers[asked.classes.members[known]]] = True
        strangers = np.bincount(asked.classes.texts[~known], minlength=len(asked)) > 0
        return np.asarray(((table >= 0.5) == truth).all(axis=1) & ~strangers)
    return np.asarray(table.argmax(axis=1) == numbers[asked.classes])
