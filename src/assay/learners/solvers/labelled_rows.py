"""What a learner is given: rows, the class of each, and how much each counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.label_sets import LabelSets
from assay.learners.solvers.class_counts import ClassCounts
from assay.learners.solvers.class_weights import ClassWeight, class_factors
from assay.learners.solvers.problem import LinearProblem, make_problem
from assay.learners.solvers.targets import Classes, native_targets, with_all_rows

if TYPE_CHECKING:
    from assay._native import FoldedForms

__all__ = ["LabelledRows"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """Rows to learn from.

    Attributes
    ----------
    X
        Compressed sparse rows in which no row names a column twice, or a C-ordered array; float32 or float64, finite.
    classes
        Index into `labels`, one a row; or the set of a row's indices, which may be empty.
    labels
        What the classes are called.
    weights
        How often each row counts; None: once.
    class_weight
        Factors of the classes.
    seed, n_threads
        Of the solver; the threads change no bit.
    shared
        What solvers make of `X` first, where several learn from it.
    """

    X: Any
    classes: Classes
    labels: Any  # a sequence of any kind
    weights: Floats | None = None
    class_weight: ClassWeight = None
    seed: int = 0
    n_threads: int = 1
    shared: FoldedForms | None = None

    @property
    def n_classes(self) -> int:
        """Classes, with or without rows."""
        return len(self.labels)

    @property
    def names(self) -> list[Any]:
        """The labels as Python has them, for messages."""
        named: list[Any] = np.asarray(self.labels, dtype=object).tolist()
        return named

    @property
    def n_outputs(self) -> int:
        """Scores of a row: two classes share one, that of the second, unless a row may have both."""
        return 1 if self.n_classes == 2 and not self.have_sets else self.n_classes

    @property
    def have_sets(self) -> bool:
        """Whether a row may have several classes, or none."""
        return isinstance(self.classes, LabelSets)

    @property
    def row_weights(self) -> Floats:
        """Without the factors of the classes."""
        return np.ones(len(self.classes)) if self.weights is None else self.weights

    @property
    def class_sizes(self) -> Floats:
        """How much the rows of each class count together."""
        members, weights = native_targets(self.classes)[0], self.row_weights
        if isinstance(self.classes, LabelSets):
            weights = weights[self.classes.texts]
        return np.bincount(members, weights=weights, minlength=self.n_classes).astype(np.float64)

    @property
    def counted_sizes(self) -> Floats:
        """Those of the lists of `counted`: of the classes and, where they are of sets, of all rows."""
        return np.append(self.class_sizes, self.row_weights.sum()) if self.have_sets else self.class_sizes

    @property
    def is_constant(self) -> NDArray[np.bool_]:
        """Classes of sets that no row has, or every row: there is nothing to tell apart."""
        assert isinstance(self.classes, LabelSets)
        counting = self.row_weights > 0
        found = self.classes.take(counting).class_counts
        return np.asarray((found == 0) | (found == np.count_nonzero(counting)))

    @property
    def class_factors(self) -> Floats:
        """Factor of each class."""
        of_all = float(self.row_weights.sum()) if self.have_sets else None
        return class_factors(self.class_weight, self.class_sizes, of_all)

    @property
    def weights_with_classes(self) -> Floats:
        """How much each row counts, with the factor of its class; of several classes each has a factor of its own."""
        if isinstance(self.classes, LabelSets):
            return self.row_weights
        return self.row_weights * self.class_factors[self.classes]

    def problem(self, C: float, tolerance: float, max_iterations: int, *, against_rest: bool = False) -> LinearProblem:
        """What the native solvers take.

        With `against_rest`, more than two classes are learned each against the rest, and the factor of a class raises
        the cost of its own examples only, as in LIBLINEAR. Classes of sets always are.
        """
        apart = self.have_sets or (against_rest and self.n_classes > 2)
        return make_problem(
            self.X,
            self.classes,
            C * (self.row_weights if apart else self.weights_with_classes),
            self.n_classes,
            label_weight=self.class_factors if apart else None,
            tolerance=tolerance,
            max_iterations=max_iterations,
            seed=self.seed,
            n_threads=self.n_threads,
            shared=self.shared,
        )

    def counted(self, X: Any = None) -> ClassCounts:
        """The sum of each feature over the rows of each class; of other values at the same places, where given."""
        return self.no_counts().plus(self.X if X is None else X, self.counted_classes, self.row_weights, self.n_threads)

    def no_counts(self) -> ClassCounts:
        """What `counted` begins with."""
        return ClassCounts.none(self.n_classes + self.have_sets)

    @property
    def counted_classes(self) -> Classes:
        """By which `counted` counts: classes of sets have one more beside them, that of all rows."""
        return with_all_rows(self.classes) if isinstance(self.classes, LabelSets) else self.classes

    def of_classes(self, present: NDArray[np.intp]) -> LabelledRows:
        """The same rows with these classes only, which are all that have rows, or some of the sets."""
        weight = self.class_weight
        if isinstance(self.classes, LabelSets):
            numbers = np.full(self.n_classes, -1)
            numbers[present] = np.arange(len(present))
            classes: Classes = self.classes.renumbered(numbers, len(present))
        else:
            classes = np.searchsorted(present, self.classes).astype(np.int32)
        return replace(
            self,
            classes=classes,
            labels=[self.labels[k] for k in present],
            class_weight=weight if weight is None or isinstance(weight, str) else weight[present],
        )
