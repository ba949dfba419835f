"""Protocols: measuring a model, comparing models, cross-validating a way of training.

::

    evaluation (seen_texts)                             one model, one test set
    operands ── comparison ── comparison_result         several models, the same test set
    folds ── trainers (fold_features) ── cross_validation ── cross_validation_result ── tuning, learning_curves
    training_protocol                                   how `assay train` came to its figures, in words
"""
