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
    from assay.evaluation.calibration import Calibration, calibrate, fit_calibration
    from assay.evaluation.comparison import compare
    from assay.evaluation.comparison_result import Comparison, Comparisons
    from assay.evaluation.confusion import ConfusionMatrix
    from assay.evaluation.cross_validation import cross_validate
    from assay.evaluation.cross_validation_result import CrossValidation
    from assay.evaluation.estimate import Estimate
    from assay.evaluation.evaluation import Evaluation, evaluate
    from assay.evaluation.intervals import corrected_t_interval, wilson_interval
    from assay.evaluation.learning_curves import LearningCurve, learning_curve
    from assay.evaluation.protocol import Selection, select_and_test
    from assay.evaluation.significance import holm, mcnemar_p_value
    from assay.evaluation.thresholds import DecisionRule, choose_rule

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
    "AdjustedModel": "adjusted_model",
    "Calibration": "calibration",
    "Comparison": "comparison_result",
    "Comparisons": "comparison_result",
    "ConfusionMatrix": "confusion",
    "CrossValidation": "cross_validation_result",
    "DecisionRule": "thresholds",
    "Estimate": "estimate",
    "Evaluation": "evaluation",
    "LearningCurve": "learning_curves",
    "Selection": "protocol",
    "calibrate": "calibration",
    "choose_rule": "thresholds",
    "compare": "comparison",
    "corrected_t_interval": "intervals",
    "cross_validate": "cross_validation",
    "evaluate": "evaluation",
    "fit_calibration": "calibration",
    "holm": "significance",
    "learning_curve": "learning_curves",
    "mcnemar_p_value": "significance",
    "select_and_test": "protocol",
    "wilson_interval": "intervals",
}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'assay.evaluation' has no attribute {name!r}")
    value = getattr(import_module(f"assay.evaluation.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
