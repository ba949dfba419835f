"""The perceptron: correct the weights whenever an example is decided wrongly."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from assay import _native
from assay.learners.estimators.base import LinearLearner
from assay.learners.estimators.mistake_driven import MistakeDrivenLearner
from assay.learners.parameters import check_number
from assay.learners.solvers.examples import Examples

__all__ = ["Perceptron"]


class Perceptron(MistakeDrivenLearner, LinearLearner):
    """Linear classifier that learns from its mistakes and stops when it makes no more.

    Weights begin at zero. Two classes: an example with label y (+1 for the second class, -1 for the first)
    that is decided wrongly changes w += y·x, b += y; a score of exactly 0 decides for the first class. More
    classes: with ŷ the class of the highest score (the first of equals), a mistake changes w[y] += x, w[ŷ] -=
    x, and b alike. If a line or plane separates the classes, it is found after finitely many mistakes; if
    none does, the weights wander for ever, and `AveragedPerceptron` is the better choice.

    Parameters
    ----------
    fit_intercept
        Learn the bias b; False keeps it at 0.
    max_iter
        Most passes over the data.
    shuffle
        Present the rows in random order, drawn anew for each pass; the result then does not depend on the
        order of the rows in X. False takes them as they stand, as the textbook does: beware of rows sorted by
        class.
    eta0
        Factor on every change. From zero weights it scales the result and alters no decision.
    n_jobs
        Threads for preparing the rows; the passes themselves follow one another. The result does not depend
        on it.
    random_state
        Seed of the shuffling; None is the seed 0.
    class_weight
        Weight of each class: a dict, or "balanced". Multiplies the sample weights of its rows.
    warm_start
        Go on from the weights of the last `fit` instead of from zero.

    Attributes
    ----------
    classes_
        The distinct labels, sorted.
    coef_, intercept_
        Weights (n_classes, n_features) and biases (n_classes,); one row and one number when there are two
        classes.
    mistakes_
        Number of mistakes in each pass.
    separable_
        Whether a pass of `fit` was free of mistakes, which proves the classes linearly separable.
    n_iter_
        Number of passes.

    Notes
    -----
    A `sample_weight` of k stands for k copies of the row, presented one after the other until it is decided
    rightly; a fractional rest makes a smaller step. `partial_fit` makes one pass over its batch.

    Examples
    --------
    >>> from assay.learners import Perceptron
    >>> X = [[1], [10], [2], [20]]  # number of positive words
    >>> model = Perceptron(shuffle=False).fit(X, ["neg", "pos", "neg", "pos"])
    >>> model.coef_, model.intercept_
    (array([[2.]]), array([-4.]))
    >>> model.mistakes_, model.separable_
    (array([2, 2, 2, 0]), True)

    References
    ----------
    Rosenblatt (1958). Novikoff (1962). Collins (2002), for several classes.
    """

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        max_iter: int = 50,
        shuffle: bool = True,
        eta0: float = 1.0,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        warm_start: bool = False,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.eta0 = eta0
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.class_weight = class_weight
        self.warm_start = warm_start

    def _check_parameters(self) -> None:
        check_number(self, "eta0", above=0)
        super()._check_parameters()

    def _n_features(self) -> int:
        return int(self.coef_.shape[1])

    def _start(self, n_features: int, n_outputs: int) -> None:
        self.coef_ = np.zeros((n_features, n_outputs)).T
        self.intercept_ = np.zeros(n_outputs)

    def _learn(self, examples: Examples, order: NDArray[np.int64]) -> int:
        mistakes: int = _native.perceptron_epoch(
            *examples.arrays,
            order,
            self.eta0,
            self.fit_intercept,
            self.coef_.T,
            self.intercept_,
            examples.label_offsets,
        )
        return mistakes

    def _conclude(self, examples: Examples) -> None:
        if self.n_iter_ >= self.max_iter and self.mistakes_[-1] > 0:
            warnings.warn(
                f"Perceptron still made {self.mistakes_[-1]} mistakes in pass {self.n_iter_} "
                f"(max_iter={self.max_iter}): the data did not prove separable. Use AveragedPerceptron, or "
                "raise max_iter.",
                ConvergenceWarning,
                stacklevel=4,
            )
