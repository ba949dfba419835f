"""The voted perceptron: all the weights that a perceptron passes through decide together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from assay import _native
from assay.errors import ParameterError
from assay.learners.estimators.mistake_driven import MistakeDrivenLearner
from assay.learners.parameters import check_number, threads_of
from assay.learners.solvers.examples import Examples

__all__ = ["VotedPerceptron"]

_BYTES_PER_MISTAKE = 8 + 4 + 4 + 8 + 8  # row, truth, prediction, step, survival


class VotedPerceptron(MistakeDrivenLearner):
    """Perceptron in which every weight vector votes with the number of examples it survived.

    It makes the same mistakes as `Perceptron`, and keeps every weight vector on the way. A vector's vote
    counts as much as the examples that it stood through, the one that made it included. The decision is no
    longer linear.

    The price: prediction asks all `n_vectors_` vectors. They are never written out. Each differs from the one
    before by one mistaken example, so their scores on a document are running sums of its products with those
    examples; a prediction costs one product with every mistaken example that shares a feature, and one
    addition for each mistake, which is hundreds of times the cost of `AveragedPerceptron`, whose decisions
    are nearly the same.

    Parameters
    ----------
    min_survival
        Vectors that survived fewer examples than this have no vote.
    max_memory
        Most bytes to keep; an error says so before more is taken.
    max_iter, fit_intercept, shuffle, n_jobs, random_state, class_weight, warm_start
        As in `Perceptron`. `n_jobs` counts for prediction too.

    Attributes
    ----------
    n_vectors_
        Number of weight vectors that vote.
    memory_
        Bytes that are kept for them.
    support_vectors_
        The examples on which mistakes were made, CSC, (n_support, n_features).
    mistake_rows_, mistake_truths_, mistake_predictions_, mistake_steps_
        For each mistake: its row in `support_vectors_`, the index of its class, that of the class it was
        taken for, and how much of the row was added and taken away.
    survivals_
        How many examples the zero vector survived, and the vector after each mistake; (n_mistakes + 1,).
    last_coef_, last_intercept_
        The last vector, from which `partial_fit` goes on.
    classes_, mistakes_, separable_, n_iter_
        As in `Perceptron`.

    Examples
    --------
    >>> from assay.learners import VotedPerceptron
    >>> X = [[1], [10], [2], [20]]
    >>> model = VotedPerceptron(shuffle=False).fit(X, ["neg", "pos", "neg", "pos"])
    >>> model.n_vectors_, model.survivals_
    (7, array([1., 1., 2., 2., 2., 2., 6.]))
    >>> model.decision_function([[1], [3]]).round(3)
    array([0.125, 0.875])

    References
    ----------
    Freund & Schapire (1999). Large margin classification using the perceptron algorithm.
    """

    def __init__(
        self,
        *,
        min_survival: float = 0,
        max_memory: float = 2**31,
        fit_intercept: bool = True,
        max_iter: int = 10,
        shuffle: bool = True,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        warm_start: bool = False,
    ) -> None:
        self.min_survival = min_survival
        self.max_memory = max_memory
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.class_weight = class_weight
        self.warm_start = warm_start

    _takes_label_sets = False

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return each class's share of the votes; of two classes, the second's less the first's."""
        X = self._check_rows(X)
        support = self.support_vectors_
        index = support.indices.dtype
        X = sparse.csr_array(X, dtype=np.float64)
        ballots = np.zeros((X.shape[0], len(self.classes_)))
        _native.count_votes(
            X.indptr.astype(index, copy=False),
            X.indices.astype(index, copy=False),
            X.data,
            support.indptr,
            support.indices,
            support.data,
            self.mistake_rows_,
            self.mistake_truths_,
            self.mistake_predictions_,
            self.mistake_steps_,
            self._votes(),
            self.fit_intercept,
            support.shape[0],
            ballots,
            threads_of(self),
        )
        shares: NDArray[np.float64] = ballots / self._votes().sum()
        return shares[:, 1] - shares[:, 0] if shares.shape[1] == 2 else shares

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with most votes, the first of equals."""
        shares = self.decision_function(X)
        winners = (shares > 0).astype(np.intp) if shares.ndim == 1 else shares.argmax(axis=1)
        labels: NDArray[Any] = self.classes_[winners]
        return labels

    def _check_parameters(self) -> None:
        check_number(self, "min_survival", at_least=0)
        check_number(self, "max_memory", above=0)
        super()._check_parameters()

    def _n_features(self) -> int:
        return int(self.last_coef_.shape[1])

    def _start(self, n_features: int, n_outputs: int) -> None:
        self.last_coef_ = np.zeros((n_features, n_outputs)).T
        self.last_intercept_ = np.zeros(n_outputs)
        self.support_vectors_ = sparse.csc_array((0, n_features))
        self.mistake_rows_ = np.array([], dtype=np.int64)
        self.mistake_truths_ = np.array([], dtype=np.int32)
        self.mistake_predictions_ = np.array([], dtype=np.int32)
        self.mistake_steps_ = np.array([])
        self.survivals_ = np.zeros(1)
        self._fresh: list[tuple[NDArray[Any], ...]] = []
        self._needed = 0

    def _learn(self, examples: Examples, order: NDArray[np.int64]) -> int:
        log = _native.voted_perceptron_epoch(
            *examples.arrays, order, self.fit_intercept, self.last_coef_.T, self.last_intercept_
        )
        self._refuse_too_much(examples, log[0])
        self._fresh.append(log)
        return len(log[0])

    def _conclude(self, examples: Examples) -> None:
        """Move the mistakes of the last epochs, and the rows they were made on, to what is kept."""
        rows = np.concatenate([log[0] for log in self._fresh])
        mistaken, places = np.unique(rows, return_inverse=True)
        kept = self.support_vectors_.shape[0]
        added = sparse.csr_array(examples.X[mistaken], dtype=np.float64)
        self.support_vectors_ = sparse.vstack([self.support_vectors_, added], format="csc")
        self.mistake_rows_ = np.concatenate([self.mistake_rows_, kept + places.astype(np.int64)])
        self.mistake_truths_ = np.concatenate([self.mistake_truths_, examples.y[rows]])
        self.mistake_predictions_ = np.concatenate([self.mistake_predictions_, *(log[1] for log in self._fresh)])
        self.mistake_steps_ = np.concatenate([self.mistake_steps_, *(log[2] for log in self._fresh)])
        parts = [self.survivals_]
        for *_, survivals in self._fresh:
            # The vector that an epoch begins with is the one that the epoch before ended with.
            parts[-1][-1] += survivals[0]
            parts += [survivals[1:]] if len(survivals) > 1 else []
        self.survivals_ = np.concatenate(parts)
        del self._fresh[:], self._is_kept
        self.n_vectors_ = int(np.count_nonzero(self._votes()))
        self.memory_ = _bytes_of(self.support_vectors_) + _BYTES_PER_MISTAKE * len(self.mistake_rows_)
        if self.n_vectors_ == 0:
            raise ParameterError(
                f"min_survival={self.min_survival} leaves VotedPerceptron without a vote: the longest-lived "
                f"of {len(self.survivals_)} vectors survived {self.survivals_.max():g} examples. Lower it."
            )

    def _votes(self) -> NDArray[np.float64]:
        return np.where(self.survivals_ >= self.min_survival, self.survivals_, 0.0)

    def _refuse_too_much(self, examples: Examples, rows: NDArray[np.int64]) -> None:
        if not self._fresh:
            self._needed = _bytes_of(self.support_vectors_) + _BYTES_PER_MISTAKE * len(self.mistake_rows_)
            self._is_kept = np.zeros(examples.X.shape[0], dtype=bool)
        added = np.unique(rows[~self._is_kept[rows]])
        self._is_kept[added] = True
        stored = int(np.diff(examples.X.indptr)[added].sum())
        self._needed += stored * (8 + examples.X.indices.itemsize) + _BYTES_PER_MISTAKE * len(rows)
        if self._needed > self.max_memory:
            n_mistakes = len(self.mistake_rows_) + sum(len(log[0]) for log in self._fresh) + len(rows)
            raise ParameterError(
                f"VotedPerceptron would keep {n_mistakes + 1:,} weight vectors in {self._needed:,} bytes after "
                f"{self._epochs + len(self._fresh) + 1} passes, more than max_memory={self.max_memory:,.0f}. Raise "
                "max_memory, lower max_iter, or use AveragedPerceptron, which keeps one vector and decides nearly "
                "alike."
            )


def _bytes_of(matrix: Any) -> int:
    return int(matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes)
