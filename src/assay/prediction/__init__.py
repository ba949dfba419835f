"""A fitted model as data: from texts to scores, probabilities and labels with numpy and the native core alone.

The way of a prediction, one module a step::

    texts ── scoring ── scores ── probabilities (link) ── calibration ── decision_rule ── labels

Neither scikit-learn nor scipy is imported, so that a model answers a moment after it is loaded.
"""

from __future__ import annotations

from assay.prediction.calibration import Calibration
from assay.prediction.decision import Decision
from assay.prediction.decision_rule import DecisionRule
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.weights import SparseWeights

__all__ = ["Calibration", "Decision", "DecisionRule", "LinearTextModel", "SparseWeights"]
