"""Fitting the calibrations of models that give several labels a text: each label by itself, on held-out scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from assay.errors import DataError, ParameterError
from assay.evaluation.decisions.calibration_fit import fit_isotonic, fit_sigmoid
from assay.evaluation.metrics.outcomes import Label, choices
from assay.label_sets import LabelSets
from assay.prediction.calibration import Calibration, joined_points
from assay.prediction.probabilities import Floats, log_odds
from assay.prediction.probability_cap import ProbabilityCap

__all__ = ["choose_set_cap", "fit_set_calibration"]

METHODS = ("sigmoid", "isotonic")


def fit_set_calibration(
    scores: Any, sets: LabelSets, labels: Sequence[Label], method: str = "sigmoid", of_probabilities: bool = False
) -> Calibration:
    """Fit a function of the score for each label.

    A label that no text has, or every text, has the same probability for all texts: (n + 1)/(n + 2) where all of n
    have it, 1/(n + 2) where none has.

    Parameters
    ----------
    scores
        Shape (n, n_labels), of texts that the model was not trained on.
    sets
        The labels of each.
    labels
        Order of the columns.
    method
        ``"sigmoid"`` (Platt) or ``"isotonic"``.
    of_probabilities
        Whether the scores are probabilities.

    Examples
    --------
    >>> sets = LabelSets.of_rows([[0], [0, 1], [1], [], [0], []], 2)
    >>> scores = [[2.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-2.0, -2.0], [1.0, -1.0], [-1.0, -1.0]]
    >>> fit_set_calibration(scores, sets, ("a", "b")).apply([[1.5, -1.5]]).round(1).tolist()
    [[0.8, 0.1]]

    References
    ----------
    Platt (1999); Lin, Lin & Weng (2007); Zadrozny & Elkan (2002).
    """
    if method not in METHODS:
        raise ParameterError(
            f"method must be one of {choices(method, METHODS)} for sets of labels. Got {method!r} instead."
        )
    table = np.asarray(scores, dtype=np.float64)
    if table.shape != (len(sets), len(labels)):
        raise DataError(
            f"The scores to calibrate have shape {table.shape} where ({len(sets)}, {len(labels)}) is needed: a row for "
            "each text and a column for each label."
        )
    truth = sets.table()
    if method == "sigmoid":
        s = log_odds(table) if of_probabilities else table
        pairs = [_sigmoid(s[:, k], truth[:, k]) for k in _each(labels)]
        arrays = {"slopes": np.array([a for a, _ in pairs]), "intercepts": np.array([b for _, b in pairs])}
    else:
        parts = [fit_isotonic(table[:, k], truth[:, k]) for k in _each(labels)]
        arrays = joined_points([x for x, _ in parts], [y for _, y in parts])
    return Calibration(tuple(labels), method, of_probabilities, arrays, independent=True)


def choose_set_cap(probabilities: Floats, sets: LabelSets, labels: Sequence[Label]) -> ProbabilityCap:
    """The largest p that each label may be given: at most (n + 1)/(n + 2), n texts as sure as p having had it."""
    truth, values = sets.table(), np.empty(len(labels))
    for k in _each(labels):
        surest = np.sort(probabilities[truth[:, k], k])[::-1]
        n = np.arange(1, surest.size + 1)
        values[k] = np.minimum(surest, (n + 1) / (n + 2)).max(initial=0.5)
    return ProbabilityCap(tuple(labels), values, independent=True)


def _each(labels: Sequence[Label]) -> range:
    return range(len(labels))


def _sigmoid(scores: Floats, positive: Any) -> tuple[float, float]:
    """Slope and intercept; of a label that all texts have, or none, 0 and what all, or none, of n show."""
    if positive.all() or not positive.any():
        odds = float(np.log(positive.size + 1))
        return 0.0, odds if positive.all() else -odds
    return fit_sigmoid(scores, positive)
