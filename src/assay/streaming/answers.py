"""What a model says of a batch of texts, as columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assay.data.arrays import boolean_array, integer_array, only_where, string_array
from assay.data.columns.choosing import distinct_names
from assay.streaming.question import Question

__all__ = ["Answers"]

DECIMALS = 6


class Answers:
    """Asks a model and counts what it left unanswered.

    Parameters
    ----------
    model
        A fitted `TextClassifier`.
    question
        What to ask.
    taken
        Names of columns that there are already.

    Attributes
    ----------
    names
        Of the columns that the answers fill.
    unanswered
        Texts so far that got no label: none was probable enough, or the model's own rule abstains.
    """

    def __init__(self, model: Any, question: Question, taken: list[str]) -> None:
        self._model = model
        self._decision = model.model.decision
        self._question = question
        self._labels = string_array(list(model.labels))
        if question.needs_probabilities:
            self._decision.require_probabilities()
        self._ranks = min(question.top or 1, len(model.labels))
        self._shows_probability = question.top is not None or (question.threshold is not None and not question.proba)
        names = ["prediction", *["probability"] * self._shows_probability]
        for rank in range(2, self._ranks + 1):
            names += [f"prediction_{rank}", f"probability_{rank}"]
        if question.proba:
            names += [f"p({label})" for label in model.labels]
        self.names = distinct_names(names, taken)
        self.unanswered = 0

    def columns(self, texts: pa.Array) -> dict[str, pa.Array]:
        """The columns for some texts."""
        scores = self._model.decision_function(texts)
        classes = np.asarray(self._decision.classes(scores), np.int32)
        if not self._question.needs_probabilities:
            self.unanswered += int(np.count_nonzero(classes < 0))
            return {self.names[0]: self._names_of(classes)}
        probabilities = self._decision.probabilities(scores)
        ranked = ranked_classes(probabilities, classes, self._ranks)  # (n, ranks)
        # Where the rule abstains, the probability is that of the label that was not probable enough.
        shown = np.where(ranked < 0, probabilities.argmax(axis=1)[:, None], ranked)
        values = np.take_along_axis(probabilities, shown, axis=1)
        if self._question.threshold is not None:
            ranked = np.where(values < self._question.threshold, np.int32(-1), ranked)
        self.unanswered += int(np.count_nonzero(ranked[:, 0] < 0))
        found = [self._names_of(ranked[:, 0])]
        if self._shows_probability:
            found.append(_numbers(values[:, 0]))
        for rank in range(1, self._ranks):
            found += [self._names_of(ranked[:, rank]), _numbers(values[:, rank], ranked[:, rank] >= 0)]
        if self._question.proba:
            found += [_numbers(probabilities[:, k]) for k in range(probabilities.shape[1])]
        return dict(zip(self.names, found, strict=True))

    def _names_of(self, classes: npt.NDArray[np.int32]) -> pa.Array:
        """Labels as dictionary<int32, large_string>; -1 is null."""
        indices = integer_array(classes)
        if (classes < 0).any():
            indices = only_where(boolean_array(classes >= 0), indices)
        return pa.DictionaryArray.from_arrays(indices, self._labels)


def ranked_classes(
    probabilities: npt.NDArray[np.float64], chosen: npt.NDArray[np.int32], n: int
) -> npt.NDArray[np.int32]:
    """The `n` best classes of each row: the chosen one, or -1 where none was, then the others by their probability.

    Examples
    --------
    >>> ranked_classes(np.array([[0.2, 0.5, 0.3], [0.1, 0.7, 0.2]]), np.array([1, 2], np.int32), 2).tolist()
    [[1, 2], [2, 1]]
    >>> ranked_classes(np.array([[0.2, 0.5, 0.3]]), np.array([-1], np.int32), 2).tolist()
    [[-1, 1]]
    """
    if n == 1:
        return chosen[:, None]
    order = np.array(probabilities)
    rows = np.flatnonzero(chosen >= 0)
    order[rows, chosen[rows]] = np.inf
    best = np.argsort(-order, axis=1, kind="stable")[:, :n].astype(np.int32)
    none = chosen < 0
    best[none, 1:] = best[none, :-1]
    best[none, 0] = -1
    return best


def _numbers(values: npt.NDArray[np.float64], shown: npt.NDArray[np.bool_] | None = None) -> pa.Array:
    rounded = np.ascontiguousarray(values.round(DECIMALS))
    array = pa.Array.from_buffers(pa.float64(), len(rounded), [None, pa.py_buffer(rounded)])
    if shown is None or shown.all():
        return array
    return only_where(boolean_array(shown), array)
