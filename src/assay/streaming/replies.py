"""What a model says of some texts, in arrays: one way for texts that are typed and for the rows of files."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from assay.streaming.question import Question

__all__ = ["DECIMALS", "Replies", "ask"]

DECIMALS = 6
"""Of the probabilities that are written."""


class Replies(NamedTuple):
    """The answers to a question about n texts."""

    chosen: npt.NDArray[np.int32]
    """(n,) the class of each text, -1 where the model's own rule abstains."""
    answered: npt.NDArray[np.bool_]
    """(n,) whether there is a class, it is probable enough, and the text not too unlike the training texts."""
    order: npt.NDArray[np.int32]
    """(n, ranks) classes, the chosen one first, then by their probability."""
    probabilities: npt.NDArray[np.float64] | None
    """(n, classes), where they were asked for."""
    novelty: npt.NDArray[np.float64] | None = None
    """(n,) how unlike the training texts each text is, where that was asked for."""


def ask(
    model: Any,
    texts: Any,
    question: Question,
    *,
    ranks: int = 1,
    with_probabilities: bool = False,
    with_novelty: bool = False,
) -> Replies:
    """Ask a fitted `TextClassifier`; of each text the best `ranks` classes are put in order."""
    decision = model.model.decision
    if question.needs_probabilities:
        decision.require_probabilities()
    scores = model.decision_function(texts)
    chosen = np.asarray(decision.classes(scores), np.int32)
    novelty = model.known_texts.of(texts, scores) if question.needs_novelty or with_novelty else None
    answered = chosen >= 0
    if question.reject is not None and novelty is not None:
        answered &= novelty < question.reject
    if not (question.needs_probabilities or with_probabilities):
        return Replies(chosen, answered, chosen[:, None], None, novelty)
    probabilities = decision.probabilities(scores)
    order = best_classes(probabilities, chosen, ranks)
    if question.threshold is not None:
        answered &= np.take_along_axis(probabilities, order[:, :1], axis=1)[:, 0] >= question.threshold
    return Replies(chosen, answered, order, probabilities, novelty)


def best_classes(
    probabilities: npt.NDArray[np.float64], chosen: npt.NDArray[np.int32], n: int
) -> npt.NDArray[np.int32]:
    """The `n` best classes of each row: the chosen one if there is one, then the others by their probability.

    Examples
    --------
    >>> probabilities = np.array([[0.2, 0.5, 0.3], [0.1, 0.7, 0.2], [0.1, 0.6, 0.3]])
    >>> best_classes(probabilities, np.array([1, 2, -1], np.int32), 2).tolist()
    [[1, 2], [2, 1], [1, 2]]
    """
    if n == 1 and (chosen >= 0).all():
        return chosen[:, None]
    order = np.array(probabilities)
    rows = np.flatnonzero(chosen >= 0)
    order[rows, chosen[rows]] = np.inf
    return np.argsort(-order, axis=1, kind="stable")[:, :n].astype(np.int32)
