"""What a model file keeps beside the weights so that its learner can go on from it without the old texts.

Naive Bayes goes on from its counts, which the weights of two classes do not give back; the averaged perceptron from the
last of the weights that it took the mean of. No text is kept; counts of a rare n-gram tell in which class it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError
from assay.learners.solvers.averaged_perceptron import AveragedWeights
from assay.learners.solvers.class_counts import ClassCounts
from assay.learners.solvers.learned_state import CountedRows, LearnedState, PassedRows
from assay.memory_room import require_room_for_weights
from assay.modelfile.attachment import Attachment

__all__ = ["COUNTS", "PASSES", "KeptState"]

COUNTS, PASSES = "class-counts", "averaged-perceptron"

Arrays = Mapping[str, NDArray[Any]]
_NONE = np.empty(0)
_MOST = 2.0**53
_ARRAYS = {COUNTS: {"begin", "features", "values", "sizes"}, PASSES: {"begin", "features", "values", "intercept"}}


@dataclass(frozen=True, eq=False)
class KeptState:
    """A state of a learner, and the factor by which the scores of the model are those of the learner.

    Examples
    --------
    >>> counts = ClassCounts(np.array([0, 1, 2]), np.array([0, 1], np.int32), np.array([3.0, 1.0]))
    >>> kept = KeptState(CountedRows(counts, np.array([2.0, 1.0])), 1.0).to_attachment(np.dtype(np.float32))
    >>> KeptState.from_attachment(kept, n_features=2, n_classes=2).state.counts.counts.tolist()
    [3.0, 1.0]
    """

    state: LearnedState
    factor: float = 1.0

    def to_attachment(self, dtype: np.dtype[Any]) -> Attachment:
        """As arrays of a model file; what is no whole number is rounded to `dtype`, that of the model's weights."""
        settings: dict[str, Any] = {"factor": float(self.factor)}
        state = self.state
        if isinstance(state, CountedRows):
            begin, features, values = state.counts.arrays
            arrays: dict[str, NDArray[Any]] = {"begin": begin, "features": features, "values": _narrow(values, dtype)}
            return Attachment(COUNTS, settings, {**arrays, "sizes": state.class_sizes})
        settings |= {"passes": int(state.passes), "clock": float(state.weights.clock)}
        begin, features, values = _by_output(state.weights.last)
        arrays = {"begin": begin, "features": features, "values": values.astype(dtype)}
        return Attachment(PASSES, settings, {**arrays, "intercept": state.weights.last_intercept})

    @classmethod
    def from_attachment(
        cls, kept: Attachment, n_features: int, n_classes: int, mean: tuple[Any, NDArray[np.float64]] | None = None
    ) -> KeptState:
        """The inverse, for data of unknown origin; an error where the numbers do not fit together.

        Parameters
        ----------
        kept
            What a file holds.
        n_features, n_classes
            Of the model.
        mean
            Weights and biases of the model: those of an averaged perceptron are needed to go on from them.
        """
        factor = _number(kept, "factor")
        if kept.method not in _ARRAYS or set(kept.arrays) != _ARRAYS[kept.method] or not 0 < factor < _MOST:
            raise _unfit(kept)
        begin, features, values = (kept.arrays[name] for name in ("begin", "features", "values"))
        n_lists = n_classes if kept.method == COUNTS or n_classes > 2 else 1
        if not _are_lists(begin, features, values, n_lists, n_features):
            raise _unfit(kept)
        begin, features, values = begin.astype(np.int64), features.astype(np.int32), values.astype(np.float64)
        if kept.method == COUNTS:
            sizes = kept.arrays["sizes"].astype(np.float64)
            if sizes.shape != (n_classes,) or (sizes < 0).any() or not sizes.sum() > 0 or (values < 0).any():
                raise _unfit(kept)
            return cls(CountedRows(ClassCounts(begin, features, values), sizes), factor)
        intercept, clock, passes = kept.arrays["intercept"], _number(kept, "clock"), kept.settings.get("passes")
        sound = intercept.shape == (n_lists,) and 0 <= clock < _MOST
        if not sound or mean is None or not isinstance(passes, int) or not 1 <= passes < 2**31:
            raise _unfit(kept)
        require_room_for_weights(n_features, n_lists, 16)
        last = np.zeros((n_features, n_lists))
        last[features, np.repeat(np.arange(n_lists), np.diff(begin))] = values
        # mean = last - sums / clock
        sums, intercept_sums = last - mean[0] / factor, intercept - mean[1] / factor
        weights = AveragedWeights(last, intercept.astype(np.float64), sums * clock, intercept_sums * clock, clock)
        return cls(PassedRows(weights, passes), factor)


def _narrow(values: NDArray[np.float64], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Whole numbers in the fewest bytes that hold them, others in `dtype`."""
    if (values == np.floor(values)).all() and values.max(initial=0.0) < 2**32:
        return values.astype(np.min_scalar_type(int(values.max(initial=0.0))))
    return values.astype(dtype)


def _by_output(table: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    """Of each output the features whose weight is not zero, and these weights."""
    outputs, features = np.nonzero(table.T)
    begin = np.searchsorted(outputs, np.arange(table.shape[1] + 1)).astype(np.int64)
    return begin, features.astype(np.int32), table[features, outputs]


def _are_lists(begin: Any, features: Any, values: Any, n_lists: int, n_features: int) -> bool:
    if begin.shape != (n_lists + 1,) or begin.dtype.kind != "i" or features.dtype.kind != "i":
        return False
    if features.ndim != 1 or values.shape != features.shape or begin[0] != 0 or begin[-1] != len(features):
        return False
    if (np.diff(begin) < 0).any() or (len(features) and (features.min() < 0 or features.max() >= n_features)):
        return False
    rising = np.diff(features) > 0
    inner = begin[1:-1]
    rising[inner[(inner > 0) & (inner < len(features))] - 1] = True
    return bool(rising.all())


def _number(kept: Attachment, name: str) -> float:
    """A setting, as a float; NaN, which is in no range, where it is no number."""
    value = kept.settings.get(name)
    return value if isinstance(value, float) else float("nan")


def _unfit(kept: Attachment) -> DataError:
    sizes = {name[:40]: values.shape for name, values in list(kept.arrays.items())[:6]}
    return DataError(
        f"What this model file keeps for going on ({kept.method[:40]!r}) is not of the form that assay writes for this "
        f"model: its arrays are {sizes}."
    )
