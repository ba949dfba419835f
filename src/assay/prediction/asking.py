"""All that a model says of some texts, asked once.

Labels, probabilities and scores of a model of assay come from one reading of the texts, straight from Arrow's buffers.
Models of others are asked for each in turn, and are given plain strings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.label_tree import UNREACHED, ReachedLabels
from assay.prediction.decision import Decision
from assay.prediction.set_decision import SetDecision

__all__ = ["Reply", "ask"]

MOST_CELLS = 5_000_000  # of a table of texts and labels


@dataclass(frozen=True, eq=False)
class Reply:
    """What a model said.

    Attributes
    ----------
    labels
        What `predict` gives: one label a text, None where the model abstains.
    probabilities
        What `predict_proba` gives; None where the model has none.
    scores
        What `decision_function` gives, where there are no probabilities; else None.
    reached
        Of a label tree with too many labels for a table, in the place of both, the labels that the search came to.
    """

    labels: Any
    probabilities: Any = None
    scores: Any = None
    reached: ReachedLabels | None = None

    @property
    def by_label(self) -> NDArray[np.float64] | None:
        """A number for every text and label, (n, n_labels): its probability, else its score; None without either."""
        numbers = self.scores if self.probabilities is None else self.probabilities
        if numbers is None:
            return None
        numbers = np.asarray(numbers, dtype=np.float64)
        return np.column_stack([-numbers, numbers]) if numbers.ndim == 1 else numbers


def ask(model: Any, texts: Any) -> Reply:
    """Let a model predict texts: an Arrow array, or a list of strings.

    Examples
    --------
    >>> from assay import TextClassifier
    >>> model = TextClassifier(learner="nb").fit(["good", "bad"], ["pos", "neg"])
    >>> reply = ask(model, ["good", "a good one"])
    >>> reply.labels.tolist(), reply.probabilities.shape, reply.scores
    (['pos', 'pos'], (2, 2), None)
    """
    decision = getattr(model, "decision", None)
    if isinstance(decision, Decision):
        if isinstance(decision, SetDecision) and getattr(getattr(model, "model", model), "tree", None) is not None:
            return _ask_tree(decision, model.scored(texts))
        scores = model.decision_function(texts)
        labels = decision.predict(scores)
        return (
            Reply(labels, decision.probabilities(scores)) if decision.has_probabilities else Reply(labels, None, scores)
        )
    strings = texts.to_pylist() if hasattr(texts, "to_pylist") else texts
    labels = model.predict(strings)
    if callable(getattr(model, "predict_proba", None)):
        return Reply(labels, model.predict_proba(strings))
    if callable(getattr(model, "decision_function", None)):
        return Reply(labels, None, model.decision_function(strings))
    return Reply(labels)


def _ask_tree(decision: Decision, found: ReachedLabels) -> Reply:
    assert isinstance(decision, SetDecision)
    labels, probable = decision.predict(found), decision.has_probabilities
    if len(found) * len(decision.labels) > MOST_CELLS:
        return Reply(labels, reached=decision.of_reached(found) if probable else found)
    return Reply(labels, decision.probabilities(found)) if probable else Reply(labels, None, found.table(UNREACHED))
