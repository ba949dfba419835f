"""Passes over the examples that learn from mistakes: what the perceptrons share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import DataError, ParameterError
from assay.learners.base import Learner, TrainingSet
from assay.learners.examples import Examples
from assay.learners.incremental import agree_on_classes
from assay.learners.parameters import check_flag, check_number, seed_of, threads_of
from assay.memory_room import require_room_for_weights

__all__ = ["MistakeDrivenLearner"]


class MistakeDrivenLearner(Learner, ABC):
    """Base of the perceptrons: epochs until one passes without a mistake, or `max_iter` of them.

    A subclass says how to `_start`, what an epoch does to its state (`_learn`, which returns the number of
    mistakes), and what is read off the state in the end (`_conclude`).
    """

    _needs_distinct_columns = False
    mistakes_: NDArray[np.int64]

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from X and y; a row of weight k counts as k copies of it, one after the other."""
        n_threads = self._check_parameters()
        seed = seed_of(self)
        data = self._check_training(X, y, sample_weight, class_weight=self.class_weight)
        examples = Examples.prepare(data.X, data.y, data.weights, shuffle=self.shuffle, n_threads=n_threads)
        if self.warm_start and hasattr(self, "classes_"):
            self._refuse_other_shape(data)
        else:
            self._begin(data)
        mistakes: list[int] = []
        while len(mistakes) < self.max_iter and (not mistakes or mistakes[-1] > 0):
            mistakes.append(self._run_epoch(examples, seed))
        self.mistakes_ = np.array(mistakes)
        self.separable_ = mistakes[-1] == 0
        return self._end(data, examples)

    def partial_fit(
        self, X: Any, y: Any, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Learn from one pass over a batch; `classes` names all labels at the first call."""
        n_threads = self._check_parameters()
        seed = seed_of(self)
        owner = type(self).__name__
        first = not hasattr(self, "classes_")
        known = agree_on_classes(self, classes)
        if isinstance(self.class_weight, str):
            raise ParameterError(
                f"class_weight={self.class_weight!r} cannot be used with partial_fit of {owner}: "
                "a batch does not tell how frequent the classes are. Give a dict from label to weight."
            )
        data = self._check_training(
            X, y, sample_weight, classes=known, class_weight=self.class_weight, reset=first, min_classes=1
        )
        examples = Examples.prepare(data.X, data.y, data.weights, shuffle=self.shuffle, n_threads=n_threads)
        if first:
            self._begin(data)
            self.mistakes_ = np.array([], dtype=np.int64)
        self.mistakes_ = np.append(self.mistakes_, self._run_epoch(examples, seed))
        self.separable_ = False
        return self._end(data, examples)

    def _check_parameters(self) -> int:
        check_number(self, "max_iter", at_least=1, integer=True)
        for flag in ("fit_intercept", "shuffle", "warm_start"):
            check_flag(self, flag)
        return threads_of(self)

    def _begin(self, data: TrainingSet) -> None:
        n_classes = len(data.classes)
        self._epochs = 0
        n_outputs = 1 if n_classes == 2 else n_classes
        require_room_for_weights(data.X.shape[1], n_outputs)
        self._start(data.X.shape[1], n_outputs)

    def _run_epoch(self, examples: Examples, seed: int) -> int:
        try:
            mistakes = self._learn(examples, examples.order(seed, self._epochs))
        except (OverflowError, ParameterError) as error:
            self.__dict__.pop("classes_", None)  # an epoch that was broken off leaves nothing to go on from
            if isinstance(error, ParameterError):
                raise
            raise DataError(
                f"{type(self).__name__}: {error} is no longer a finite number: the values in X are too large "
                "to be added up. Scale X, for example to rows of length 1."
            ) from None
        self._epochs += 1
        return mistakes

    def _end(self, data: TrainingSet, examples: Examples) -> Self:
        self.n_iter_ = len(self.mistakes_)
        self._conclude(examples)
        self.classes_ = data.classes
        return self

    def _refuse_other_shape(self, data: TrainingSet) -> None:
        if not np.array_equal(data.classes, self.classes_) or data.X.shape[1] != self._n_features():
            raise DataError(
                f"warm_start goes on from a {type(self).__name__} with {self._n_features()} features and the "
                f"classes {self.classes_.tolist()}, but the data has {data.X.shape[1]} features and the "
                f"classes {data.classes.tolist()}. Set warm_start=False, or bring the same features and "
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
