"""What a model says of some texts, in arrays: one way for texts that are typed and for the rows of files."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from assay.label_sets import LabelSets
from assay.label_tree import ReachedLabels
from assay.prediction.set_decision import SetDecision
from assay.streaming.question import Question

__all__ = ["DECIMALS", "Replies", "ask"]

DECIMALS = 6
"""Of the probabilities that are written."""


class Replies(NamedTuple):
    """The answers to a question about n texts."""

    chosen: npt.NDArray[np.int32]
    """(n,) the class of each text, -1 where the model's own rule abstains; of sets the most probable class."""
    answered: npt.NDArray[np.bool_]
    """(n,) whether there is a class, it is probable enough, and the text not too unlike the training texts."""
    order: npt.NDArray[np.int32]
    """(n, ranks) classes, the chosen one first, then by their probability."""
    probabilities: npt.NDArray[np.float64] | None
    """(n, classes), where they were asked for."""
    novelty: npt.NDArray[np.float64] | None = None
    """(n,) how unlike the training texts each text is, where that was asked for."""
    sets: LabelSets | None = None
    """The classes of each text, where the model gives several or none; an empty set is an answer."""
    best: npt.NDArray[np.float64] | None = None
    """(n, ranks) of a label tree, whose labels are too many for a table, the probabilities of those in `order`."""

    @property
    def certainty(self) -> npt.NDArray[np.float64]:
        """(n,) the probability of the answer: that of the class; of a set, that of what is least sure about it.

        That is the smallest of the probabilities of what was given and of the absence of what was not. The product of
        all of them would fall with every label that there is, and call every text unsure where labels are many.
        """
        assert self.probabilities is not None
        if self.sets is None:
            return np.take_along_axis(self.probabilities, self.order[:, :1], axis=1)[:, 0]
        given = self.sets.table()
        return np.asarray(np.where(given, self.probabilities, 1 - self.probabilities).min(axis=1))


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
    if getattr(model.model, "tree", None) is not None and not (question.proba or with_probabilities):
        return _ask_tree(decision, model.scored(texts), question, ranks)
    scores = model.decision_function(texts)
    sets = _sets(decision, scores, question.threshold) if isinstance(decision, SetDecision) else None
    if sets is None:
        chosen = np.asarray(decision.classes(scores), np.int32)
    else:
        chosen = np.asarray(scores.argmax(axis=1), np.int32)
    novelty = model.known_texts.of(texts, scores) if question.needs_novelty or with_novelty else None
    answered = chosen >= 0
    if question.reject is not None and novelty is not None:
        answered &= novelty < question.reject
    if not (question.needs_probabilities or with_probabilities):
        return Replies(chosen, answered, chosen[:, None], None, novelty, sets)
    probabilities = decision.probabilities(scores)
    if sets is not None:
        chosen = np.asarray(probabilities.argmax(axis=1), np.int32)
    order = best_classes(probabilities, chosen, ranks)
    if question.threshold is not None and sets is None:
        answered &= np.take_along_axis(probabilities, order[:, :1], axis=1)[:, 0] >= question.threshold
    return Replies(chosen, answered, order, probabilities, novelty, sets)


def _ask_tree(decision: SetDecision, found: ReachedLabels, question: Question, ranks: int) -> Replies:
    """The same of the labels that the search of a label tree came to; -1 stands where there are fewer than ranks."""
    told = decision.of_reached(found) if decision.has_probabilities else found
    cut = question.threshold
    sets = decision.sets(found) if cut is None else told.where(told.values >= cut)
    order, best = np.full((len(found), ranks), -1, np.int32), np.zeros((len(found), ranks))
    places = told.ranks()
    first = places < ranks
    order[told.sets.texts[first], places[first]] = told.sets.members[first]
    best[told.sets.texts[first], places[first]] = told.values[first]
    return Replies(order[:, 0], np.ones(len(found), bool), order, None, None, sets, best)


def _sets(decision: SetDecision, scores: npt.NDArray[np.float64], threshold: float | None) -> LabelSets:
    """The sets by the model's own rule, or of the labels that reach the threshold that was asked for."""
    if threshold is None:
        return decision.sets(scores)
    return LabelSets.of_table(decision.probabilities(scores) >= threshold)


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
