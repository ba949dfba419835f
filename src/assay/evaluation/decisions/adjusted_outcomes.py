"""What a model said of held-out documents, calibrated and capped: what rules and caps are chosen on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assay.errors import DataError, ParameterError
from assay.evaluation.metrics.outcomes import Outcomes
from assay.prediction.calibration import Calibration
from assay.prediction.probability_cap import ProbabilityCap

__all__ = ["adjusted_outcomes", "choose_cap"]


def choose_cap(source: Any, *, calibration: Calibration | None = None) -> ProbabilityCap:
    """The largest probability that held-out documents can bear out.

    It is the largest p that is at most (n + 1) / (n + 2), where n documents were at least as sure as p, and right.

    Parameters
    ----------
    source
        A `CrossValidation` or `Evaluation` of documents that the model was not trained on.
    calibration
        Applied to the probabilities or scores first.

    Examples
    --------
    >>> import assay
    >>> result = assay.evaluate(["a", "b"] * 5, ["a", "b"] * 5, [0.001, 0.999] * 5)
    >>> choose_cap(result).values.round(3).tolist()  # ten of ten were right: 11/12
    [0.917, 0.917]
    """
    outcomes = adjusted_outcomes(source, calibration)
    return ProbabilityCap.of_held_out(outcomes.labels, outcomes.probabilities, outcomes.truth)


def adjusted_outcomes(
    source: Any, calibration: Calibration | None = None, cap: ProbabilityCap | None = None
) -> Outcomes:
    """The outcomes of held-out documents with the probabilities that a calibration and a cap make of them."""
    outcomes = getattr(source, "outcomes", None)
    if not isinstance(outcomes, Outcomes):
        raise ParameterError(
            "Rules and caps need a CrossValidation or an Evaluation of held-out documents. Got "
            f"{type(source).__name__}."
        )
    table = outcomes.probabilities
    if calibration is not None:
        given = outcomes.probabilities if calibration.of_probabilities else outcomes.scores
        if given is not None:
            table = calibration.reordered(outcomes.labels).apply(given)
    if table is None:
        raise DataError(
            "Rules and caps need probabilities, and there are none. Calibrate the scores first "
            "(assay.evaluation.calibrate) and pass calibration=."
        )
    return replace(outcomes, probabilities=table if cap is None else cap.reordered(outcomes.labels).apply(table))
