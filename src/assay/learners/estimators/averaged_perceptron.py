"""The averaged perceptron: the mean of all the weights that a perceptron passes through."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assay.learners.estimators.base import LinearLearner
from assay.learners.estimators.mistake_driven import MistakeDrivenLearner
from assay.learners.parameters import check_choice
from assay.learners.solvers.averaged_perceptron import AveragedPerceptronSettings, AveragedWeights
from assay.learners.solvers.examples import Examples
from assay.learners.solvers.learned_state import PassedRows

__all__ = ["AveragedPerceptron"]


class AveragedPerceptron(MistakeDrivenLearner, LinearLearner):
    """Perceptron that predicts with the mean of all the weights it passed through.

    It makes the same mistakes as `Perceptron` and learns from them alike; only the weights that decide in the
    end are the mean, in which the swings of unreliable features cancel. The mean is kept lazily: an update
    touches only the entries of its row.

    Parameters
    ----------
    average
        "examples": the mean over the weights after each example, so that long-lived weights count more
        (Freund & Schapire 1999, Collins 2002). "updates": the mean over the weights just before each update,
        every one counting once, which leaves the last out (the textbook's algorithm).
    max_iter
        Most passes over the data; fewer when a pass makes no mistake.
    fit_intercept, shuffle, n_jobs, random_state, class_weight, warm_start
        As in `Perceptron`.

    Attributes
    ----------
    coef_, intercept_
        The means: weights (n_classes, n_features) and biases (n_classes,); one row when there are two
        classes.
    last_coef_, last_intercept_
        The weights and biases after the last update, from which `partial_fit` goes on.
    classes_, mistakes_, separable_, n_iter_
        As in `Perceptron`.

    Examples
    --------
    >>> from assay.learners import AveragedPerceptron
    >>> X = [[1], [10], [2], [20]]
    >>> model = AveragedPerceptron(shuffle=False).fit(X, ["neg", "pos", "neg", "pos"])
    >>> model.last_coef_, model.coef_
    (array([[2.]]), array([[4.375]]))

    References
    ----------
    Freund & Schapire (1999). Large margin classification using the perceptron algorithm. Collins (2002).
    """

    def __init__(
        self,
        *,
        average: Literal["examples", "updates"] = "examples",
        fit_intercept: bool = True,
        max_iter: int = 10,
        shuffle: bool = True,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        warm_start: bool = False,
    ) -> None:
        self.average = average
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.class_weight = class_weight
        self.warm_start = warm_start

    @property
    def last_coef_(self) -> NDArray[np.float64]:
        """The weights after the last update."""
        return self._state.last.T

    @property
    def last_intercept_(self) -> NDArray[np.float64]:
        """The biases after the last update."""
        return self._state.last_intercept

    def solver_settings(self) -> AveragedPerceptronSettings:
        """The parameters as the solver has them."""
        return AveragedPerceptronSettings(self.max_iter, self.average, self.fit_intercept, self.shuffle)

    def learned_state(self) -> PassedRows | None:
        """What more rows can be added to; None of label sets."""
        return None if self.multilabel_ else PassedRows(self._state, self._epochs)

    def _check_parameters(self) -> None:
        check_choice(self, "average", ["examples", "updates"])
        super()._check_parameters()

    def _n_features(self) -> int:
        return len(self._state.last)

    def _start(self, n_features: int, n_outputs: int) -> None:
        self._state = AveragedWeights.zeros(n_features, n_outputs)

    def _learn(self, examples: Examples, order: NDArray[np.int64]) -> int:
        return self._state.learn(examples, order, self.solver_settings())

    def _conclude(self, examples: Examples) -> None:
        mean = self._state.mean()
        self.coef_, self.intercept_ = mean.coef, mean.intercept
