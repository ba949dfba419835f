"""Counting learners: how often each feature occurs with each class, and what is decided from that.

Fitting is counting, so a batch can be added at any time; what the counts mean is up to the event model, which
turns them into the weights and biases of a linear model.
"""

from __future__ import annotations

import math
import warnings
from abc import ABC, abstractmethod
from functools import cached_property
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import logsumexp

from assay.errors import DataError, ParameterError
from assay.learners.base import Learner, TrainingSet
from assay.learners.class_counts import ClassCounts, LinearWeights
from assay.learners.incremental import agree_on_classes
from assay.learners.parameters import check_flag, check_number, threads_of
from assay.logarithms import log
from assay.suggest import shortened

__all__ = ["CountingLearner", "entry_of"]

_SMALLEST_ALPHA = 1e-10


class CountingLearner(Learner, ABC):
    """What the event models share: counts, priors, and posteriors from linear scores.

    A subclass derives its weights from the counts in `_weigh`, and may prepare rows in `_as_events`.
    """

    _takes_negative_values: ClassVar[bool] = False
    _needs_distinct_columns = False
    class_count_: NDArray[np.float64]
    class_log_prior_: NDArray[np.float64]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        tags.input_tags.positive_only = not self._takes_negative_values
        return tags

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Count the features of the rows of each class; earlier counts are forgotten."""
        n_threads = self._check_parameters()
        data = self._check_training(X, y, sample_weight)
        self._forget(data)
        return self._learn(data, n_threads)

    def partial_fit(
        self, X: Any, y: Any, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Add the counts of a batch; `classes` names all labels at the first call."""
        n_threads = self._check_parameters()
        first = not hasattr(self, "classes_")
        known = agree_on_classes(self, classes)
        data = self._check_training(X, y, sample_weight, classes=known, reset=first, min_classes=1)
        if first:
            self._forget(data)
        return self._learn(data, n_threads)

    def predict_joint_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return log P(class) + log P(row | class) for each row and class."""
        X = self._as_events(sparse.csr_array(self._check_rows(X)))
        return self._weights.scores(X, self.intercept_, threads_of(self))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row, the first of equals."""
        winners = self.predict_joint_log_proba(X).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[winners]
        return labels

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return log P(class | row) for each row and class."""
        joint = self.predict_joint_log_proba(X)
        posterior: NDArray[np.float64] = joint - logsumexp(joint, axis=1, keepdims=True)
        return posterior

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return P(class | row) for each row and class."""
        return np.exp(self.predict_log_proba(X))

    @property
    def feature_count_(self) -> NDArray[np.float64]:
        """Weighted sum of each feature over the rows of each class, (n_classes, n_features)."""
        return self._counts.table(self.n_features_in_)

    @cached_property
    def coef_(self) -> NDArray[np.float64]:
        """Weights of the linear form, (n_classes, n_features), written out when first asked for."""
        return self._weights.table(threads_of(self))

    @property
    def feature_log_prob_(self) -> NDArray[np.float64]:
        """Weights in the manner of scikit-learn, (n_classes, n_features)."""
        return self.coef_

    @property
    def intercept_(self) -> NDArray[np.float64]:
        """Biases of the linear form, (n_classes,)."""
        return self.class_log_prior_ + self._weights.biases

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name != "coef_"}

    def _check_parameters(self) -> int:
        for flag in ("force_alpha", "fit_prior"):
            check_flag(self, flag)
        if isinstance(self.alpha, Real):
            check_number(self, "alpha", at_least=0)
        return threads_of(self)

    def _forget(self, data: TrainingSet) -> None:
        self._counts = ClassCounts.none(len(data.classes))
        self.class_count_ = np.zeros(len(data.classes))

    def _learn(self, data: TrainingSet, n_threads: int) -> Self:
        alpha = self._smoothing(data.X.shape[1])
        prior = self._given_prior(len(data.classes))
        X = sparse.csr_array(data.X)
        if not self._takes_negative_values:
            _refuse_negative_counts(X, type(self).__name__)
        X = self._as_events(X)
        self._counts = self._counts.plus(X, data.y, data.weights, n_threads)
        self.class_count_ += np.bincount(data.y, weights=data.weights, minlength=len(data.classes))
        self.class_log_prior_ = self._log_prior() if prior is None else prior
        self._weights = self._weigh(alpha, n_threads).compact(n_threads)
        self.__dict__.pop("coef_", None)
        self.classes_ = data.classes
        return self

    def _as_events(self, X: Any) -> Any:
        return X

    @abstractmethod
    def _weigh(self, alpha: NDArray[np.float64], n_threads: int) -> LinearWeights:
        """Return the weights of the event model for the counts."""

    def _given_prior(self, n_classes: int) -> NDArray[np.float64] | None:
        if self.class_prior is None:
            return None if self.fit_prior else np.full(n_classes, -math.log(n_classes))
        prior = _numbers("class_prior", self.class_prior)
        if prior.shape != (n_classes,):
            raise ParameterError(
                f"class_prior holds {prior.size} numbers but there are {n_classes} classes: number of priors must "
                "match number of classes. Give one for each, in the order of the sorted labels."
            )
        _refuse_negative_parameter("class_prior", prior)
        return log(prior)

    def _log_prior(self) -> NDArray[np.float64]:
        return log(self.class_count_) - log(self.class_count_.sum())  # -inf for a class that no batch has shown yet

    def _smoothing(self, n_features: int) -> NDArray[np.float64]:
        """Return `alpha` as one number or one for each feature, raised to a safe minimum unless forced."""
        alpha = np.atleast_1d(_numbers("alpha", self.alpha))
        if not isinstance(self.alpha, Real) and alpha.shape != (n_features,):
            raise ParameterError(
                "When alpha is an array, it should contain one number for each feature. Got shape "
                f"{alpha.shape} for {n_features} features."
            )
        _refuse_negative_parameter("alpha", alpha)
        if self.force_alpha or alpha.min() >= _SMALLEST_ALPHA:
            return alpha
        warnings.warn(
            f"alpha={alpha.min():g} would give infinite logarithms; {_SMALLEST_ALPHA:g} is taken in its "
            "place. Set force_alpha=True to keep alpha as it is.",
            UserWarning,
            stacklevel=4,
        )
        return np.maximum(alpha, _SMALLEST_ALPHA)


def _numbers(name: str, given: Any) -> NDArray[np.float64]:
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError, RecursionError):
        raise ParameterError(f"{name} must be a number or a list of numbers. Got {shortened(given)} instead.") from None


def _refuse_negative_parameter(name: str, values: NDArray[np.float64]) -> None:
    good = values >= 0
    if not good.all():
        at = int(np.argmin(good))
        raise ParameterError(
            f"{name}, element {at}: {values[at]} found; all values in {name} must be 0 or more. Give numbers "
            "that are not negative."
        )


def _refuse_negative_counts(X: Any, owner: str) -> None:
    if X.nnz and X.data.min() < 0:
        row, column, value = entry_of(X, int(np.argmin(X.data)))
        raise DataError(
            f"Negative values in data passed to {owner}: X, row {row}, column {column} holds {value}, but "
            "counts are 0 or more. Use counts or tf-idf values, or a learner that takes any number, such as "
            "LinearSVC."
        )


def entry_of(X: Any, at: int) -> tuple[int, int, float]:
    """Return row, column and value of the stored entry `at` of a CSR matrix."""
    row = int(np.searchsorted(X.indptr, at, side="right")) - 1
    return row, int(X.indices[at]), float(X.data[at])
