"""Calibration: turning scores into probabilities that come true as often as they say.

A fitted calibration is a few plain arrays. It is applied with numpy alone and kept in a model file as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, ParameterError
from assay.evaluation.calibration_fit import fit_isotonic, fit_sigmoid, fit_temperature
from assay.evaluation.cross_validation import cross_validate
from assay.evaluation.outcomes import Label, Outcomes, choices

__all__ = ["Calibration", "calibrate", "fit_calibration"]

Floats = NDArray[np.float64]
METHODS = ("sigmoid", "isotonic", "temperature")
_SMALLEST = 1e-15  # probabilities are kept this far from 0 before logarithms


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
    log-odds and the logarithm of probabilities.

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
    """

    labels: tuple[Label, ...]
    method: str
    of_probabilities: bool
    arrays: Mapping[str, Floats]

    def apply(self, scores: Any) -> Floats:
        """Calibrated probabilities, shape (n, n_labels), from scores of that shape."""
        table = np.asarray(scores, dtype=np.float64)
        if table.ndim == 1 and len(self.labels) == 2:
            table = np.column_stack([1 - table, table] if self.of_probabilities else [-table, table])
        if table.ndim != 2 or table.shape[1] != len(self.labels):
            raise DataError(
                f"The scores to calibrate have shape {table.shape} where (n, {len(self.labels)}) is needed: one column "
                f"for each of the labels {list(self.labels)!r}."
            )
        if self.method == "temperature":
            return _softmax(_logits(table, self.of_probabilities) / self.arrays["temperature"][0])
        if len(self.labels) == 2:
            second = self._one_class(table[:, 1], 0)
            return np.column_stack([1 - second, second])
        rows = np.column_stack([self._one_class(table[:, k], k) for k in range(len(self.labels))])
        sums = rows.sum(axis=1, keepdims=True)
        return np.where(sums > 0, rows / np.where(sums > 0, sums, 1.0), 1 / len(self.labels))

    def reordered(self, labels: Sequence[Label]) -> Calibration:
        """The same calibration for columns in another order."""
        order = [self.labels.index(label) for label in labels]
        if order == list(range(len(order))) or self.method == "temperature":
            return Calibration(tuple(labels), self.method, self.of_probabilities, self.arrays)
        if len(order) == 2:
            return Calibration(tuple(labels), self.method, self.of_probabilities, self._mirrored())
        if self.method == "sigmoid":
            arrays = {name: values[order] for name, values in self.arrays.items()}
        else:
            parts = [self._points(k) for k in order]
            arrays = joined_points([x for x, _ in parts], [y for _, y in parts])
        return Calibration(tuple(labels), self.method, self.of_probabilities, arrays)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Plain arrays from which `from_arrays` makes the calibration again; the labels are not among them."""
        header = np.array([METHODS.index(self.method), int(self.of_probabilities)], dtype=np.int32)
        return {"method": header, **{name: np.asarray(values) for name, values in self.arrays.items()}}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], labels: Sequence[Label]) -> Calibration:
        """The calibration that `to_arrays` took apart, after its sizes have been checked."""
        header = np.asarray(arrays.get("method", ()))
        if header.shape != (2,) or not 0 <= header[0] < len(METHODS):
            raise DataError(f"These arrays hold no calibration: their 'method' is {header.tolist()!r}.")
        method = METHODS[int(header[0])]
        n = 1 if len(labels) == 2 else len(labels)
        found = {name: np.asarray(values, np.float64) for name, values in arrays.items() if name != "method"}
        if not _fits(method, found, n):
            sizes = {name: values.shape for name, values in found.items()}
            raise DataError(
                f"These arrays are no {method} calibration of {len(labels)} labels: their sizes are {sizes}."
            )
        return cls(tuple(labels), method, bool(header[1]), found)

    def _one_class(self, scores: Floats, k: int) -> Floats:
        if self.method == "sigmoid":
            s = _log_odds(scores) if self.of_probabilities else scores
            return _expit(self.arrays["slopes"][k] * s + self.arrays["intercepts"][k])
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


def fit_calibration(
    scores: Any, classes: Any, labels: Sequence[Label], method: str = "sigmoid", of_probabilities: bool = False
) -> Calibration:
    """Fit a calibration to held-out scores.

    Parameters
    ----------
    scores
        Shape (n, n_labels), of documents that the model was not trained on.
    classes
        True class index of each.
    labels
        Order of the columns.
    method
        ``"sigmoid"`` (Platt), ``"isotonic"`` or ``"temperature"``.
    of_probabilities
        Whether the scores are probabilities.

    References
    ----------
    Platt (1999); Lin, Lin & Weng (2007); Zadrozny & Elkan (2002); Guo et al. (2017).
    """
    if method not in METHODS:
        raise ParameterError(f"method must be one of {choices(method, METHODS)}. Got {method!r} instead.")
    table, truth = np.asarray(scores, dtype=np.float64), np.asarray(classes)
    if method == "temperature":
        arrays = {"temperature": np.array([fit_temperature(_logits(table, of_probabilities), truth)])}
        return Calibration(tuple(labels), method, of_probabilities, arrays)
    columns = [1] if len(labels) == 2 else list(range(len(labels)))
    for k in columns:
        positive = truth == k
        if positive.all() or not positive.any():
            what = "every" if positive.all() else "no"
            raise DataError(
                f"The class {labels[k]!r} cannot be calibrated: {what} held-out document is of it. Use "
                "method='temperature', which needs no documents of every class, or add documents."
            )
    if method == "sigmoid":
        one = _log_odds if of_probabilities else _same
        pairs = [fit_sigmoid(one(table[:, k]), truth == k) for k in columns]
        arrays = {"slopes": np.array([a for a, _ in pairs]), "intercepts": np.array([b for _, b in pairs])}
    else:
        parts = [fit_isotonic(table[:, k], truth == k) for k in columns]
        arrays = joined_points([x for x, _ in parts], [y for _, y in parts])
    return Calibration(tuple(labels), method, of_probabilities, arrays)


def calibrate(
    source: Any, corpus: Any = None, *, method: str = "sigmoid", folds: int = 5, **settings: Any
) -> Calibration:
    """Fit a calibration on held-out folds.

    Parameters
    ----------
    source
        An unfitted model, which is cross-validated on `corpus`; or a `CrossValidation` or `Evaluation` whose documents
        the model was not trained on.
    corpus
        The training documents, where `source` is a model.
    method
        ``"sigmoid"`` (Platt), ``"isotonic"`` or ``"temperature"``.
    folds
        Folds of the cross-validation.
    settings
        Others of `assay.cross_validate`.

    Examples
    --------
    >>> import assay
    >>> result = assay.evaluate(["a", "a", "b", "b"] * 5, ["a", "b", "b", "b"] * 5, [0.1, 0.6, 0.7, 0.9] * 5)
    >>> calibrate(result, method="temperature").apply([[0.2, 0.8]]).sum()
    np.float64(1.0)
    """
    held_out = getattr(source, "outcomes", None)
    if not isinstance(held_out, Outcomes):
        if corpus is None:
            raise ParameterError(
                "calibrate needs held-out documents. Pass an unfitted model and the training corpus, or a "
                f"cross-validation. Got {type(source).__name__} alone."
            )
        held_out = cross_validate(source, corpus, folds=folds, metrics=["accuracy"], **settings).outcomes
    table = held_out.probabilities if held_out.probabilities is not None else held_out.scores
    if table is None:
        raise DataError(
            "There is nothing to calibrate: the model gives neither probabilities nor scores. Use a model with "
            "predict_proba or decision_function."
        )
    return fit_calibration(table, held_out.truth, held_out.labels, method, held_out.probabilities is not None)


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
    right_ends = bounds[0] == 0 and bounds[-1] == size == arrays["values"].size
    return bool(right_ends and (np.diff(bounds) > 0).all() and (bounds == bounds.astype(np.int64)).all())


def _same(scores: Floats) -> Floats:
    return scores


def _logits(table: Floats, of_probabilities: bool) -> Floats:
    return np.log(np.maximum(table, _SMALLEST)) if of_probabilities else table


def _log_odds(p: Floats) -> Floats:
    inside = np.clip(p, _SMALLEST, 1 - _SMALLEST)
    return np.asarray(np.log(inside) - np.log1p(-inside))


def _expit(x: Floats) -> Floats:
    """1 / (1 + exp(-x)) without overflow."""
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1.0, small) / (1.0 + small)


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
