"""Fitting a learner to a matrix of features by the native solvers, without scikit-learn and without its checks.

What comes out is always a linear model: a weight for each feature and class, and a bias for each class.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.errors import ParameterError
from assay.learners.class_counts import ClassCounts, SharedWeights
from assay.learners.solution import LinearProblem, Solution, make_problem
from assay.logarithms import log
from assay.memory_room import require_room_for_weights
from assay.suggest import nearest_first, quote, quoted
from assay.training.recipes import LearnerSettings
from assay.wording import parameter

__all__ = ["LinearFit", "fit_linear"]

_NEVER = -1e3  # below every score of a class that was learned


@dataclass(frozen=True, eq=False)
class LinearFit:
    """Weights (n_features, n_outputs) and biases: one output for two classes (that of the second), else one a class."""

    weights: NDArray[Any]
    biases: NDArray[np.float64]
    converged: bool = True

    def scores(self, X: Any) -> NDArray[np.float64]:
        """One column a class; of two classes the first has the opposite of the second."""
        found = np.asarray(X @ self.weights, dtype=np.float64) + self.biases
        return np.column_stack([-found[:, 0], found[:, 0]]) if found.shape[1] == 1 else found


def fit_linear(
    X: Any,
    classes: NDArray[np.int32],
    labels: tuple[str, ...],
    settings: LearnerSettings,
    *,
    seed: int = 0,
    threads: int = 1,
) -> LinearFit:
    """Fit a learner to the rows of `X` (CSR, float32 or float64) and their class indices.

    A class without rows is given weights that never win.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> X = csr_array(np.array([[1.0, 0], [0.9, 0.1], [0, 1.0], [0.2, 1]], dtype=np.float32))
    >>> fit = fit_linear(X, np.array([0, 0, 1, 1], dtype=np.int32), ("first", "second"), LearnerSettings("svm"))
    >>> fit.scores(X).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """
    task = _Task(X, classes, labels, settings, seed, threads)
    present = np.flatnonzero(np.bincount(classes, minlength=len(labels)))
    return _fit_present(task, present) if present.size < len(labels) else _FITS[settings.name](task)


@dataclass(frozen=True, eq=False)
class _Task:
    """Who is to learn what."""

    X: Any
    classes: NDArray[np.int32]
    labels: tuple[str, ...]
    settings: LearnerSettings
    seed: int
    threads: int

    @property
    def n_outputs(self) -> int:
        return 1 if len(self.labels) == 2 else len(self.labels)

    @property
    def class_sizes(self) -> NDArray[np.float64]:
        return np.bincount(self.classes, minlength=len(self.labels)).astype(np.float64)

    @property
    def label_weights(self) -> NDArray[np.float64]:
        """Factor of each class."""
        wanted = self.settings.class_weight
        if wanted is None:
            return np.ones(len(self.labels))
        if wanted == "balanced":
            balanced: NDArray[np.float64] = self.classes.size / (len(self.labels) * self.class_sizes)
            return balanced
        factors = dict(wanted)
        strangers = [label for label in factors if label not in self.labels]
        if strangers:
            raise ParameterError(
                f"{parameter('class_weight')} names the label {quote(strangers[0])}, which the data does not have. "
                f"Labels are {quoted(nearest_first(strangers[0], self.labels))}."
            )
        return np.array([float(factors.get(label, 1.0)) for label in self.labels])

    def problem(self, *, each_against_rest: bool) -> LinearProblem:
        """What the solvers take; against the rest, a label's weight raises the cost of its own examples only."""
        cost = np.full(self.classes.size, float(self.settings.C))
        if not each_against_rest or len(self.labels) == 2:
            cost *= self.label_weights[self.classes]
        return make_problem(
            self.X,
            self.classes,
            cost,
            len(self.labels),
            label_weight=self.label_weights if each_against_rest and len(self.labels) > 2 else None,
            tolerance=self.settings.tolerance,
            max_iterations=self.settings.max_iterations,
            seed=self.seed,
            n_threads=self.threads,
        )

    def class_counts(self, rows: Any) -> ClassCounts:
        """Sums of the features of each class."""
        return ClassCounts.none(len(self.labels)).plus(rows, self.classes, np.ones(self.classes.size), self.threads)


def _fit_present(task: _Task, present: NDArray[np.intp]) -> LinearFit:
    """Fit the classes that there are, and widen: a part of a small corpus may lack a class."""
    n_features = task.X.shape[1]
    if len(task.labels) == 2:
        return LinearFit(np.zeros((n_features, 1), task.X.dtype), np.array([_NEVER if present[0] == 0 else -_NEVER]))
    require_room_for_weights(n_features, len(task.labels), task.X.dtype.itemsize)
    weights, biases = np.zeros((n_features, len(task.labels)), task.X.dtype), np.full(len(task.labels), _NEVER)
    if present.size == 1:
        biases[present] = 0.0
        return LinearFit(weights, biases)
    place = np.searchsorted(present, task.classes).astype(np.int32)
    inner = _FITS[task.settings.name](replace(task, classes=place, labels=tuple(task.labels[k] for k in present)))
    two = present.size == 2
    weights[:, present] = np.column_stack([-inner.weights, inner.weights]) if two else inner.weights
    biases[present] = np.concatenate([-inner.biases, inner.biases]) if two else inner.biases
    return LinearFit(weights, biases, inner.converged)


