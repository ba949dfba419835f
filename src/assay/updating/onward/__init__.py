"""From the model file alone: the old texts are gone, and new ones teach the model on.

::

    told ── growing ── near_weights (svm, logistic, NBSVM, sums of them) ── afterwards ── update_onward ── ModelUpdate
    what    columns    counted (naive Bayes)                                calibration,
    the     of new     passed  (perceptrons)                                thresholds,
    file    words                                                           what is remembered
    says
"""
