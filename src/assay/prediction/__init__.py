"""A fitted model as data: from texts to scores, probabilities and labels with numpy and the native core alone.

The way of a prediction, one module a step; `linear_model` holds what it needs, `asking` goes it once for many uses::

    texts ── scoring (weights) ── scores ── probabilities (link) ── calibration ── probability_cap
                                                        labels ── decision ── decision_rule ──┘

`novelty` (`known_ngrams`) says how unlike the training texts a text is.

Neither scikit-learn nor scipy is imported, so that a model answers a moment after it is loaded.
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
