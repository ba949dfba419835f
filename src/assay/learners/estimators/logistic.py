"""Logistic regression: exact by native solvers, or stochastic as in the textbook."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_expit, log_softmax, softmax
from sklearn.exceptions import ConvergenceWarning

from assay.errors import ParameterError
from assay.learners.estimators.base import LinearLearner
from assay.learners.parameters import check_choice, check_flag, check_number
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.logistic import fit_logistic
from assay.learners.solvers.logistic_settings import Descent, LogisticSettings
from assay.learners.solvers.solution import Solution

__all__ = ["LogisticRegression"]

# scikit-learn's solvers reach one optimum between them, and so does the choice that "auto" makes.
SAME_OPTIMUM = ("lbfgs", "newton-cg", "newton-cholesky", "sag", "saga")
SOLVERS = ("auto", "dual", "newton", "coordinate", "sgd", "liblinear", *SAME_OPTIMUM)


class LogisticRegression(LinearLearner):
    """Logistic regression: P(class | x) = softmax of linear scores, or their sigmoid for two classes.

    It minimises l1_ratio·‖w‖₁ + (1 − l1_ratio)/2·‖w‖² + C Σ loss, where the loss is −log P(label | x). The
    penalty is never on the intercept (except in LIBLINEAR's manner, with solver="liblinear").

    Parameters
    ----------
    penalty
        "l2", "l1", "elasticnet" or None, or "auto" for what `l1_ratio` says. "deprecated" means "auto" too.
    C
        Weight of the loss against the penalty; inf for no penalty.
    l1_ratio
        0 for L2, 1 for L1, between them for the elastic net.
    dual
        Accepted for solver="liblinear"; the optimum is the same.
    tol
        How far the objective may be above the optimum, as a part of it, for the exact solvers; "sgd": see
        `early_stopping`, and None for no test at all.
    fit_intercept
        Whether there is an intercept.
    intercept_scaling
        For solver="liblinear": value of the constant feature that carries the penalised intercept.
    class_weight
        Factor of the loss for examples of each label, or "balanced" for n / (n_classes · n_of_label).
    random_state
        Seed of the order in which examples are visited; None is a fixed seed.
    solver
        "auto" chooses among the exact ones: "dual" (coordinate descent; L2), "newton" (truncated Newton; L2 or
        none) and "coordinate" (coordinate descent on columns; L1 and elastic net). "sgd" is stochastic gradient
        descent. "liblinear" penalises the intercept and learns classes one against the rest. scikit-learn's
        other names are taken as "auto".
    max_iter
        Passes or steps at most.
    multi_class
        "multinomial" (softmax), "ovr" (each class against the rest), or "auto": multinomial for more than two
        classes.
    threshold
        Probability of the second of two classes from which it is predicted.
    learning_rate, eta0, power_t
        "sgd": "constant", "invscaling" (eta0 / t^power_t), "adagrad" or "adam".
    batch_size
        "sgd": examples a step; None for all of them.
    shuffle
        "sgd": visit the examples in a new random order in each epoch. Rows sorted by class need it.
    early_stopping, validation_fraction, n_iter_no_change
        "sgd": stop when the loss on held-out rows has not fallen by more than `tol` for so many epochs, else
        when the norm of the gradient is at most `tol` times the first.
    verbose
        Accepted and ignored.
    warm_start
        Start from the last fit's weights where the solver can ("newton", "coordinate", "sgd").
    n_jobs
        Threads; None and -1 take all processors. It changes no bit of the result.
    prune
        Weights nearer to 0 than this are dropped, and `coef_` is sparse: for thousands of labels. None keeps all.

    Attributes
    ----------
    coef_, intercept_, classes_, n_features_in_
        As everywhere in scikit-learn; one row of `coef_` for two classes, else one a class.
    n_iter_
        Passes or steps of each problem.
    objective_, duality_gap_
        What was reached, one value for each problem solved. The gap is a bound on how far the objective is
        above its optimum: ½‖gradient‖² (L2), or that to a point of the dual (with an L1 part; what a free intercept
        could still gain is estimated there); NaN for "sgd".
    work_
        Stored values that were read for each problem, and rows, once for all classes of a softmax; empty for "sgd".
    converged_
        Whether `tol` was reached; a `ConvergenceWarning` says when not.
    course_
        "sgd": held-out loss or relative gradient norm after each epoch.

    Examples
    --------
    >>> from assay.learners import LogisticRegression
    >>> model = LogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], ["no", "no", "yes", "yes"])
    >>> model.predict([[0.5], [2.5]])
    array(['no', 'yes'], dtype='<U3')
    >>> model.predict_proba([[1.5]]).round(3)
    array([[0.5, 0.5]])

    References
    ----------
    Jurafsky & Martin, Speech and Language Processing, chapter 4. Yu, Huang & Lin (2011), dual coordinate descent
    methods for logistic regression and maximum entropy models. Yuan, Ho & Lin (2012), newGLMNET.
    """

    def __init__(
        self,
        penalty: Literal["auto", "deprecated", "l1", "l2", "elasticnet"] | None = "auto",
        *,
        C: float = 1.0,
        l1_ratio: float = 0.0,
        dual: bool = False,
        tol: float | None = 1e-4,
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        random_state: Any = None,
        solver: str = "auto",
        max_iter: int = 100,
        multi_class: Literal["auto", "multinomial", "ovr"] = "auto",
        threshold: float = 0.5,
        learning_rate: Literal["constant", "invscaling", "adagrad", "adam"] = "adagrad",
        eta0: float = 0.3,
        power_t: float = 0.5,
        batch_size: int | None = 1,
        shuffle: bool = True,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        verbose: int = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
        prune: float | None = None,
    ) -> None:
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.dual = dual
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.solver = solver
        self.max_iter = max_iter
        self.multi_class = multi_class
        self.threshold = threshold
        self.learning_rate = learning_rate
        self.eta0 = eta0
        self.power_t = power_t
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.verbose = verbose
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.prune = prune

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = self.multi_class != "multinomial"
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows X and their labels y, each row counted `sample_weight` times."""
        self._check_parameters()
        settings = self.solver_settings()
        rows = self._check_training(X, y, sample_weight)
        self._refuse_softmax_of_sets(rows)
        self._warn_about_constants(rows)
        self._keep(fit_logistic(rows, settings, self._warm_start(rows)), rows.labels)
        return self

    def solver_settings(self) -> LogisticSettings:
        """The parameters as the solvers have them."""
        C, l1_ratio = self._regularisation()
        separate = self.multi_class == "ovr" or (self.multi_class == "auto" and self.solver == "liblinear")
        scale = float(self.intercept_scaling) if self.solver == "liblinear" else 0.0
        return LogisticSettings(
            C=C,
            l1_ratio=l1_ratio,
            solver=self.solver if self.solver in SOLVERS[:4] else "auto",
            joint=not separate,
            intercept_scale=scale if self.fit_intercept else -1.0,
            tolerance=self.tol or 0.0,
            max_iterations=self.max_iter,
            descent=self._descent() if self.solver == "sgd" else None,
            prune=self.prune,
        )

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return P(class | x) for each row and class, columns in the order of `classes_`."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([expit(-scores), expit(scores)])
        if self.multilabel_:
            return np.asarray(expit(scores))
        if self._is_multinomial():
            probabilities: NDArray[np.float64] = softmax(scores, axis=1)
            return probabilities
        separate = expit(scores)
        total = separate.sum(axis=1, keepdims=True)
        shares: NDArray[np.float64] = np.full_like(separate, 1 / separate.shape[1])
        np.divide(separate, total, out=shares, where=total > 0)
        return shares

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return log P(class | x), accurate where the probability itself is next to 0."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([log_expit(-scores), log_expit(scores)])
        if self.multilabel_:
            return np.asarray(log_expit(scores))
        if self._is_multinomial():
            logarithms: NDArray[np.float64] = log_softmax(scores, axis=1)
            return logarithms
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> Any:
        """Return the label of each row; of two, the second where its probability reaches `threshold`."""
        scores = self.decision_function(X)
        if self.multilabel_:
            return self._form.of(scores > 0 if self.threshold == 0.5 else expit(scores) >= self.threshold)
        if scores.ndim == 2:
            winners = scores.argmax(axis=1)
        elif self.threshold == 0.5:
            winners = (scores > 0).astype(np.intp)
        else:
            winners = (expit(scores) >= self.threshold).astype(np.intp)
        labels: NDArray[Any] = self.classes_[winners]
        return labels

    def _check_parameters(self) -> None:
        check_choice(self, "penalty", ["auto", "l2", "l1", "elasticnet", None, "deprecated"])
        check_choice(self, "solver", SOLVERS)
        check_choice(self, "multi_class", ["auto", "multinomial", "ovr"])
        check_choice(self, "learning_rate", ["constant", "invscaling", "adagrad", "adam"])
        check_number(self, "C", above=0, advice="A smaller C regularises more; inf is no penalty.")
        check_number(self, "l1_ratio", at_least=0, at_most=1)
        check_number(self, "threshold", at_least=0, at_most=1)
        check_number(self, "max_iter", at_least=1, integer=True)
        check_number(self, "intercept_scaling", above=0, below=np.inf)
        for name in ("fit_intercept", "dual", "shuffle", "early_stopping", "warm_start"):
            check_flag(self, name)
        if self.tol is not None or self.solver != "sgd":
            check_number(self, "tol", above=0, advice="Only solver='sgd' takes None, for no test.")
        check_number(self, "eta0", above=0, below=np.inf)
        check_number(self, "power_t", at_least=0, below=np.inf)
        check_number(self, "validation_fraction", above=0, below=1)
        check_number(self, "n_iter_no_change", at_least=1, integer=True)
        if self.prune is not None:
            check_number(self, "prune", at_least=0, below=np.inf, advice="None keeps all weights.")
        if self.batch_size is not None:
            check_number(self, "batch_size", at_least=1, integer=True, advice="None takes all examples at once.")

    def _regularisation(self) -> tuple[float, float]:
        """Return C and the share of L1 that `penalty`, `C` and `l1_ratio` ask for together."""
        C, ratio = float(self.C), float(self.l1_ratio)
        if self.penalty in ("l1", "l2"):
            asked = 1.0 if self.penalty == "l1" else 0.0
            if ratio not in (0.0, asked):
                raise ParameterError(
                    f"LogisticRegression got penalty={self.penalty!r} with l1_ratio={ratio:g}, which contradict "
                    "each other. Leave penalty out and set l1_ratio."
                )
            ratio = asked
        if self.penalty is None or np.isinf(C):
            return np.inf, 0.0
        if ratio > 0 and self.solver in ("dual", "newton", "lbfgs", "newton-cg", "newton-cholesky", "sag"):
            raise ParameterError(
                f"LogisticRegression with solver={self.solver!r} has no L1 penalty, but l1_ratio={ratio:g}. Use "
                "solver='auto'."
            )
        return C, ratio

    def _refuse_softmax_of_sets(self, rows: LabelledRows) -> None:
        if rows.have_sets and self.multi_class == "multinomial":
            raise ParameterError(
                "LogisticRegression with multi_class='multinomial' divides one probability among all labels, and "
                "cannot learn label sets. Use multi_class='auto' or 'ovr', which give each label its own probability."
            )

    def _is_multinomial(self) -> bool:
        return not self.multilabel_ and self.solver_settings().is_multinomial(len(self.classes_))

    def _warm_start(self, rows: LabelledRows) -> Solution | None:
        coef = getattr(self, "coef_", None)
        if not self.warm_start or coef is None or coef.shape != (rows.n_outputs, rows.X.shape[1]):
            return None
        weights = np.array(self.densify().coef_.T, dtype=rows.X.dtype, order="C")
        return Solution(weights, np.array(self.intercept_, dtype=np.float64))

    def _descent(self) -> Descent:
        return Descent(
            learning_rate=self.learning_rate,
            eta0=float(self.eta0),
            power_t=float(self.power_t),
            batch_size=0 if self.batch_size is None else int(self.batch_size),
            shuffle=self.shuffle,
            validation_fraction=float(self.validation_fraction) if self.early_stopping else 0.0,
            n_iter_no_change=int(self.n_iter_no_change),
        )

    def _keep(self, solution: Solution, classes: NDArray[Any]) -> None:
        self.coef_ = solution.coef
        self.intercept_ = solution.intercept
        self.objective_ = solution.objective
        self.duality_gap_ = solution.gap
        self.work_ = solution.work
        self.n_iter_ = solution.iterations
        self.converged_ = solution.converged
        if solution.course is not None:
            self.course_ = solution.course
        self.classes_ = classes
        if not solution.converged:
            warnings.warn(
                f"LogisticRegression stopped after {int(solution.iterations.max())} iterations without reaching "
                f"tol={self.tol:g}. Raise max_iter={self.max_iter}, lower C={self.C:g} or scale the features.",
                ConvergenceWarning,
                stacklevel=3,
            )
