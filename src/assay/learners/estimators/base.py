"""What every learner shares: checked input, class indices, example weights, scores from linear weights."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn import exceptions
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from assay import _native
from assay.data.corpus.two_classes import one_class_only
from assay.errors import DataError, NotFittedError
from assay.learners.estimators.indicators import IndicatorForm, is_indicator, read_indicator
from assay.learners.estimators.labels import check_sample_weight, encode_labels, index_labels
from assay.learners.parameters import seed_of, threads_of
from assay.learners.solvers.class_weights import resolved_class_weight
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.targets import Classes
from assay.suggest import quoted

__all__ = ["Learner", "LinearLearner", "UnfittedLearnerError", "check_rows", "without_repeats"]


class UnfittedLearnerError(NotFittedError, exceptions.NotFittedError):
    """A learner was asked before it was fitted; scikit-learn's code catches it as its own."""


class Learner(ClassifierMixin, BaseEstimator):
    """Base of all learners: scikit-learn's contract, with errors that name the row and the way out.

    A subclass calls `_check_training` in `fit` (and in `partial_fit`, with `classes`), `_check_rows` in
    everything that predicts, and sets `classes_` last.
    """

    # No row names a column twice in training; a learner that takes rows as they are sets this to False.
    _needs_distinct_columns: ClassVar[bool] = True
    _takes_dense_rows: ClassVar[bool] = True
    _takes_label_sets: ClassVar[bool] = True
    class_weight: Any = None
    classes_: NDArray[Any]
    multilabel_: bool = False  # whether label sets were learned
    label_names: Sequence[str] | None = None  # what the columns of label sets are called in messages, if not by number
    _form: IndicatorForm

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_label = self._takes_label_sets
        return tags

    def _check_training(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        classes: NDArray[Any] | None = None,
        reset: bool = True,
        min_classes: int = 2,
    ) -> LabelledRows:
        """Check rows, labels and weights together, for a solver; `classes` gives the labels, else y has them all."""
        owner = type(self).__name__
        n_labels = _n_rows(y)
        as_sets = y is not None and is_indicator(y)
        if y is not None and n_labels is not None and (n_rows := _n_rows(X)) not in (None, n_labels):
            raise DataError(
                f"X has {n_rows} rows but y has {n_labels} labels: their lengths differ. Give one label each."
            )
        X = self._check_rows(X, reset=reset)
        if self._needs_distinct_columns:
            X = without_repeats(X)
        if as_sets or (classes is not None and self._learned_sets()):
            return self._check_label_sets(X, y, sample_weight, classes, going_on=not reset)
        if classes is None:
            _refuse_emptiness(X, owner)
            classes, indices = encode_labels(y, owner)
        else:
            indices = index_labels(y, classes, owner)
        if len(indices) != X.shape[0]:
            raise DataError(f"X has {X.shape[0]} rows but y has {len(indices)} labels. Give one label a row.")
        weights = check_sample_weight(sample_weight, X.shape[0])
        present = np.unique(indices[weights > 0])
        if len(present) < min_classes:
            weighing = "" if len(present) == len(classes) else " of weight above zero"
            raise one_class_only(
                "y",
                int((weights > 0).sum()),
                classes.tolist()[present[0]],
                unit=(f"row{weighing} has", f"rows{weighing} have"),
                who=owner,
                way_out="Check that the right column was taken for the labels.",
            )
        self.multilabel_ = False
        return self._labelled(X, indices, classes, weights)

    def _check_label_sets(
        self, X: Any, Y: Any, sample_weight: Any, classes: NDArray[Any] | None, *, going_on: bool
    ) -> LabelledRows:
        """The same of an indicator matrix, whose columns are called by their numbers."""
        owner = type(self).__name__
        if not self._takes_label_sets:
            raise DataError(
                f"Y has {Y.shape[1]} columns, an indicator of label sets, but {owner} learns one label a row. Use "
                "AveragedPerceptron, LinearSVC or LogisticRegression."
            )
        if going_on:
            self._refuse_other_columns(Y)
        sets, form = read_indicator(Y, owner)
        labels = np.arange(sets.n_classes)
        if classes is not None and len(classes) != len(labels):
            raise DataError(
                f"Y has {len(labels)} columns, but `classes` names {len(classes)} labels. Give a column for each label."
            )
        if len(sets) != X.shape[0]:
            raise DataError(f"X has {X.shape[0]} rows but Y has {len(sets)}. Give one set of labels a row.")
        if classes is None:
            _refuse_emptiness(X, owner)
        self.multilabel_, self._form = True, form
        return self._labelled(X, sets, labels, check_sample_weight(sample_weight, X.shape[0]))

    def _labelled(self, X: Any, classes: Classes, labels: NDArray[Any], weights: NDArray[np.float64]) -> LabelledRows:
        X = X if self._takes_dense_rows else sparse.csr_array(X)
        class_weight = resolved_class_weight(self.class_weight, labels.tolist(), type(self).__name__)
        return LabelledRows(X, classes, labels, weights, class_weight, seed_of(self), threads_of(self))

    def _learned_sets(self) -> bool:
        return bool(getattr(self, "multilabel_", False)) and hasattr(self, "classes_")

    def _refuse_other_columns(self, Y: Any) -> None:
        """Refuse labels of another form than those that were learned."""
        owner = type(self).__name__
        if self._learned_sets() and not is_indicator(Y):
            raise DataError(
                f"y has one label a row, but this {owner} learned sets of {len(self.classes_)} labels. Give a column "
                "of 0 and 1 for each of them."
            )
        if not self._learned_sets() and is_indicator(Y):
            raise DataError(
                f"Y has shape {np.shape(Y)}, label sets, but this {owner} learned one label a row. Give one label a "
                "row, or fit it to label sets."
            )
        if self._learned_sets() and np.shape(Y)[1] != len(self.classes_):
            raise DataError(
                f"Y has {np.shape(Y)[1]} columns, but this {owner} learned sets of {len(self.classes_)} labels. Give a "
                "column for each of them, in the same order."
            )

    def _warn_about_constants(self, rows: LabelledRows) -> None:
        """Say which labels of sets could not be learned; called by `fit` before the solver."""
        if not rows.have_sets or not (constant := rows.is_constant).any():
            return
        numbers = np.flatnonzero(constant).tolist()
        one = len(numbers) == 1
        label = "Label" if one else "Labels"
        if self.label_names is None:
            which = f"{label} {', '.join(map(str, numbers[:5]))}{', …' * (len(numbers) > 5)} of Y"
        else:
            which = f"{label} {quoted([self.label_names[k] for k in numbers], 5)}"
        warnings.warn(
            f"{which}: no row, or every row, has {'it' if one else 'them'}. "
            f"{type(self).__name__} gives such a label the same score in every row.",
            UserWarning,
            stacklevel=3,
        )

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows that are predicted rightly; of label sets, of those with all labels right."""
        self._check_is_fitted()
        if y is not None:
            self._refuse_other_columns(y)
        return float(super().score(X, y, sample_weight))

    def _check_rows(self, X: Any, *, reset: bool = False) -> Any:
        """Check a matrix of examples, dense or sparse, and that it fits the training data."""
        if not reset:
            self._check_is_fitted()
        return check_rows(self, X, reset=reset)

    def _check_is_fitted(self) -> None:
        try:
            check_is_fitted(self, "classes_")
        except exceptions.NotFittedError:
            raise UnfittedLearnerError(
                f"This {type(self).__name__} is not fitted yet. Call fit(X, y) with training data first."
            ) from None


class LinearLearner(Learner):
    """Base of learners that decide by scores X·coefᵀ + intercept.

    `coef_` (n_classes or 1, n_features) is kept in Fortran order: the weights of one feature lie side by
    side, as the solvers leave them and as sparse products read them.
    """

    coef_: Any
    intercept_: NDArray[Any]
    classes_: NDArray[Any]

    def decision_function(self, X: Any) -> NDArray[Any]:
        """Return the scores of each row: one a class, or one number (above 0: the second of two classes).

        Where label sets were learned, one a label: above 0 the row has it.
        """
        X = self._check_rows(X)
        if _is_sparse(X) and _is_sparse(self.coef_) and self.coef_.format == "csc":
            scores: NDArray[Any] = score_with_lists(X, self.coef_, self.intercept_, threads_of(self))
        else:
            product = X @ self.coef_.T
            scores = (product.toarray() if _is_sparse(product) else product) + self.intercept_
        return scores[:, 0] if scores.shape[1] == 1 and not self.multilabel_ else scores

    def predict(self, X: Any) -> Any:
        """Return the label of each row: the class of the highest score, the first of equals.

        Where label sets were learned, an indicator of the form that `fit` was given: 1 where the score is above 0.
        """
        scores = self.decision_function(X)
        if self.multilabel_:
            return self._form.of(scores > 0)
        winners = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
        labels: NDArray[Any] = self.classes_[winners]
        return labels

    def sparsify(self) -> Self:
        """Turn `coef_` into a CSR matrix, which pays when a penalty has made most weights zero."""
        self._check_is_fitted()
        self.coef_ = sparse.csr_matrix(self.coef_)
        return self

    def densify(self) -> Self:
        """Turn `coef_` back into an array."""
        self._check_is_fitted()
        if _is_sparse(self.coef_):
            self.coef_ = self.coef_.toarray(order="F")
        return self


def check_rows(estimator: Any, X: Any, *, reset: bool) -> Any:
    """Rows as kernels take them: CSR or C-ordered, floats, finite; their number of columns is kept or compared."""
    try:
        X = validate_data(
            estimator,
            X,
            reset=reset,
            accept_sparse="csr",
            accept_large_sparse=True,
            dtype=[np.float64, np.float32],
            order="C",
            ensure_all_finite=False,
        )
    except ValueError as error:
        raise DataError(f"{error}{_way_out(estimator, X)}") from None
    values = X.data if _is_sparse(X) else X
    if not np.isfinite(values.sum(dtype=np.float64)) and not np.isfinite(values).all():
        row, column, value = _first_non_finite(X)
        raise DataError(
            f"X[{row}, {column}]: {value} found; {type(estimator).__name__} takes finite numbers, "
            "no NaN or inf. Remove or replace such values."
        )
    return X


def _way_out(estimator: Any, X: Any) -> str:
    expected = getattr(estimator, "n_features_in_", None)
    shape = np.shape(X)
    if expected is None or len(shape) != 2 or shape[1] == expected:
        return ""
    return " Prepare X with the vectorizer that was fitted to the training data."


def _is_sparse(X: Any) -> bool:
    return sparse.issparse(X)


def without_repeats(X: Any) -> Any:
    """Add up entries of the same row and column, which solvers cannot take; the order of entries is no matter."""
    if not _is_sparse(X) or X.has_canonical_format:
        return X
    if _native.repeats_a_column(X.shape[1], *_places(X), X.data):
        X = X.copy()
        X.sum_duplicates()
    return X


def score_with_lists(X: Any, coef: Any, intercept: NDArray[Any], n_threads: int) -> NDArray[np.float64]:
    """X·coefᵀ + intercept of compressed rows, and weights that are listed by feature (CSC)."""
    scores = np.empty((X.shape[0], len(intercept)))
    lists = coef.indptr.astype(np.int64, copy=False), coef.indices.astype(np.int32, copy=False), coef.data
    _native.score_with_lists(*_places(X), X.data, *lists, intercept, scores, n_threads)
    return scores


def _places(X: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Offsets and columns of compressed rows, of one type."""
    if X.indptr.dtype == X.indices.dtype:
        return X.indptr, X.indices
    return X.indptr.astype(np.int64), X.indices.astype(np.int64)


def _refuse_emptiness(X: Any, owner: str) -> None:
    if not (X.data if _is_sparse(X) else X).any():
        raise DataError(
            f"X, all {X.shape[0]} rows: no value but 0 found, as from documents that are all empty; {owner} has "
            "nothing to learn from. Check which column was taken for the texts, and what the vectorizer leaves out."
        )


def _n_rows(X: Any) -> int | None:
    if hasattr(X, "shape"):
        return int(X.shape[0]) if len(X.shape) else None
    return len(X) if hasattr(X, "__len__") else None


def _first_non_finite(X: Any) -> tuple[int, int, float]:
    if not _is_sparse(X):
        row, column = np.argwhere(~np.isfinite(X))[0].tolist()
        return row, column, float(X[row, column])
    at = int(np.argmin(np.isfinite(X.data)))
    row = int(np.searchsorted(X.indptr, at, side="right")) - 1
    return row, int(X.indices[at]), float(X.data[at])