def _fit_svm(task: _Task) -> LinearFit:
    from assay.learners.svm_exact import solve_svm

    joint = task.settings.multi_class == "crammer_singer"
    solution = solve_svm(
        task.problem(each_against_rest=not joint),
        penalty=task.settings.penalty,
        loss=task.settings.loss,
        multi_class="crammer_singer" if joint else "ovr",
        intercept_scale=1.0 if task.settings.fit_intercept else 0.0,
    )
    if joint and len(task.labels) == 2:
        weights = solution.weights[:, 1:] - solution.weights[:, :1]
        return LinearFit(weights, solution.intercept[1:] - solution.intercept[:1], solution.converged)
    return _linear(solution)


def _fit_logistic(task: _Task) -> LinearFit:
    from assay.learners.logistic_exact import solve_exactly

    solution = solve_exactly(
        task.problem(each_against_rest=False),
        solver="auto",
        multinomial=len(task.labels) > 2 and task.settings.multi_class != "ovr",
        l1_ratio=1.0 if task.settings.penalty == "l1" else task.settings.l1_ratio,
        penalised=True,
        intercept_scale=0.0 if task.settings.fit_intercept else -1.0,
        start=None,
    )
    return _linear(solution)


def _linear(solution: Solution) -> LinearFit:
    return LinearFit(solution.weights, solution.intercept, solution.converged)


def _fit_nbsvm(task: _Task) -> LinearFit:
    problem = task.problem(each_against_rest=True)
    require_room_for_weights(problem.n_features, problem.n_problems)
    weights, biases = np.empty((problem.n_features, problem.n_problems)), np.zeros(problem.n_problems)
    report = _native.train_nbsvm(
        *problem.matrix,
        problem.label_weight,
        *task.class_counts(_Presence(task.X)).arrays,
        task.class_sizes,
        first_label=problem.first_label,
        logistic=task.settings.base == "logistic",
        alpha=float(task.settings.alpha),
        beta=float(task.settings.beta),
        fit_intercept=task.settings.fit_intercept,
        in_double=problem.in_double,
        tolerance=problem.tolerance,
        newton_tolerance=problem.newton_tolerance,
        max_iterations=problem.max_iterations,
        seed=problem.seed,
        n_threads=problem.n_threads,
        coefficients=weights,
        intercept=biases,
    )
    return LinearFit(weights.astype(task.X.dtype, copy=False), biases, bool(report["converged"].all()))


class _Presence:
    """A matrix with a 1 wherever another has a value."""

    def __init__(self, X: Any) -> None:
        self.shape, self.indptr, self.indices = X.shape, X.indptr, X.indices
        self.data = np.ones(X.data.size, np.float32)


def _fit_naive_bayes(task: _Task) -> LinearFit:
    counts = task.class_counts(task.X).arrays
    n_features, alpha = task.X.shape[1], np.array([float(task.settings.alpha)])
    if task.settings.name == "nb":
        found = SharedWeights(*_native.multinomial_weights(*counts, n_features, alpha, task.threads))
        sizes = task.class_sizes * task.label_weights
        biases = log(sizes / sizes.sum()) + found.biases
    else:
        found = SharedWeights(*_native.complement_weights(*counts, n_features, alpha, False, task.threads))
        biases = found.biases
    weights = np.ascontiguousarray(found.table(task.threads).T)
    if len(task.labels) == 2:
        weights, biases = weights[:, 1:] - weights[:, :1], biases[1:] - biases[:1]
    return LinearFit(weights.astype(task.X.dtype, copy=False), np.asarray(biases, np.float64))


def _fit_perceptron(task: _Task) -> LinearFit:
    from scipy.sparse import csr_array

    from assay.learners.examples import Examples

    X = csr_array((task.X.data, task.X.indices, task.X.indptr), shape=task.X.shape)
    row_weights = task.label_weights[task.classes]
    examples = Examples.prepare(X, task.classes, row_weights, shuffle=True, n_threads=task.threads)
    shape = task.X.shape[1], task.n_outputs
    require_room_for_weights(*shape, 16)
    weights, sums = np.zeros(shape), np.zeros(shape)
    biases, bias_sums, clock = np.zeros(task.n_outputs), np.zeros(task.n_outputs), 0.0
    for epoch in range(task.settings.epochs):
        mistakes, clock = _native.averaged_perceptron_epoch(
            *examples.arrays,
            examples.order(task.seed, epoch),
            task.settings.fit_intercept,
            weights,
            biases,
            sums,
            bias_sums,
            clock,
            False,
        )
        if mistakes == 0:
            break
    clock = clock or 1.0
    return LinearFit((weights - sums / clock).astype(task.X.dtype), biases - bias_sums / clock)


_FITS = {
    "svm": _fit_svm,
    "logistic": _fit_logistic,
    "nbsvm": _fit_nbsvm,
    "nb": _fit_naive_bayes,
    "complement-nb": _fit_naive_bayes,
    "averaged-perceptron": _fit_perceptron,
}
