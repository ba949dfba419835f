"""The averaged perceptron: the mean of all the weights that a perceptron passes through."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.learners.base import LinearLearner
from assay.learners.examples import Examples
from assay.learners.mistake_driven import MistakeDrivenLearner
from assay.learners.parameters import check_choice

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
        average: str = "examples",
        fit_intercept: bool = True,
        max_iter: int = 10,
        shuffle: bool = True,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
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

    def _check_parameters(self) -> int:
        check_choice(self, "average", ["examples", "updates"])
        return super()._check_parameters()

    def _n_features(self) -> int:
        return int(self.last_coef_.shape[1])

    def _start(self, n_features: int, n_outputs: int) -> None:
        self.last_coef_ = np.zeros((n_features, n_outputs)).T
        self.last_intercept_ = np.zeros(n_outputs)
        # Σ (clock at the update)·(change): mean = last - sums / clock.
        self._coef_sums = np.zeros((n_features, n_outputs)).T
        self._intercept_sums = np.zeros(n_outputs)
        self._clock = 0.0

    def _learn(self, examples: Examples, order: NDArray[np.int64]) -> int:
        mistakes, self._clock = _native.averaged_perceptron_epoch(
            *examples.arrays,
            order,
            self.fit_intercept,
            self.last_coef_.T,
            self.last_intercept_,
            self._coef_sums.T,
            self._intercept_sums,
            self._clock,
            self.average == "updates",
        )
        return int(mistakes)

    def _conclude(self, examples: Examples) -> None:
        clock = self._clock or 1.0  # no update: nothing to average but zeros
        self.coef_ = self.last_coef_ - self._coef_sums / clock
        self.intercept_ = self.last_intercept_ - self._intercept_sums / clock
