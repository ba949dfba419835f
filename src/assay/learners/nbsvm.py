"""NBSVM: a linear classifier on features that naive Bayes has scaled."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if

from assay import _native
from assay.learners.base import LinearLearner
from assay.learners.class_counts import ClassCounts
from assay.learners.labels import weigh_classes
from assay.learners.parameters import check_choice, check_flag, check_number, seed_of, threads_of
from assay.learners.solution import LinearProblem, make_problem
from assay.memory_room import require_room_for_weights

__all__ = ["NBSVM"]


def _has_logistic_base(learner: NBSVM) -> bool:
    if learner.base != "logistic":
        raise AttributeError(
            f"NBSVM(base={learner.base!r}) has no predict_proba: margins are no probabilities. Set base='logistic'."
        )
    return True


class NBSVM(LinearLearner):
    """Support vector machine, or logistic regression, on features scaled by their log-count ratios.

    With p and q the smoothed numbers of rows inside and outside of a class that have each feature, every feature is
    multiplied by r = log (p/‖p‖₁) - log (q/‖q‖₁), a linear classifier (w, b) is trained on the products, and drawn
    towards naive Bayes, which weighs all products alike: w' = (1 - beta)·w̄ + beta·w, with w̄ the mean magnitude of w,
    and b' = (1 - beta)·w̄·log (N/N') + beta·b, with N and N' the numbers of rows inside and outside. Two classes have
    one such classifier; more have one each, against the rest, with ratios of its own. What is kept is r∘w', so that
    the model is a linear one over the features as they are.

    Parameters
    ----------
    base
        "svm" (squared hinge) or "logistic".
    C
        Weight of the errors against the length of w.
    alpha
        Pseudo-count of each feature, above 0.
    beta
        Trust in the learned weights, from 0 (naive Bayes) to 1 (no interpolation).
    binarize
        Threshold above which a value counts as 1 and else as 0, in training and prediction; 0.0 is the setting of the
        paper. None takes the values as they are, such as tf-idf. Either way the ratios count the rows with a value
        above 0.
    fit_intercept
        Learn a bias.
    class_weight
        Factor of C for each label: a dict, or "balanced".
    tol
        Stop when the objective is known to be within this fraction of the optimum.
    max_iter
        Most passes of the solver for each class.
    random_state
        Seed of the order in which the solver visits rows.
    n_jobs
        Threads; None is all of them. The result does not depend on it.

    Attributes
    ----------
    classes_
        The distinct labels, sorted.
    coef_, intercept_
        The linear model over the features as they are: (n_classes, n_features) and (n_classes,), or one row and one
        number when there are two classes.
    log_count_ratio_
        The ratios r, of the shape of `coef_`; computed when asked for.
    objective_, duality_gap_, n_iter_, converged_
        What the solver reached for each classifier, the most passes it took, and whether all of them reached `tol`.

    Examples
    --------
    >>> from assay.learners import NBSVM
    >>> X = [[1, 1, 0, 0], [1, 0, 0, 1], [0, 1, 1, 0], [0, 0, 1, 1]]  # good, film, bad, plot
    >>> model = NBSVM().fit(X, ["pos", "pos", "neg", "neg"])
    >>> model.predict([[1, 0, 0, 0], [0, 1, 1, 1]])
    array(['pos', 'neg'], dtype='<U3')
    >>> model.log_count_ratio_.round(3)
    array([[ 1.099,  0.   , -1.099,  0.   ]])

    References
    ----------
    Wang & Manning (2012). Baselines and bigrams: simple, good sentiment and topic classification.
    """

    def __init__(
        self,
        *,
        base: Literal["svm", "logistic"] = "svm",
        C: float = 1.0,
        alpha: float = 1.0,
        beta: float = 0.25,
        binarize: float | None = None,
        fit_intercept: bool = True,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        tol: float = 1e-4,
        max_iter: int = 1000,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.base = base
        self.C = C
        self.alpha = alpha
        self.beta = beta
        self.binarize = binarize
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # on dense measurements, which have no presence to count
        return tags

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from rows X and their labels y, each row counted `sample_weight` times."""
        self._check_parameters()
        data = self._check_training(X, y, sample_weight)
        rows = sparse.csr_array(data.X)
        n_classes, n_threads = len(data.classes), threads_of(self)
        presence = sparse.csr_array(((rows.data > 0).astype(np.float32), rows.indices, rows.indptr), shape=rows.shape)
        counts = ClassCounts.none(n_classes).plus(presence, data.y, data.weights, n_threads)

        label_weight = weigh_classes(self.class_weight, data.classes, data.y, data.weights, type(self).__name__)
        # As in LinearSVC: against the rest, the weight of a label raises the cost of its own examples only.
        cost = self.C * data.weights * (label_weight[data.y] if n_classes == 2 else 1.0)
        problem = make_problem(
            rows,
            data.y,
            cost,
            n_classes,
            label_weight=None if n_classes == 2 else label_weight,
            tolerance=self.tol,
            max_iterations=self.max_iter,
            seed=seed_of(self),
            n_threads=n_threads,
        )
        class_sizes = np.bincount(data.y, weights=data.weights, minlength=n_classes).astype(np.float64)
        self._solve(problem, counts, class_sizes)
        self._counts = counts
        self.classes_ = data.classes
        return self

    @available_if(_has_logistic_base)
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the sigmoid of the scores, normalised over the classes; for `base="logistic"` only."""
        odds = expit(self.decision_function(X))
        if odds.ndim == 1:
            return np.column_stack([1 - odds, odds])
        probabilities: NDArray[np.float64] = odds / odds.sum(axis=1, keepdims=True)
        return probabilities

    @property
    def log_count_ratio_(self) -> NDArray[np.float64]:
        """The ratio r of each feature, (n_classes, n_features), or one row when there are two classes."""
        table = self._counts.table(self.n_features_in_)
        inside, outside = table + self.alpha, table.sum(axis=0) - table + self.alpha
        ratios = np.log(inside / inside.sum(axis=1, keepdims=True))
        ratios -= np.log(outside / outside.sum(axis=1, keepdims=True))
        return np.asarray(ratios[1:] if len(ratios) == 2 else ratios)

    def _check_rows(self, X: Any, *, reset: bool = False) -> Any:
        X = super()._check_rows(X, reset=reset)
        if self.binarize is None:
            return X
        present: Any = self.binarize < X
        return present.astype(X.dtype)

    def _check_parameters(self) -> None:
        check_choice(self, "base", ["svm", "logistic"])
        check_number(self, "C", above=0, below=np.inf, advice="A smaller C regularises more.")
        check_number(self, "alpha", above=0, below=np.inf)
        check_number(self, "beta", at_least=0, at_most=1)
        if self.binarize is not None:
            check_number(self, "binarize", at_least=0)
        check_flag(self, "fit_intercept")
        check_number(self, "tol", above=0)
        check_number(self, "max_iter", at_least=1, integer=True)

    def _solve(self, problem: LinearProblem, counts: ClassCounts, class_sizes: NDArray[np.float64]) -> None:
        require_room_for_weights(problem.n_features, problem.n_problems)
        coefficients = np.empty((problem.n_features, problem.n_problems))
        intercept = np.zeros(problem.n_problems)
        report = _native.train_nbsvm(
            *problem.matrix,
            problem.label_weight,
            *counts.arrays,
            class_sizes,
            first_label=problem.first_label,
            logistic=self.base == "logistic",
            alpha=float(self.alpha),
            beta=float(self.beta),
            fit_intercept=self.fit_intercept,
            in_double=problem.in_double,
            tolerance=problem.tolerance,
            newton_tolerance=problem.newton_tolerance,
            max_iterations=problem.max_iterations,
            seed=problem.seed,
            n_threads=problem.n_threads,
            coefficients=coefficients,
            intercept=intercept,
        )
        self.coef_, self.intercept_ = coefficients.T, intercept
        self.objective_, self.duality_gap_ = report["objective"], report["gap"]
        self.n_iter_ = int(report["iterations"].max())
        self.converged_ = bool(report["converged"].all())
        if not self.converged_:
            reached = float((self.duality_gap_ / np.maximum(self.objective_, 1e-300)).max())
            warnings.warn(
                f"NBSVM stopped after {self.n_iter_} passes within {reached:.1e} of the optimum, above "
                f"tol={self.tol:g}. Raise max_iter={self.max_iter}, or lower C={self.C:g}.",
                ConvergenceWarning,
                stacklevel=3,
            )
