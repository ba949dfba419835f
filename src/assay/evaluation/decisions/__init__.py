"""Decisions: from scores to probabilities that come true, and from probabilities to labels.

::

    calibration (calibration_fit) ── adjusted_outcomes ── thresholds (threshold_search, prior_weights) ── adjusted_model
"""
