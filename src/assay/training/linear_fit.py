"""Fitting a learner to a matrix of features by the native solvers, without scikit-learn and without its checks.

What comes out is always a linear model: a weight for each feature and class, and a bias for each class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.data.suggest import nearest_first, quoted
from assay.errors import ParameterError
from assay.learners.class_counts import ClassCounts, SharedWeights
from assay.learners.solution import LinearProblem, Solution, make_problem
from assay.training.recipes import LearnerSettings

__all__ = ["LinearFit", "fit_linear"]

Classes = NDArray[np.int32]
_NEVER = -1e3  # below every score of a class that was learnt


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
    classes: Classes,
    labels: tuple[str, ...],
    settings: LearnerSettings,
    *,
    seed: int = 0,
    threads: int = 1,
) -> LinearFit:
    """Fit a learner to the rows of `X` (CSR, float32 or float64) and their class indices.

    Classes without a row are given weights that never win.
    """
    present = np.unique(classes)
    if present.size < len(labels):
        return _fit_present(X, classes, labels, settings, present, seed, threads)
    fit = _FITS[settings.name]
    return fit(X, classes, labels, settings, seed, threads)


def _fit_present(
    X: Any,
    classes: Classes,
    labels: tuple[str, ...],
    settings: LearnerSettings,
    present: Classes,
    seed: int,
    threads: int,
) -> LinearFit:
    """Fit the classes that there are, and widen: a part of a small corpus may lack a class."""
    if len(labels) == 2:
        return LinearFit(np.zeros((X.shape[1], 1), X.dtype), np.array([_NEVER if present[0] == 0 else -_NEVER]))
    weights, biases = np.zeros((X.shape[1], len(labels)), X.dtype), np.full(len(labels), _NEVER)
    if present.size == 1:
        biases[present] = 0.0
        return LinearFit(weights, biases)
    place = np.searchsorted(present, classes).astype(np.int32)
    inner = fit_linear(X, place, tuple(labels[k] for k in present), settings, seed=seed, threads=threads)
    two = present.size == 2
    weights[:, present] = np.column_stack([-inner.weights, inner.weights]) if two else inner.weights
    biases[present] = np.concatenate([-inner.biases, inner.biases]) if two else inner.biases
    return LinearFit(weights, biases, inner.converged)


def _fit_svm(
    X: Any, classes: Classes, labels: tuple[str, ...], settings: LearnerSettings, seed: int, threads: int
) -> LinearFit:
    from assay.learners.svm_exact import solve_svm

    joint = settings.multi_class == "crammer_singer"
    problem = _problem(X, classes, labels, settings, seed, threads, each_against_rest=not joint)
    solution = solve_svm(
        problem,
        penalty=settings.penalty,
        loss=settings.loss,
        multi_class="crammer_singer" if joint else "ovr",
        intercept_scale=1.0 if settings.fit_intercept else 0.0,
    )
    if joint and len(labels) == 2:
        weights = solution.weights[:, 1:] - solution.weights[:, :1]
        return LinearFit(weights, solution.intercept[1:] - solution.intercept[:1], solution.converged)
    return _linear(solution)


def _fit_logistic(
    X: Any, classes: Classes, labels: tuple[str, ...], settings: LearnerSettings, seed: int, threads: int
) -> LinearFit:
    from assay.learners.logistic_exact import solve_exactly

    problem = _problem(X, classes, labels, settings, seed, threads, each_against_rest=False)
    solution = solve_exactly(
        problem,
        solver="auto",
        multinomial=len(labels) > 2 and settings.multi_class != "ovr",
        l1_ratio=1.0 if settings.penalty == "l1" else settings.l1_ratio,
        penalised=True,
        intercept_scale=0.0 if settings.fit_intercept else -1.0,
        start=None,
    )
    return _linear(solution)


def _fit_nbsvm(
    X: Any, classes: Classes, labels: tuple[str, ...], settings: LearnerSettings, seed: int, threads: int
) -> LinearFit:
    problem = _problem(X, classes, labels, settings, seed, threads, each_against_rest=True)
    counts = _class_counts(X, classes, labels, presence=True, threads=threads)
    weights, biases = np.empty((problem.n_features, problem.n_problems)), np.zeros(problem.n_problems)
    report = _native.train_nbsvm(
        *problem.matrix,
        problem.label_weight,
        *counts.arrays,
        np.bincount(classes, minlength=len(labels)).astype(np.float64),
        first_label=problem.first_label,
        logistic=settings.base == "logistic",
        alpha=float(settings.alpha),
        beta=float(settings.beta),
        fit_intercept=settings.fit_intercept,
        in_double=problem.in_double,
        tolerance=problem.tolerance,
        newton_tolerance=problem.newton_tolerance,
        max_iterations=problem.max_iterations,
        seed=problem.seed,
        n_threads=problem.n_threads,
        coefficients=weights,
        intercept=biases,
    )
    return LinearFit(weights.astype(X.dtype, copy=False), biases, bool(report["converged"].all()))


def _fit_naive_bayes(
    X: Any, classes: Classes, labels: tuple[str, ...], settings: LearnerSettings, seed: int, threads: int
) -> LinearFit:
    counts = _class_counts(X, classes, labels, presence=False, threads=threads)
    alpha = np.array([float(settings.alpha)])
    if settings.name == "nb":
        found = SharedWeights(*_native.multinomial_weights(*counts.arrays, X.shape[1], alpha, threads))
        sizes = np.bincount(classes, minlength=len(labels)) * _label_weights(settings, classes, labels)
        biases = np.log(sizes / sizes.sum()) + found.biases
    else:
        found = SharedWeights(*_native.complement_weights(*counts.arrays, X.shape[1], alpha, False, threads))
        biases = found.biases
    weights = np.ascontiguousarray(found.table(threads).T)
    if len(labels) == 2:
        weights, biases = weights[:, 1:] - weights[:, :1], biases[1:] - biases[:1]
    return LinearFit(weights.astype(X.dtype, copy=False), np.asarray(biases, np.float64))


def _fit_perceptron(
    X: Any, classes: Classes, labels: tuple[str, ...], settings: LearnerSettings, seed: int, threads: int
) -> LinearFit:
    from assay.learners.examples import Examples

    row_weights = _label_weights(settings, classes, labels)[classes]
    examples = Examples.prepare(X, classes, row_weights, shuffle=True, n_threads=threads)
    n_outputs = 1 if len(labels) == 2 else len(labels)
    weights, sums = np.zeros((X.shape[1], n_outputs)), np.zeros((X.shape[1], n_outputs))
    biases, bias_sums, clock = np.zeros(n_outputs), np.zeros(n_outputs), 0.0
    for epoch in range(settings.epochs):
        mistakes, clock = _native.averaged_perceptron_epoch(
            *examples.arrays,
            examples.order(seed, epoch),
            settings.fit_intercept,
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
    return LinearFit((weights - sums / clock).astype(X.dtype), biases - bias_sums / clock)


_FITS = {
    "svm": _fit_svm,
    "logistic": _fit_logistic,
    "nbsvm": _fit_nbsvm,
    "nb": _fit_naive_bayes,
    "complement-nb": _fit_naive_bayes,
    "averaged-perceptron": _fit_perceptron,
}


def _problem(
    X: Any,
    classes: Classes,
    labels: tuple[str, ...],
    settings: LearnerSettings,
    seed: int,
    threads: int,
    *,
    each_against_rest: bool,
) -> LinearProblem:
    """What the solvers take; against the rest, a label's weight raises the cost of its own examples only."""
    label_weights = _label_weights(settings, classes, labels)
    cost = np.full(classes.size, float(settings.C))
    if not each_against_rest or len(labels) == 2:
        cost *= label_weights[classes]
    return make_problem(
        X,
        classes,
        cost,
        len(labels),
        label_weight=label_weights if each_against_rest and len(labels) > 2 else None,
        tolerance=settings.tolerance,
        max_iterations=settings.max_iterations,
        seed=seed,
        n_threads=threads,
    )


