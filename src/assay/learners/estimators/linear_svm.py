"""Linear support vector machines, exact, on native coordinate descent."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from assay.errors import ParameterError
from assay.learners.estimators.base import LinearLearner
from assay.learners.parameters import check_choice, check_flag, check_number
from assay.learners.solvers.solution import Solution
from assay.learners.solvers.svm import SvmSettings, fit_svm

__all__ = ["LinearSVC"]


class LinearSVC(LinearLearner):
    """Linear support vector machine, as LIBLINEAR defines it.

    For two classes it minimises ½‖w‖² + C Σ max(0, 1 − y(w·x + b))², or with the plain hinge. More classes are
    learned each against the rest, or jointly as Crammer & Singer do. The intercept is the weight of a constant
    feature `intercept_scaling` and is penalised like the others.

    Parameters
    ----------
    penalty
        "l2", or "l1" (squared hinge only) for weights most of which are zero.
    loss
        "hinge" or "squared_hinge".
    dual
        True for coordinate descent on the dual, False for a Newton method on the primal, "auto" to begin with the one
        that suits the shape of X. A class for which the dual crawls goes on in the primal. They reach the same optimum.
    tol
        How far the objective may be above the optimum, as a part of it: fitting stops when the duality gap is
        at most `tol` times the objective.
    C
        Weight of the slack.
    multi_class
        "ovr" or "crammer_singer", which ignores `penalty`, `loss` and `dual`.
    fit_intercept, intercept_scaling
        Whether there is a constant feature, and its value.
    class_weight
        Factor of C for each label, or "balanced" for n / (n_classes · n_of_label).
    verbose
        Accepted and ignored.
    random_state
        Seed of the order in which examples are visited; None is a fixed seed.
    max_iter
        Passes over the data at most.
    n_jobs
        Threads; None and -1 take all processors. It changes no bit of the result.
    prune
        Weights nearer to 0 than this are dropped, and `coef_` is sparse: for thousands of labels. None keeps all.

    Attributes
    ----------
    coef_, intercept_, classes_, n_features_in_
        As everywhere in scikit-learn; one row of `coef_` for two classes, else one a class.
    n_iter_
        Passes made for the class that needed most; one over a part of the rows counts as that part.
    objective_, duality_gap_
        What was reached, one value for each problem solved (one a class against the rest).
    work_
        Stored values that were read for each problem, and rows: what the fit cost, whatever the machine was doing.
    converged_
        Whether every problem reached `tol`; a `ConvergenceWarning` says when not.
    margin_
        1/‖w‖ of each weight vector: half the width of the street between the classes.
    support_
        Indices of the training examples that are support vectors (of any class).

    Examples
    --------
    >>> from assay.learners import LinearSVC
    >>> model = LinearSVC().fit([[0.0, 1.0], [1.0, 0.0], [0.0, 2.0], [3.0, 0.0]], ["no", "yes", "no", "yes"])
    >>> model.predict([[2.0, 0.5]])
    array(['yes'], dtype='<U3')
    >>> model.support_
    array([0, 1])

    References
    ----------
    Fan, Chang, Hsieh, Wang & Lin (2008), LIBLINEAR. Hsieh et al. (2008), a dual coordinate descent method.
    """

    def __init__(
        self,
        penalty: Literal["l1", "l2"] = "l2",
        loss: Literal["hinge", "squared_hinge"] = "squared_hinge",
        *,
        dual: bool | Literal["auto"] = "auto",
        tol: float = 1e-4,
        C: float = 1.0,
        multi_class: Literal["ovr", "crammer_singer"] = "ovr",
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        verbose: int = 0,
        random_state: Any = None,
        max_iter: int = 1000,
        n_jobs: int | None = None,
        prune: float | None = None,
    ) -> None:
        self.penalty = penalty
        self.loss = loss
        self.dual = dual
        self.tol = tol
        self.C = C
        self.multi_class = multi_class
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.prune = prune

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = self.multi_class != "crammer_singer"
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows X and their labels y, each row counted `sample_weight` times."""
        settings = self.solver_settings()
        rows = self._check_training(X, y, sample_weight)
        self._warn_about_constants(rows)
        self._keep(fit_svm(rows, settings), rows.labels)
        return self

    def solver_settings(self) -> SvmSettings:
        """The parameters, checked, as the solver has them."""
        self._check_parameters()
        return SvmSettings(
            C=self.C,
            penalty=self.penalty,
            loss=self.loss,
            dual=self.dual,
            joint=self.multi_class == "crammer_singer",
            intercept_scale=float(self.intercept_scaling) if self.fit_intercept else 0.0,
            tolerance=self.tol,
            max_iterations=self.max_iter,
            prune=self.prune,
        )

    def _check_parameters(self) -> None:
        check_choice(self, "penalty", ["l1", "l2"])
        check_choice(self, "loss", ["hinge", "squared_hinge"])
        check_choice(self, "dual", ["auto", True, False])
        check_choice(self, "multi_class", ["ovr", "crammer_singer"])
        check_number(self, "tol", above=0)
        check_number(self, "C", above=0, below=np.inf, advice="A smaller C regularises more.")
        check_flag(self, "fit_intercept")
        check_number(self, "intercept_scaling", above=0, below=np.inf)
        check_number(self, "max_iter", at_least=1, integer=True)
        if self.prune is not None:
            check_number(self, "prune", at_least=0, below=np.inf, advice="None keeps all weights.")
        if self.multi_class == "crammer_singer":
            return
        if self.penalty == "l1" and self.loss == "hinge":
            raise ParameterError("LinearSVC cannot combine penalty='l1' with loss='hinge'. Use loss='squared_hinge'.")
        if self.penalty == "l1" and self.dual is True:
            raise ParameterError("LinearSVC with penalty='l1' has no dual solver. Use dual='auto' or False.")
        if self.loss == "hinge" and self.dual is False:
            raise ParameterError("LinearSVC with loss='hinge' has no primal solver. Use dual='auto' or True.")

    def _keep(self, solution: Solution, classes: NDArray[Any]) -> None:
        self.coef_ = solution.coef
        self.intercept_ = solution.intercept
        self.objective_ = solution.objective
        self.duality_gap_ = solution.gap
        self.work_ = solution.work
        self.n_iter_ = int(solution.iterations.max(initial=0))
        self.converged_ = solution.converged
        with np.errstate(divide="ignore"):
            self.margin_ = 1 / np.sqrt(_squares(self.coef_))
        self.support_ = solution.support
        self.classes_ = classes
        if not solution.converged:
            warnings.warn(
                f"LinearSVC stopped after {self.n_iter_} passes with a relative duality gap of {solution.reached:.1e}, "
                f"above tol={self.tol:g}. Raise max_iter={self.max_iter}, lower C={self.C:g} or scale the features.",
                ConvergenceWarning,
                stacklevel=3,
            )


def _squares(coef: Any) -> NDArray[np.float64]:
    """‖w‖² of each class."""
    if hasattr(coef, "indptr"):
        return np.asarray(coef.astype(np.float64).power(2).sum(axis=1)).ravel()
    return np.asarray(np.einsum("kj,kj->k", coef, coef, dtype=np.float64))
