"""Who races on the solver grid. Each contestant solves the very objective of the cell, to a `tol` of its own meaning.

scikit-learn's lbfgs, newton-cg, newton-cholesky and saga have no penalised intercept. Where the objective has one, they
get a matrix with a column of ones and fit no intercept, which is the same problem. Bringing the matrix into a form,
with that column or in LIBLINEAR's own nodes, is not timed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import sklearn.linear_model
import sklearn.svm
from scipy import sparse
from sklearn.multiclass import OneVsRestClassifier

from _peers import Liblinear
from _solver_grid_objectives import Family
from assay import learners

__all__ = ["Contestant", "Ours", "Problem", "contestants_for"]

PASSES = 100_000  # so many that a tolerance ends the fit, or the clock does
LARGEST_HESSIAN = 8_000  # rows; half a gigabyte


@dataclass(frozen=True)
class Problem:
    """The matrix and labels of a cell, and what is to be minimised."""

    X: Any
    y: Any
    C: float
    family: Family

    @cached_property
    def n_classes(self) -> int:
        """Labels are 0, 1, … below it."""
        return int(self.y.max()) + 1

    @property
    def n_outputs(self) -> int:
        """Weight vectors: one for two classes."""
        return 1 if self.n_classes == 2 else self.n_classes

    @cached_property
    def with_constant(self) -> Any:
        """X with a last column of ones."""
        ones = np.ones((self.X.shape[0], 1))
        if sparse.issparse(self.X):
            return sparse.csr_matrix(sparse.hstack([self.X, ones], format="csr"))
        return np.hstack([self.X, ones])


class Contestant:
    """A solver with a tolerance.

    Attributes
    ----------
    name
        As the table has it.
    loosest
        The `tol` that its ladder begins with.
    """

    name: str
    loosest = 1.0

    def prepare(self, problem: Problem) -> None:
        """Bring the matrix into the form that this solver reads; not timed."""

    def fit(self, problem: Problem, tol: float) -> Any:
        """Return a fitted model. This is timed."""
        raise NotImplementedError

    def weights(self, model: Any) -> tuple[Any, Any]:
        """Return weights [output][feature] and intercepts."""
        return model.coef_, model.intercept_


class Ours(Contestant):
    """assay, with its default solver and threads."""

    name = "assay"

    def fit(self, problem: Problem, tol: float) -> Any:
        """Fit with the estimator of the family."""
        return self.estimator(problem).set_params(tol=tol).fit(problem.X, problem.y)

    def estimator(self, problem: Problem) -> Any:
        """The estimator, its tolerance as it comes."""
        family, C = problem.family, problem.C
        penalty = "l1" if family.sparse_penalty else "l2"
        if family.loss in ("hinge", "squared hinge"):
            loss = family.loss.replace(" ", "_")
            return learners.LinearSVC(penalty=penalty, loss=loss, C=C, max_iter=PASSES)
        solver = "liblinear" if family.loss == "logistic" else "auto"
        return learners.LogisticRegression(penalty=penalty, C=C, solver=solver, max_iter=PASSES)

    def claimed_gap(self, model: Any) -> float:
        """The relative gap that the model itself reports; a bound where the penalty is L2."""
        return float(np.sum(model.duality_gap_) / np.sum(model.objective_))

    def work(self, model: Any) -> float:
        """Stored values, and rows, that the fit has read: what its price can be told from."""
        return float(np.sum(model.work_))


class TheirSvc(Contestant):
    """scikit-learn's LinearSVC: its copy of LIBLINEAR."""

    def __init__(self, *, dual: bool) -> None:
        self.dual = dual
        self.name = f"sklearn LinearSVC {'dual' if dual else 'primal'}"
        self.loosest = 10.0 if dual else 1.0

    def fit(self, problem: Problem, tol: float) -> Any:
        """Fit with as many passes as it takes."""
        penalty = "l1" if problem.family.sparse_penalty else "l2"
        loss = problem.family.loss.replace(" ", "_")
        settings = {"penalty": penalty, "loss": loss, "dual": self.dual, "C": problem.C, "tol": tol}
        return sklearn.svm.LinearSVC(**settings, max_iter=PASSES, random_state=0).fit(problem.X, problem.y)


