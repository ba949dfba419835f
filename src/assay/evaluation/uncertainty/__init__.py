"""How far a number can be trusted: intervals, resampling, tests, and several of them at once.

::

    resampling (user_metric, metric_value) ── intervals (fold_mean, calibration_interval) ── measuring ── Estimate
    significance ── multiplicity
"""
