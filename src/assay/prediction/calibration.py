"""Calibration: from scores to probabilities that come true as often as they say.

A calibration is a few plain arrays, fitted by `assay.evaluation.calibrate`. It is applied with numpy alone and kept in
a model file as it is.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError
from assay.prediction.probabilities import Floats, log_odds, logits, sigmoid, softmax

__all__ = ["METHODS", "Calibration", "joined_points"]

METHODS = ("sigmoid", "isotonic", "temperature")


@dataclass(frozen=True, eq=False)
class Calibration:
    """From scores (or uncalibrated probabilities) to probabilities.

    ===========  ============================================================  ==================================
    method       probability of class k, before the row is divided by its sum  arrays
    ===========  ============================================================  ==================================
    sigmoid      1 / (1 + exp(-(slope[k] · s + intercept[k])))                 ``slopes``, ``intercepts``
    isotonic     rising function of s, linear between its points               ``points``, ``values``, ``bounds``
    temperature  softmax of the scores over the temperature                    ``temperature``
    ===========  ============================================================  ==================================

    With two labels the second one is calibrated and the first one gets the rest. Sigmoid and temperature take the
    log-odds and the logarithm of probabilities. Where labels are independent, a text having several of them or none,
    each has a function of its own and no row is divided; there is no temperature then.

    Attributes
    ----------
    labels
        Order of the columns.
    method
        How.
    of_probabilities
        Whether probabilities are calibrated, not scores.
    arrays
        The fitted numbers, as in the table above; class k's points are points[bounds[k]:bounds[k + 1]].
    independent
        Whether a text may have several labels.
    """

    labels: tuple[Hashable, ...]
    method: str
    of_probabilities: bool
    arrays: Mapping[str, Floats]
    independent: bool = False

    def apply(self, scores: Any) -> Floats:
        """Calibrated probabilities, shape (n, n_labels), from scores of that shape."""
        table = np.asarray(scores, dtype=np.float64)
        if table.ndim == 1 and len(self.labels) == 2 and not self.independent:
            table = np.column_stack([1 - table, table] if self.of_probabilities else [-table, table])
        if table.ndim != 2 or table.shape[1] != len(self.labels):
            raise DataError(
                f"The scores to calibrate have shape {table.shape} where (n, {len(self.labels)}) is needed: one column "
                f"for each of the labels {list(self.labels)!r}."
            )
        if self.method == "temperature":
            with np.errstate(over="ignore"):  # infinity is as good as any large number
                return softmax(logits(table, self.of_probabilities) / self.arrays["temperature"][0])
        if len(self.labels) == 2 and not self.independent:
            second = self._one_class(table[:, 1], 0)
            return np.column_stack([1 - second, second])
        rows = self._each_class(table)
        if self.independent:
            return rows
        sums = rows.sum(axis=1, keepdims=True)
        return np.where(sums > 0, rows / np.where(sums > 0, sums, 1.0), 1 / len(self.labels))

    def of_labels(self, scores: Floats, numbers: NDArray[np.integer[Any]]) -> Floats:
        """Calibrated probabilities of scores each of which is of a label of its own, where labels are independent."""
        if self.method == "sigmoid":
            s = log_odds(scores) if self.of_probabilities else scores
            with np.errstate(over="ignore"):
                return sigmoid(self.arrays["slopes"][numbers] * s + self.arrays["intercepts"][numbers])
        found = np.empty(len(scores))
        order = np.argsort(numbers, kind="stable")
        present, begins = np.unique(numbers[order], return_index=True)
        for k, at in zip(present.tolist(), np.split(order, begins[1:]), strict=True):
            found[at] = self._one_class(scores[at], k)
        return found

    def reordered(self, labels: Sequence[Hashable]) -> Calibration:
        """The same calibration for columns in another order."""
        order = [self.labels.index(label) for label in labels]
        arrays = self.arrays
        if order == list(range(len(order))) or self.method == "temperature":
            pass
        elif len(order) == 2 and not self.independent:
            arrays = self._mirrored()
        elif self.method == "sigmoid":
            arrays = {name: values[order] for name, values in self.arrays.items()}
        else:
            parts = [self._points(k) for k in order]
            arrays = joined_points([x for x, _ in parts], [y for _, y in parts])
        return replace(self, labels=tuple(labels), arrays=arrays)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Plain arrays from which `from_arrays` makes the calibration again; the labels are not among them."""
        header = np.array([METHODS.index(self.method), int(self.of_probabilities)], dtype=np.int32)
        return {"method": header, **{name: np.asarray(values) for name, values in self.arrays.items()}}

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, NDArray[Any]], labels: Sequence[Hashable], *, independent: bool = False
    ) -> Calibration:
        """The calibration that `to_arrays` took apart, after its sizes have been checked."""
        header = np.asarray(arrays.get("method", ()))
        if header.shape != (2,) or not 0 <= header[0] < len(METHODS):
            raise DataError(f"These arrays hold no calibration: their 'method' is {header.tolist()!r}.")
        method = METHODS[int(header[0])]
        n = 1 if len(labels) == 2 and not independent else len(labels)
        found = {name: np.asarray(values, np.float64) for name, values in arrays.items() if name != "method"}
        if not _fits(method, found, n) or (independent and method == "temperature"):
            sizes = {name: values.shape for name, values in found.items()}
            raise DataError(
                f"These arrays are no {method} calibration of {len(labels)} labels: their sizes are {sizes}."
            )
        return cls(tuple(labels), method, bool(header[1]), found, independent)

    def _each_class(self, table: Floats) -> Floats:
        if self.method != "sigmoid":
            return np.column_stack([self._one_class(table[:, k], k) for k in range(len(self.labels))])
        s = log_odds(table) if self.of_probabilities else table
        with np.errstate(over="ignore"):
            return sigmoid(self.arrays["slopes"] * s + self.arrays["intercepts"])

    def _one_class(self, scores: Floats, k: int) -> Floats:
        if self.method == "sigmoid":
            s = log_odds(scores) if self.of_probabilities else scores
            with np.errstate(over="ignore"):
                return sigmoid(self.arrays["slopes"][k] * s + self.arrays["intercepts"][k])
        return np.interp(scores, *self._points(k))

    def _points(self, k: int) -> tuple[Floats, Floats]:
        first, last = self.arrays["bounds"][k : k + 2].astype(np.int64)
        return self.arrays["points"][first:last], self.arrays["values"][first:last]

    def _mirrored(self) -> dict[str, Floats]:
        """For two labels exchanged: what was said of the second is now said of the first."""
        if self.method == "sigmoid":
            return {"slopes": self.arrays["slopes"], "intercepts": -self.arrays["intercepts"]}
        points, values = self._points(0)
        turned = 1 - points if self.of_probabilities else -points
        return joined_points([turned[::-1]], [1 - values[::-1]])


