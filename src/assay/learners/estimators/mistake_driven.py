"""Passes over the examples that learn from mistakes: what the perceptrons share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import DataError, ParameterError
from assay.learners.estimators.base import Learner
from assay.learners.estimators.incremental import agree_on_classes
from assay.learners.parameters import check_flag, check_number
from assay.learners.solvers.averaged_perceptron import run_epochs
from assay.learners.solvers.examples import Examples
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.memory_room import require_room_for_weights

__all__ = ["MistakeDrivenLearner"]


class MistakeDrivenLearner(Learner, ABC):
    """Base of the perceptrons: epochs until one passes without a mistake, or `max_iter` of them.

    A subclass says how to `_start`, what an epoch does to its state (`_learn`, which returns the number of
    mistakes), and what is read off the state in the end (`_conclude`).
    """

    _needs_distinct_columns = False
    _takes_dense_rows = False
    max_iter: int
    shuffle: bool
    warm_start: bool
    mistakes_: NDArray[np.int64]

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from X and y; a row of weight k counts as k copies of it, one after the other."""
        self._check_parameters()
        goes_on = self.warm_start and hasattr(self, "classes_")
        if goes_on and y is not None:
            self._refuse_other_columns(y)
        rows = self._check_training(X, y, sample_weight)
        if goes_on:
            self._refuse_other_shape(rows)
        else:
            self._begin(rows)
        self.mistakes_ = np.array([], dtype=np.int64)
        self._run_epochs(rows, self.max_iter)
        self.separable_ = bool(self.mistakes_[-1] == 0)
        return self

    def partial_fit(
        self, X: Any, y: Any, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Learn from one pass over a batch; `classes` names all labels at the first call."""
        self._check_parameters()
        first = not hasattr(self, "classes_")
        known = agree_on_classes(self, y, classes)
        if isinstance(self.class_weight, str):
            raise ParameterError(
                f"class_weight={self.class_weight!r} cannot be used with partial_fit of {type(self).__name__}: "
                "a batch does not tell how frequent the classes are. Give a dict from label to weight."
            )
        rows = self._check_training(X, y, sample_weight, classes=known, reset=first, min_classes=1)
        if first:
            self._begin(rows)
            self.mistakes_ = np.array([], dtype=np.int64)
        self._run_epochs(rows, 1)
        self.separable_ = False
        return self

    def _check_parameters(self) -> None:
        check_number(self, "max_iter", at_least=1, integer=True)
        for flag in ("fit_intercept", "shuffle", "warm_start"):
            check_flag(self, flag)

    def _begin(self, rows: LabelledRows) -> None:
        self._epochs = 0
        require_room_for_weights(rows.X.shape[1], rows.n_outputs)
        self._start(rows.X.shape[1], rows.n_outputs)

    def _run_epochs(self, rows: LabelledRows, most: int) -> None:
        try:
            examples = Examples.prepare(rows, shuffle=self.shuffle)
            mistakes = run_epochs(self._learn, examples, rows.seed, most, self._epochs)
        except (DataError, ParameterError):
            self.__dict__.pop("classes_", None)  # an epoch that was broken off leaves nothing to go on from
            raise
        self._epochs += len(mistakes)
        self.mistakes_ = np.append(self.mistakes_, mistakes)
        self.n_iter_ = len(self.mistakes_)
        self._conclude(examples)
        self.classes_ = rows.labels

    def _refuse_other_shape(self, rows: LabelledRows) -> None:
        if not np.array_equal(rows.labels, self.classes_) or rows.X.shape[1] != self._n_features():
            raise DataError(
                f"warm_start goes on from a {type(self).__name__} with {self._n_features()} features and the "
                f"classes {self.classes_.tolist()}, but the data has {rows.X.shape[1]} features and the "
                f"classes {rows.labels.tolist()}. Set warm_start=False, or bring the same features and "
                "classes."
            )

    @abstractmethod
    def _n_features(self) -> int:
        """Return the number of features of the state."""

    @abstractmethod
    def _start(self, n_features: int, n_outputs: int) -> None:
        """Begin with zero weights."""

    @abstractmethod
    def _learn(self, examples: Examples, order: NDArray[np.int64]) -> int:
        """Present the rows in `order`, and return the number of mistakes."""

    @abstractmethod
    def _conclude(self, examples: Examples) -> None:
        """Set the fitted attributes; `examples` are those of the last epochs."""