def _label_weights(settings: LearnerSettings, classes: Classes, labels: tuple[str, ...]) -> NDArray[np.float64]:
    wanted = settings.class_weight
    if wanted is None:
        return np.ones(len(labels))
    if wanted == "balanced":
        return classes.size / (len(labels) * np.bincount(classes, minlength=len(labels)))
    factors = dict(wanted)
    strangers = [label for label in factors if label not in labels]
    if strangers:
        known = quoted(nearest_first(strangers[0], labels))
        raise ParameterError(f"class_weight names the label {strangers[0]!r}, which the data lacks. Labels are {known}.")
    return np.array([float(factors.get(label, 1.0)) for label in labels])


def _class_counts(X: Any, classes: Classes, labels: tuple[str, ...], *, presence: bool, threads: int) -> ClassCounts:
    if presence:
        X = _Present(X)
    return ClassCounts.none(len(labels)).plus(X, classes, np.ones(classes.size), threads)


class _Present:
    """A matrix with a 1 wherever another has a value."""

    def __init__(self, X: Any) -> None:
        self.shape, self.indptr, self.indices = X.shape, X.indptr, X.indices
        self.data = np.ones(X.data.size, np.float32)


def _linear(solution: Solution) -> LinearFit:
    return LinearFit(solution.weights, solution.intercept, solution.converged)