def joined_points(points: Sequence[Floats], values: Sequence[Floats]) -> dict[str, Floats]:
    """The classes' isotonic functions, one after another."""
    bounds = np.cumsum([0, *(x.size for x in points)])
    return {
        "points": np.concatenate(points),
        "values": np.concatenate(values),
        "bounds": bounds.astype(np.float64),
    }


def _fits(method: str, arrays: Mapping[str, Floats], n: int) -> bool:
    if any(not np.isfinite(values).all() or values.ndim != 1 for values in arrays.values()):
        return False
    if method == "temperature":
        return set(arrays) == {"temperature"} and arrays["temperature"].shape == (1,) and arrays["temperature"][0] > 0
    if method == "sigmoid":
        return set(arrays) == {"slopes", "intercepts"} and all(values.shape == (n,) for values in arrays.values())
    if set(arrays) != {"points", "values", "bounds"} or arrays["bounds"].shape != (n + 1,):
        return False
    bounds, size = arrays["bounds"], arrays["points"].size
    if bounds[0] != 0 or bounds[-1] != size or arrays["values"].size != size or (np.diff(bounds) <= 0).any():
        return False
    if (bounds != np.round(bounds)).any():
        return False
    parts = zip(bounds[:-1].astype(np.int64), bounds[1:].astype(np.int64), strict=True)
    return all(_rises(arrays["points"][a:b]) and _rises(np.r_[0, arrays["values"][a:b], 1]) for a, b in parts)


def _rises(values: Floats) -> bool:
    return bool((np.diff(values) >= 0).all())
