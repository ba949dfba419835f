"""Decisions: from scores to probabilities that come true, and from probabilities to labels.

::

    calibration (calibration_fit) ── thresholds (threshold_search) ── adjusted_model
"""
