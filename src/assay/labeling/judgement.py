"""What a model says of every text, and how unsure it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.label_sets import Task
from assay.labeling.picks import Label
from assay.prediction.decision import Decision
from assay.prediction.probabilities import Link, link_scores
from assay.suggest import quote

__all__ = ["Judgement"]

Floats = NDArray[np.float64]
_TOLD = 2  # labels of a set that a sentence names


@dataclass(frozen=True, eq=False)
class Judgement:
    """Of each text a number for each label.

    Attributes
    ----------
    names
        The labels, in the order of the columns.
    task
        Whether a text has one label or a set of them.
    table
        Probabilities (n, n_labels).
    are_probabilities
        Whether they are a model's own; otherwise they were made of scores, in order to compare, and are not said.

    Examples
    --------
    >>> table = np.array([[0.9, 0.1], [0.45, 0.55]])
    >>> judgement = Judgement(("ham", "spam"), "labels", table, True)
    >>> judgement.uncertainty.round(2).tolist(), judgement.suggestion(1)
    ([0.2, 0.9], 'spam')
    >>> print(judgement.sentence(1))
    undecided between 'spam' (55%) and 'ham' (45%)
    """

    names: tuple[str, ...]
    task: Task
    table: Floats
    are_probabilities: bool = True

    @classmethod
    def of_model(cls, model: Any, texts: Any) -> Judgement:
        """What a classifier says of texts."""
        decision: Decision = model.decision
        scores = model.decision_function(texts)
        if decision.has_probabilities:
            return cls(decision.labels, decision.task, decision.probabilities(scores))
        link: Link = "independent" if decision.task == "label-sets" else "softmax"
        return cls(decision.labels, decision.task, link_scores(scores, link), False)

    @cached_property
    def uncertainty(self) -> Floats:
        """Of each text, from 0 to 1.

        One label a text: 1 less what the two most probable labels are apart. Sets: the probability that some label of
        the likeliest set is wrong, each label being decided about by itself.
        """
        if self.task == "label-sets":
            return np.asarray(1 - np.prod(np.maximum(self.table, 1 - self.table), axis=1))
        two = np.partition(self.table, -2, axis=1)
        return np.asarray(1 - (two[:, -1] - two[:, -2]))

    def suggestion(self, row: int) -> Label:
        """The most probable label, or the labels that are more likely than not."""
        if self.task == "label-sets":
            return tuple(self.names[k] for k in np.flatnonzero(self.table[row] >= 0.5))
        return self.names[int(self.table[row].argmax())]

    def sentence(self, row: int) -> str:
        """What it is unsure of."""
        said = self.table[row]
        if self.task == "label-sets":
            return f"unsure about {self._listed(np.argsort(np.abs(said - 0.5), kind='stable')[:_TOLD], said)}"
        return f"undecided between {self._listed(np.argsort(-said, kind='stable')[:2], said)}"

    def _listed(self, labels: NDArray[np.intp], said: Floats) -> str:
        return " and ".join(
            quote(self.names[k]) + (f" ({said[k]:.0%})" if self.are_probabilities else "") for k in labels.tolist()
        )
