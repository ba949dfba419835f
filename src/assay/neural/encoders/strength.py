"""How strong a linear model over sentence vectors may be, chosen on the training texts themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.protocols.folds import stratified_order

__all__ = ["STRENGTHS", "USUAL_STRENGTH", "chosen_strength", "strength_sample"]

#: The values of C that are tried, in this order.
STRENGTHS = (1.0, 3.0, 10.0, 30.0)

#: Where there are too few texts to choose by.
USUAL_STRENGTH = 3.0

_FOLDS = 3
_MOST_TEXTS = 10_000


def strength_sample(classes: NDArray[np.int32], seed: int) -> NDArray[np.int64]:
    """Places of the texts that a strength is chosen by, in a random order that spreads the classes: all, or 10,000."""
    return stratified_order(classes, np.arange(len(classes)), seed)[:_MOST_TEXTS]


def chosen_strength(rows: Any, classes: NDArray[np.int32], new_learner: Callable[[float], Any]) -> float:
    """The C with which most rows get their class from a model that was trained on other rows, in three folds.

    Many classes want a greater C than few: each has fewer texts to move its weights. Values are tried from the simplest
    model on, and no further than the first that does worse than the best before it.

    Parameters
    ----------
    rows, classes
        Features of texts, in the order of `strength_sample`, and their classes.
    new_learner
        Makes a learner of a C.

    Examples
    --------
    >>> from assay.learners import LogisticRegression
    >>> rows = np.tile(np.eye(2, dtype=np.float32), (6, 1))
    >>> chosen_strength(rows, np.tile(np.array([0, 1], np.int32), 6), lambda C: LogisticRegression(C=C))
    1.0
    """
    places = np.arange(len(classes))
    parts = [(places[places % _FOLDS != k], places[places % _FOLDS == k]) for k in range(_FOLDS)]
    best, most = USUAL_STRENGTH, -1
    if any(np.unique(classes[train]).size < 2 for train, _ in parts):
        return best
    for strength in STRENGTHS:
        right = 0
        for train, test in parts:
            learner = new_learner(strength).fit(rows[train], classes[train])
            right += int((learner.predict(rows[test]) == classes[test]).sum())
        if right < most:
            break
        if right > most:
            best, most = strength, right
    return best