class TheirLogistic(Contestant):
    """scikit-learn's LogisticRegression with one of its solvers; several problems of two classes where it must be."""

    def __init__(self, solver: str, *, dual: bool = False) -> None:
        self.solver, self.dual = solver, dual
        self.name = f"sklearn {solver}{' dual' if dual else ''}"
        self.loosest = 10.0 if dual else 0.1

    def prepare(self, problem: Problem) -> None:
        """Have the column of ones made."""
        self._rows(problem)

    def fit(self, problem: Problem, tol: float) -> Any:
        """Fit all classes at once for softmax, else each against the rest."""
        model = sklearn.linear_model.LogisticRegression(
            C=problem.C,
            l1_ratio=float(problem.family.sparse_penalty),
            solver=self.solver,
            dual=self.dual,
            tol=tol,
            max_iter=PASSES,
            random_state=0,
            fit_intercept=not self._needs_constant(problem),
        )
        if problem.family.loss == "logistic" and problem.n_classes > 2:
            model = OneVsRestClassifier(model)
        return model.fit(self._rows(problem), problem.y)

    def weights(self, model: Any) -> tuple[Any, Any]:
        """Stack the models of the classes; the weight of the column of ones is the intercept."""
        parts = getattr(model, "estimators_", [model])
        coef = np.vstack([part.coef_ for part in parts])
        if parts[0].fit_intercept:
            return coef, np.concatenate([part.intercept_ for part in parts])
        return coef[:, :-1], coef[:, -1]

    def _rows(self, problem: Problem) -> Any:
        return problem.with_constant if self._needs_constant(problem) else problem.X

    def _needs_constant(self, problem: Problem) -> bool:
        return problem.family.penalised_intercept and self.solver != "liblinear"


class LiblinearPackage(Contestant):
    """LIBLINEAR's own package (liblinear-official), by the number of its solver."""

    def __init__(self, number: int, manner: str) -> None:
        self.number = number
        self.name = f"LIBLINEAR -s {number} ({manner})"
        self.loosest = 10.0 if manner == "dual" else 1.0

    def prepare(self, problem: Problem) -> None:
        """Copy the rows into LIBLINEAR's nodes."""
        self._liblinear(problem, 1.0)

    def fit(self, problem: Problem, tol: float) -> Any:
        """Train with a penalised intercept."""
        return self._liblinear(problem, tol).fit(problem.X, problem.y)

    def _liblinear(self, problem: Problem, tol: float) -> Liblinear:
        return Liblinear(problem.X, problem.y, f"-s {self.number} -c {problem.C:.17g} -B 1 -e {tol:.17g} -q")


def contestants_for(problem: Problem) -> list[Contestant]:
    """The peers that solve the problem's objective and have room for it, the likely quickest first."""
    family = problem.family
    n_weights = (problem.X.shape[1] + 1) * (problem.n_outputs if family.loss == "softmax" else 1)
    cholesky = [TheirLogistic("newton-cholesky")] if n_weights <= LARGEST_HESSIAN else []
    if family.loss == "squared hinge" and family.sparse_penalty:
        return [LiblinearPackage(5, "L1"), TheirSvc(dual=False)]
    if family.loss == "squared hinge":
        package = [LiblinearPackage(1, "dual"), LiblinearPackage(2, "primal")]
        return [*package, TheirSvc(dual=True), TheirSvc(dual=False)]
    if family.loss == "hinge":
        return [LiblinearPackage(3, "dual"), TheirSvc(dual=True)]
    if family.loss == "logistic" and family.sparse_penalty:
        return [LiblinearPackage(6, "L1"), TheirLogistic("liblinear"), TheirLogistic("saga")]
    if family.loss == "logistic":
        package = [LiblinearPackage(7, "dual"), LiblinearPackage(0, "primal")]
        theirs = [TheirLogistic("liblinear", dual=True), TheirLogistic("liblinear"), TheirLogistic("lbfgs")]
        return [*package, *theirs, *cholesky]
    if family.sparse_penalty:
        return [TheirLogistic("saga")]
    return [TheirLogistic("lbfgs"), TheirLogistic("newton-cg"), *cholesky, TheirLogistic("saga")]
