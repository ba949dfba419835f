"""From a model's scores to probabilities and sets of labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.label_sets import LabelSets, Task
from assay.label_tree import ReachedLabels
from assay.prediction.decision import Decision
from assay.prediction.probabilities import SET_LINKS, Floats, sigmoid
from assay.prediction.set_rule import SetRule

__all__ = ["SetDecision", "decision_of"]


@dataclass(frozen=True, eq=False)
class SetDecision(Decision):
    """What follows the scores of a model that gives a set of labels: each label is decided about by itself.

    One label is enough, and two have a score each. Without a rule a label is given where its probability is at least
    1/2, or, where there are only scores, its score above 0.

    Examples
    --------
    >>> decision = SetDecision(("sport", "politics"), "independent")
    >>> decision.predict([[1.0, 2.0], [-1.0, -0.5]]).tolist()
    [('sport', 'politics'), ()]
    >>> decision.probabilities([[0.0, 2.0]]).round(3).tolist()
    [[0.5, 0.881]]
    """

    task: ClassVar[Task] = "label-sets"
    links: ClassVar[tuple[str, ...]] = SET_LINKS
    rules: ClassVar[type] = SetRule
    fewest_labels: ClassVar[int] = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        for part in (self.calibration, self.cap):
            if part is not None and not part.independent:
                raise ParameterError(
                    f"The {type(part).__name__} divides a text among the labels, and this model gives sets of labels. "
                    "Fit one with independent=True."
                )

    def probabilities(self, scores: Any) -> Floats:
        """Probability of every label, shape (n, n_labels); 0 where the search of a label tree did not come."""
        if isinstance(scores, ReachedLabels):
            return self.of_reached(scores).table(0.0)
        return super().probabilities(scores)

    def of_reached(self, scores: ReachedLabels) -> ReachedLabels:
        """The probabilities of the labels that the search of a label tree came to."""
        self.require_probabilities()
        values, labels = scores.values, scores.sets.members
        found = sigmoid(values) if self.link is not None else values
        if self.calibration is not None:
            found = self.calibration.of_labels(found if self.calibration.of_probabilities else values, labels)
        return scores.with_values(found if self.cap is None else np.minimum(found, self.cap.values[labels]))

    def sets(self, scores: Any) -> LabelSets:
        """The labels of each row, as numbers."""
        if isinstance(scores, ReachedLabels):
            return self._of_reached(scores)
        if isinstance(self.rule, SetRule):
            return self.rule.apply(self.probabilities(scores))
        if self.has_probabilities:
            return LabelSets.of_table(self._uncapped(scores) >= 0.5)
        return LabelSets.of_table(np.asarray(scores) > 0)

    def _of_reached(self, scores: ReachedLabels) -> LabelSets:
        if isinstance(self.rule, SetRule):
            return self.rule.of_reached(self.of_reached(scores))
        if self.has_probabilities:
            return scores.where(self.of_reached(scores).values >= 0.5)
        return scores.where(scores.values > 0)

    def predict(self, scores: Any) -> NDArray[Any]:
        """The labels of each row, as text: a tuple a row, in the order of `labels`."""
        return self._tuples(self.labels, scores)

    def answer(self, scores: Any) -> NDArray[Any]:
        """The same in the type in which labels were given."""
        return self._tuples(self.values.tolist(), scores)

    def _tuples(self, labels: Any, scores: Any) -> NDArray[Any]:
        named = self.sets(scores).names(labels)
        found = np.empty(len(named), dtype=object)
        found[:] = named
        return found

    def classes(self, scores: Any) -> NDArray[Any]:
        """There is not one label a row."""
        raise ParameterError(
            "This model gives each text a set of labels, not one label: ask for its sets. To rank the labels of a "
            "text, use predict_proba or decision_function."
        )


def decision_of(task: Task) -> type[Decision]:
    """What follows the scores of models of a task."""
    return SetDecision if task == "label-sets" else Decision
