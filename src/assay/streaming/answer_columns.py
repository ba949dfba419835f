"""What a model says of a batch of texts, as columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assay.data.arrays import boolean_array, integer_array, only_where, string_array
from assay.data.columns.choosing import distinct_names
from assay.data.corpus.labels import set_array
from assay.label_sets import LabelSets
from assay.streaming.question import Question
from assay.streaming.replies import DECIMALS, ask
from assay.streaming.review_list import ReviewList

__all__ = ["AnswerColumns"]


class AnswerColumns:
    """Asks a model and counts what it left unanswered.

    Parameters
    ----------
    model
        A fitted `TextClassifier`.
    question
        What to ask.
    taken
        Names of columns that there are already.
    constants
        Columns with one value for all texts, such as the name of the model.

    Attributes
    ----------
    names
        Of the columns that the answers fill.
    gives_sets
        Whether the first of them holds lists of labels.
    unanswered
        Texts so far that got no label: none was probable enough, the model's own rule abstains, or they are too unlike
        the training texts.
    """

    def __init__(
        self, model: Any, question: Question, taken: list[str], constants: Mapping[str, str] | None = None
    ) -> None:
        self._model = model
        self._question = question
        self._constants = list((constants or {}).values())
        self._labels = string_array(list(model.labels))
        if question.needs_probabilities:
            model.model.decision.require_probabilities()
        if question.needs_novelty:
            _ = model.known_texts  # complains where there is none
        self._ranks = min(question.top or 1, len(model.labels))
        self.gives_sets = model.model.decision.task == "label-sets"
        by_threshold = question.threshold is not None and not question.proba and not self.gives_sets
        self._shows_probability = question.top is not None or by_threshold
        names = ["prediction"]
        if self.gives_sets:
            names += ["best"] * self._shows_probability
        names += ["probability"] * self._shows_probability
        for rank in range(2, self._ranks + 1):
            names += [f"{'best' if self.gives_sets else 'prediction'}_{rank}", f"probability_{rank}"]
        if question.proba:
            names += [f"p({label})" for label in model.labels]
        names += ["novelty"] * question.novelty
        self.names = distinct_names([*names, *(constants or {})], taken)
        self.unanswered = 0

    def columns(
        self, texts: pa.Array, numbers: npt.NDArray[np.int64] | None = None, review: ReviewList | None = None
    ) -> dict[str, pa.Array]:
        """The columns for some texts; a review, if there is one, is told of the answers and of the rows' numbers."""
        also = {"with_probabilities": review is not None}
        also["with_novelty"] = review is not None and self._model.record.novelty is not None
        replies = ask(self._model, texts, self._question, ranks=self._ranks, **also)
        if review is not None and numbers is not None:
            review.add(texts, numbers, replies)
        self.unanswered += int(np.count_nonzero(~replies.answered))
        if replies.sets is None:
            found = [self._names_of(np.where(replies.answered, replies.order[:, 0], np.int32(-1)))]
        else:
            found = [self._sets_of(replies.sets, replies.answered)]
        if replies.best is not None and self._question.needs_probabilities:
            found += self._beside(replies.order, replies.chosen < 0, replies.best)
        elif replies.probabilities is not None and self._question.needs_probabilities:
            values = np.take_along_axis(replies.probabilities, replies.order, axis=1)  # (n, ranks)
            found += self._beside(replies.order, replies.chosen < 0, values)
            if self._question.proba:
                found += [_numbers(column) for column in replies.probabilities.T]
        if replies.novelty is not None and self._question.novelty:
            found.append(_numbers(replies.novelty))
        found += [pa.repeat(pa.scalar(value, pa.large_string()), len(texts)) for value in self._constants]
        return dict(zip(self.names, found, strict=True))

    def _beside(
        self, order: npt.NDArray[np.int32], abstained: npt.NDArray[np.bool_], values: npt.NDArray[np.float64]
    ) -> list[pa.Array]:
        """Probabilities and lesser labels; of a text without a label, the best label comes second."""
        found = [_numbers(values[:, 0])] if self._shows_probability else []
        if self.gives_sets and self._shows_probability:
            found.insert(0, self._names_of(order[:, 0]))
        least = 0.0 if self.gives_sets else self._question.threshold or 0.0
        for rank in range(1, self._ranks):
            labels = np.where(abstained, order[:, rank - 1], order[:, rank])
            p = np.where(abstained, values[:, rank - 1], values[:, rank])
            shown = p >= least
            found += [self._names_of(np.where(shown, labels, np.int32(-1))), _numbers(p, shown)]
        return found

    def _sets_of(self, sets: LabelSets, answered: npt.NDArray[np.bool_]) -> pa.Array:
        """Sets as lists over one dictionary; null where the text was rejected."""
        array = set_array(sets, self._labels)
        return array if answered.all() else only_where(boolean_array(answered), array)

    def _names_of(self, classes: npt.NDArray[np.int32]) -> pa.Array:
        """Labels as dictionary<int32, large_string>; -1 is null."""
        indices = integer_array(classes)
        if (classes < 0).any():
            indices = only_where(boolean_array(classes >= 0), indices)
        return pa.DictionaryArray.from_arrays(indices, self._labels)


def _numbers(values: npt.NDArray[np.float64], shown: npt.NDArray[np.bool_] | None = None) -> pa.Array:
    rounded = np.ascontiguousarray(values.round(DECIMALS))
    array = pa.Array.from_buffers(pa.float64(), len(rounded), [None, pa.py_buffer(rounded)])
    if shown is None or shown.all():
        return array
    return only_where(boolean_array(shown), array)
