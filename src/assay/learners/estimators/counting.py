"""Counting learners: how often each feature occurs with each class, and what is decided from that.

Fitting is counting, so a batch can be added at any time; what the counts mean is up to the event model, which
turns them into the weights and biases of a linear model.
"""

from __future__ import annotations

import math
import warnings
from functools import cached_property
from numbers import Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import log_expit, logsumexp
from sklearn.utils.metaestimators import available_if

from assay.errors import DataError, ParameterError
from assay.learners.estimators.base import Learner
from assay.learners.estimators.incremental import agree_on_classes
from assay.learners.parameters import check_flag, check_number, threads_of
from assay.learners.solvers.class_counts import LinearWeights
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.learned_state import CountedRows
from assay.learners.solvers.naive_bayes import NaiveBayesSettings, log_prior, weigh_counts
from assay.learners.solvers.naive_bayes_odds import log_odds, settled, weigh_odds
from assay.logarithms import log
from assay.suggest import shortened

__all__ = ["CountingLearner", "entry_of"]

_SMALLEST_ALPHA = 1e-10


def _learned_label_sets(learner: Learner) -> bool:
    return learner.multilabel_


class CountingLearner(Learner):
    """What the event models share: counts, priors, and posteriors from linear scores.

    A subclass says which `_events` it counts, and may prepare rows in `_as_events`.
    """

    _events: ClassVar[Literal["multinomial", "complement", "bernoulli"]]
    _takes_negative_values: ClassVar[bool] = False
    _needs_distinct_columns = False
    _takes_dense_rows = False
    alpha: float | ArrayLike
    force_alpha: bool
    fit_prior: bool
    class_prior: ArrayLike | None
    class_count_: NDArray[np.float64]
    class_log_prior_: NDArray[np.float64]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        tags.input_tags.positive_only = not self._takes_negative_values
        return tags

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Count the features of the rows of each class; earlier counts are forgotten."""
        self._check_parameters()
        rows = self._check_training(X, y, sample_weight)
        self._warn_about_constants(rows)
        self._forget(rows)
        return self._learn(rows)

    def partial_fit(
        self, X: Any, y: Any, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Add the counts of a batch; `classes` names all labels at the first call."""
        self._check_parameters()
        first = not hasattr(self, "classes_")
        known = agree_on_classes(self, y, classes)
        rows = self._check_training(X, y, sample_weight, classes=known, reset=first, min_classes=1)
        if first:
            self._forget(rows)
        return self._learn(rows)

    def solver_settings(self) -> NaiveBayesSettings:
        """The parameters as the solver has them."""
        return NaiveBayesSettings(self._events, self._smoothing(), norm=bool(getattr(self, "norm", False)))

    def learned_state(self) -> CountedRows | None:
        """What more rows can be added to; None of label sets."""
        return None if self.multilabel_ else CountedRows(self._counts, self.class_count_)

    def predict_joint_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return log P(class) + log P(row | class) for each row and class."""
        self._check_is_fitted()
        if self.multilabel_:
            raise DataError(
                f"This {type(self).__name__} learned label sets, each label against its complement, and has no joint "
                "probabilities. Use decision_function for the log-odds of each label."
            )
        return self._scores(X)

    @available_if(_learned_label_sets)
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the log-odds of each row and label; where label sets were learned."""
        return self._scores(X)

    def _scores(self, X: Any) -> NDArray[np.float64]:
        X = self._as_events(sparse.csr_array(self._check_rows(X)))
        return self._weights.scores(X, self.intercept_, threads_of(self))

    def predict(self, X: Any) -> Any:
        """Return the most probable class of each row, the first of equals; of label sets an indicator."""
        if self.multilabel_:
            return self._form.of(self._scores(X) > 0)
        winners = self.predict_joint_log_proba(X).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[winners]
        return labels

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return log P(class | row) for each row and class."""
        if self.multilabel_:
            return np.asarray(log_expit(self._scores(X)))
        joint = self.predict_joint_log_proba(X)
        posterior: NDArray[np.float64] = joint - logsumexp(joint, axis=1, keepdims=True)
        return posterior

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return P(class | row) for each row and class."""
        return np.exp(self.predict_log_proba(X))

    @property
    def feature_count_(self) -> NDArray[np.float64]:
        """Weighted sum of each feature over the rows of each class, (n_classes, n_features)."""
        table = self._counts.table(self.n_features_in_)
        return table[:-1] if self.multilabel_ else table

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
        return self._settled(self.class_log_prior_ + self._weights.biases)

    def _settled(self, biases: NDArray[np.float64]) -> NDArray[np.float64]:
        """With those of labels that no row has, or every row, so far off that they decide."""
        return settled(biases, self.class_count_, self._n_rows) if self.multilabel_ else biases

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name != "coef_"}

    def _check_parameters(self) -> None:
        for flag in ("force_alpha", "fit_prior"):
            check_flag(self, flag)
        if isinstance(self.alpha, Real):
            check_number(self, "alpha", at_least=0)

    def _forget(self, rows: LabelledRows) -> None:
        self._counts = rows.no_counts()
        self.class_count_ = np.zeros(rows.n_classes)
        self._n_rows = 0.0

    def _learn(self, rows: LabelledRows) -> Self:
        settings = self.solver_settings()
        self._warn_about_raised_alpha()
        prior = self._given_prior(rows.n_classes, each=rows.have_sets)
        if not self._takes_negative_values:
            _refuse_negative_counts(rows.X, type(self).__name__)
        X, n_threads = self._as_events(rows.X), rows.n_threads
        self._counts = self._counts.plus(X, rows.counted_classes, rows.row_weights, n_threads)
        self.class_count_ += rows.class_sizes
        self._n_rows += float(rows.row_weights.sum())
        if rows.have_sets:
            learned = log_odds(self.class_count_, self._n_rows)
            sizes = np.append(self.class_count_, self._n_rows)
            found = weigh_odds(self._counts, sizes, self.n_features_in_, settings)
        else:
            learned = log_prior(self.class_count_)
            found = weigh_counts(self._counts, self.class_count_, self.n_features_in_, settings, n_threads)
        self.class_log_prior_ = learned if prior is None else prior
        self._weights: LinearWeights = found.compact(n_threads)
        self.__dict__.pop("coef_", None)
        self.classes_ = rows.labels
        return self

    def _as_events(self, X: Any) -> Any:
        return X

    def _given_prior(self, n_classes: int, *, each: bool) -> NDArray[np.float64] | None:
        """What replaces the prior that is learned: log P(class), or with `each` class on its own its log-odds."""
        if self.class_prior is None:
            if self.fit_prior:
                return None
            return np.zeros(n_classes) if each else np.full(n_classes, -math.log(n_classes))
        prior = _numbers("class_prior", self.class_prior)
        if prior.shape != (n_classes,):
            raise ParameterError(
                f"class_prior holds {prior.size} numbers but there are {n_classes} classes: number of priors must "
                "match number of classes. Give one for each, in the order of the sorted labels."
            )
        _refuse_negative_parameter("class_prior", prior)
        if not each:
            return log(prior)
        if (prior >= 1).any() or (prior <= 0).any():
            raise ParameterError(
                f"class_prior={prior.tolist()}: the probability of each label of a set lies between 0 and 1, "
                "both left out."
            )
        return log(prior) - log(1 - prior)

    def _smoothing(self) -> NDArray[np.float64]:
        """Return `alpha` as one number or one for each feature, raised to a safe minimum unless forced."""
        alpha, n_features = np.atleast_1d(_numbers("alpha", self.alpha)), self.n_features_in_
        if not isinstance(self.alpha, Real) and alpha.shape != (n_features,):
            raise ParameterError(
                "When alpha is an array, it should contain one number for each feature. Got shape "
                f"{alpha.shape} for {n_features} features."
            )
        _refuse_negative_parameter("alpha", alpha)
        return alpha if self.force_alpha else np.maximum(alpha, _SMALLEST_ALPHA)

    def _warn_about_raised_alpha(self) -> None:
        least = np.min(_numbers("alpha", self.alpha))
        if not self.force_alpha and least < _SMALLEST_ALPHA:
            warnings.warn(
                f"alpha={least:g} would give infinite logarithms; {_SMALLEST_ALPHA:g} is taken in its place. Set "
                "force_alpha=True to keep alpha as it is.",
                UserWarning,
                stacklevel=4,
            )


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
            f"Negative values in data passed to {owner}: X[{row}, {column}] holds {value}, but "
            "counts are 0 or more. Use counts or tf-idf values, or a learner that takes any number, such as "
            "LinearSVC."
        )


def entry_of(X: Any, at: int) -> tuple[int, int, float]:
    """Return row, column and value of the stored entry `at` of a CSR matrix."""
    row = int(np.searchsorted(X.indptr, at, side="right")) - 1
    return row, int(X.indices[at]), float(X.data[at])
