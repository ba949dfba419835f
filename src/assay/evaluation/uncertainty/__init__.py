"""How far a number can be trusted: intervals, resampling, tests, and several of them at once.

::

    resampling (user_metric, metric_value) ── intervals (fold_mean, calibration_interval) ──┐
    posterior · area_intervals · loss_intervals · too_few ─────────────────────────────── measuring ── Estimate
    significance ── multiplicity      verdict: better than guessing?      forecast: how many examples more?
"""
