"""Measuring: metrics with intervals, comparisons, cross-validation, calibration and decision rules.

The way of a measurement, one module a step::

    model + corpus ──┐                  ┌─ metrics ── resampling ── intervals ── estimation ── Evaluation
                     ├── outcomes ──────┤
    y_true, y_pred ──┘                  ├─ confusion, curves, error_analysis ── presentation, plots
                                        └─ operands ── significance ── Comparison

    folds ── trainers (fold_features) ── CrossValidation ── calibration ── thresholds

Names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.evaluation.adjusted_model import AdjustedModel
    from assay.evaluation.calibration import calibrate, fit_calibration
    from assay.evaluation.comparison import compare
    from assay.evaluation.comparison_result import Comparison, Comparisons
    from assay.evaluation.confusion import ConfusionMatrix
    from assay.evaluation.cross_validation import cross_validate
    from assay.evaluation.cross_validation_result import CrossValidation
    from assay.evaluation.estimate import Estimate
    from assay.evaluation.evaluation import Evaluation, evaluate
    from assay.evaluation.intervals import corrected_t_interval, wilson_interval
    from assay.evaluation.learning_curves import LearningCurve, learning_curve
    from assay.evaluation.multiplicity import holm
    from assay.evaluation.protocol import Selection, select_and_test
    from assay.evaluation.significance import mcnemar_p_value
    from assay.evaluation.thresholds import choose_rule
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
    "AdjustedModel": "assay.evaluation.adjusted_model",
    "Calibration": "assay.prediction.calibration",
    "Comparison": "assay.evaluation.comparison_result",
    "Comparisons": "assay.evaluation.comparison_result",
    "ConfusionMatrix": "assay.evaluation.confusion",
    "CrossValidation": "assay.evaluation.cross_validation_result",
    "DecisionRule": "assay.prediction.decision_rule",
    "Estimate": "assay.evaluation.estimate",
    "Evaluation": "assay.evaluation.evaluation",
    "LearningCurve": "assay.evaluation.learning_curves",
    "Selection": "assay.evaluation.protocol",
    "calibrate": "assay.evaluation.calibration",
    "choose_rule": "assay.evaluation.thresholds",
    "compare": "assay.evaluation.comparison",
    "corrected_t_interval": "assay.evaluation.intervals",
    "cross_validate": "assay.evaluation.cross_validation",
    "evaluate": "assay.evaluation.evaluation",
    "fit_calibration": "assay.evaluation.calibration",
    "holm": "assay.evaluation.multiplicity",
    "learning_curve": "assay.evaluation.learning_curves",
    "mcnemar_p_value": "assay.evaluation.significance",
    "select_and_test": "assay.evaluation.protocol",
    "wilson_interval": "assay.evaluation.intervals",
}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'assay.evaluation' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
