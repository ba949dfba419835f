"""Measuring: metrics with intervals, comparisons, cross-validation, calibration and decision rules.

The way of a measurement, one room a step::

    model + corpus ──┐
                     ├── metrics ── uncertainty ── protocols ──┬── decisions
    y_true, y_pred ──┘                                         └── presenting

Names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.evaluation.decisions.adjusted_model import AdjustedModel
    from assay.evaluation.decisions.calibration import calibrate, fit_calibration
    from assay.evaluation.decisions.thresholds import choose_rule
    from assay.evaluation.metrics.confusion import ConfusionMatrix
    from assay.evaluation.protocols.comparison import compare
    from assay.evaluation.protocols.comparison_result import Comparison, Comparisons
    from assay.evaluation.protocols.cross_validation import cross_validate
    from assay.evaluation.protocols.cross_validation_result import CrossValidation
    from assay.evaluation.protocols.evaluation import Evaluation, evaluate
    from assay.evaluation.protocols.learning_curves import LearningCurve, learning_curve
    from assay.evaluation.protocols.training_protocol import Selection, select_and_test
    from assay.evaluation.uncertainty.estimate import Estimate
    from assay.evaluation.uncertainty.intervals import corrected_t_interval, wilson_interval
    from assay.evaluation.uncertainty.multiplicity import holm
    from assay.evaluation.uncertainty.significance import mcnemar_p_value
    from assay.prediction.calibration import Calibration
    from assay.prediction.decision_rule import DecisionRule

__all__ = [
    "AdjustedModel",
    "Calibration",
    "Comparison",
    "Comparisons",
    "ConfusionMatrix",
    "CrossValidation",
    "DecisionRule",
    "Estimate",
    "Evaluation",
    "LearningCurve",
    "Selection",
    "calibrate",
    "choose_rule",
    "compare",
    "corrected_t_interval",
    "cross_validate",
    "evaluate",
    "fit_calibration",
    "holm",
    "learning_curve",
    "mcnemar_p_value",
    "select_and_test",
    "wilson_interval",
]

_HOME_OF = {
    "AdjustedModel": "assay.evaluation.decisions.adjusted_model",
    "Calibration": "assay.prediction.calibration",
    "Comparison": "assay.evaluation.protocols.comparison_result",
    "Comparisons": "assay.evaluation.protocols.comparison_result",
    "ConfusionMatrix": "assay.evaluation.metrics.confusion",
    "CrossValidation": "assay.evaluation.protocols.cross_validation_result",
    "DecisionRule": "assay.prediction.decision_rule",
    "Estimate": "assay.evaluation.uncertainty.estimate",
    "Evaluation": "assay.evaluation.protocols.evaluation",
    "LearningCurve": "assay.evaluation.protocols.learning_curves",
    "Selection": "assay.evaluation.protocols.training_protocol",
    "calibrate": "assay.evaluation.decisions.calibration",
    "choose_rule": "assay.evaluation.decisions.thresholds",
    "compare": "assay.evaluation.protocols.comparison",
    "corrected_t_interval": "assay.evaluation.uncertainty.intervals",
    "cross_validate": "assay.evaluation.protocols.cross_validation",
    "evaluate": "assay.evaluation.protocols.evaluation",
    "fit_calibration": "assay.evaluation.decisions.calibration",
    "holm": "assay.evaluation.uncertainty.multiplicity",
    "learning_curve": "assay.evaluation.protocols.learning_curves",
    "mcnemar_p_value": "assay.evaluation.uncertainty.significance",
    "select_and_test": "assay.evaluation.protocols.training_protocol",
    "wilson_interval": "assay.evaluation.uncertainty.intervals",
}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'assay.evaluation' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
