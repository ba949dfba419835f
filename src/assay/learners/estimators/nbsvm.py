"""NBSVM: a linear classifier on features that naive Bayes has scaled."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if

from assay.learners.estimators.base import LinearLearner
from assay.learners.parameters import check_choice, check_flag, check_number
from assay.learners.solvers.class_counts import ClassCounts
from assay.learners.solvers.nbsvm import NbsvmSettings, fit_nbsvm
from assay.learners.solvers.solution import Solution

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

    _takes_dense_rows = False
    _counts: ClassCounts

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
        rows = self._check_training(X, y, sample_weight)
        self._warn_about_constants(rows)
        self._keep(fit_nbsvm(rows, self.solver_settings()), rows.labels)
        return self

    def solver_settings(self) -> NbsvmSettings:
        """The parameters as the solver has them."""
        return NbsvmSettings(
            C=self.C,
            alpha=float(self.alpha),
            beta=float(self.beta),
            logistic=self.base == "logistic",
            fit_intercept=self.fit_intercept,
            tolerance=self.tol,
            max_iterations=self.max_iter,
        )

    @available_if(_has_logistic_base)
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the sigmoid of the scores, normalised over the classes; for `base="logistic"` only."""
        odds = expit(self.decision_function(X))
        if self.multilabel_:
            return np.asarray(odds)
        if odds.ndim == 1:
            return np.column_stack([1 - odds, odds])
        probabilities: NDArray[np.float64] = odds / odds.sum(axis=1, keepdims=True)
        return probabilities

    @property
    def log_count_ratio_(self) -> NDArray[np.float64]:
        """The ratio r of each feature, (n_classes, n_features), or one row when there are two classes."""
        table = self._counts.table(self.n_features_in_)
        everywhere = table[-1] if self.multilabel_ else table.sum(axis=0)
        table = table[:-1] if self.multilabel_ else table
        inside, outside = table + self.alpha, everywhere - table + self.alpha
        ratios = np.log(inside / inside.sum(axis=1, keepdims=True))
        ratios -= np.log(outside / outside.sum(axis=1, keepdims=True))
        return np.asarray(ratios[1:] if len(ratios) == 2 and not self.multilabel_ else ratios)

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

    def _keep(self, solution: Solution, classes: NDArray[Any]) -> None:
        self.coef_, self.intercept_ = solution.coef, solution.intercept
        self.objective_, self.duality_gap_ = solution.objective, solution.gap
        self.n_iter_ = int(solution.iterations.max(initial=0))
        self.converged_ = solution.converged
        assert solution.counts is not None
        self._counts = solution.counts
        self.classes_ = classes
        if not solution.converged:
            warnings.warn(
                f"NBSVM stopped after {self.n_iter_} passes within {solution.reached:.1e} of the optimum, above "
                f"tol={self.tol:g}. Raise max_iter={self.max_iter}, or lower C={self.C:g}.",
                ConvergenceWarning,
                stacklevel=3,
            )
