"""Fitting calibrations: turning scores into probabilities that come true as often as they say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from assay.arguments import in_our_words
from assay.errors import DataError, ParameterError
from assay.evaluation.decisions.calibration_fit import fit_isotonic, fit_sigmoid, fit_temperature
from assay.evaluation.metrics.outcomes import Label, Outcomes, choices
from assay.evaluation.protocols.cross_validation import cross_validate
from assay.prediction.calibration import METHODS, Calibration, joined_points
from assay.prediction.probabilities import Floats, log_odds, logits
from assay.suggest import quote

__all__ = ["calibrate", "fit_calibration"]


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
        arrays = {"temperature": np.array([fit_temperature(logits(table, of_probabilities), truth)])}
        return Calibration(tuple(labels), method, of_probabilities, arrays)
    columns = [1] if len(labels) == 2 else list(range(len(labels)))
    for k in columns:
        positive = truth == k
        if positive.all() or not positive.any():
            what = "every" if positive.all() else "no"
            raise DataError(
                f"The class {quote(labels[k])} cannot be calibrated: {what} held-out document is of it. Use "
                "method='temperature', which needs no documents of every class, or add documents."
            )
    if method == "sigmoid":
        one = log_odds if of_probabilities else _same
        pairs = [fit_sigmoid(one(table[:, k]), truth == k) for k in columns]
        arrays = {"slopes": np.array([a for a, _ in pairs]), "intercepts": np.array([b for _, b in pairs])}
    else:
        parts = [fit_isotonic(table[:, k], truth == k) for k in columns]
        arrays = joined_points([x for x, _ in parts], [y for _, y in parts])
    return Calibration(tuple(labels), method, of_probabilities, arrays)


@in_our_words
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


def _same(scores: Floats) -> Floats:
    return scores
