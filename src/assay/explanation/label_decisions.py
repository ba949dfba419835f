"""Whether each label of a set was given, and how far its score is from where that changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.prediction.decision import Decision
from assay.prediction.set_rule import SetRule

__all__ = ["LabelDecider", "LabelDecision", "given_by", "score_bars", "thresholds_of"]

Floats = NDArray[np.float64]
_FARTHEST = 1e6  # scores beyond which no text's score lies
_HALVINGS = 90


@dataclass(frozen=True, slots=True)
class LabelDecision:
    """One label of a model that gives sets of them.

    Attributes
    ----------
    label, given
        The label, and whether the text was given it.
    probability, threshold
        Its probability and from which on it is given; None where the model has only scores, or its rule no thresholds.
    score, distance
        Its score (None where a model was only asked for probabilities), and by how much that is above (or below) the
        score at which the threshold is reached; None where there is no threshold, or where no score reaches it.
    """

    label: str
    given: bool
    probability: float | None
    threshold: float | None
    score: float | None
    distance: float | None


class LabelDecider:
    """Whether texts are given one label, for the search of words that this hangs on."""

    def __init__(self, model: Any, label: str) -> None:
        self.model, self.label = model, label

    def predict(self, texts: list[str], /) -> NDArray[np.bool_]:
        """True for each text that is given the label."""
        return np.array([self.label in map(str, given) for given in self.model.predict(texts).tolist()], dtype=bool)


def given_by(decision: Decision, probabilities: Floats) -> tuple[str, ...]:
    """The labels that a text of these probabilities is given.

    Examples
    --------
    >>> from assay.prediction.set_decision import SetDecision
    >>> given_by(SetDecision(("a", "b"), "independent"), np.array([0.2, 0.5]))
    ('b',)
    """
    if isinstance(decision.rule, SetRule):
        return tuple(decision.rule.apply(probabilities[None, :]).names(decision.labels)[0])
    return tuple(label for label, value in zip(decision.labels, probabilities.tolist(), strict=True) if value >= 0.5)


def thresholds_of(decision: Decision) -> Floats | None:
    """The probability from which on each label is given; None where there are only scores, or no thresholds.

    Examples
    --------
    >>> from assay.prediction.set_decision import SetDecision
    >>> thresholds_of(SetDecision(("a", "b"), "independent")).tolist()
    [0.5, 0.5]
    """
    if isinstance(decision.rule, SetRule):
        return decision.rule.thresholds()
    return np.full(len(decision.labels), 0.5) if decision.has_probabilities else None


def score_bars(decision: Decision) -> Floats | None:
    """The least score with which each label reaches its threshold: infinite where none does; None without thresholds.

    The probability of a label rises with its score and hangs on no other, so halving an interval finds the place.

    Examples
    --------
    >>> from assay.prediction.set_decision import SetDecision
    >>> rule = SetRule(("a", "b"), "each", np.array([0.5, 1.5]))
    >>> score_bars(SetDecision(("a", "b"), "independent", rule=rule)).round(6).tolist() == [0.0, np.inf]
    True
    """
    if not decision.has_probabilities:
        return np.zeros(len(decision.labels))
    thresholds = thresholds_of(decision)
    if thresholds is None:
        return None
    low, high = np.full(thresholds.shape, -_FARTHEST), np.full(thresholds.shape, _FARTHEST)
    never = decision.probabilities(high[None, :])[0] < thresholds
    always = decision.probabilities(low[None, :])[0] >= thresholds
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        reached = decision.probabilities(middle[None, :])[0] >= thresholds
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
    return np.where(never, np.inf, np.where(always, -np.inf, high))
