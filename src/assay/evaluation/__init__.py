"""Measuring: metrics with intervals, comparisons, cross-validation, calibration and thresholds."""
