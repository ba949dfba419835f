"""Measuring: metrics with intervals, comparisons, cross-validation, calibration and decision rules.

The way of a measurement, one room a step::

    model + corpus ──┐
                     ├── metrics ── uncertainty ── protocols ──┬── decisions
    y_true, y_pred ──┘                                         └── presenting
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
