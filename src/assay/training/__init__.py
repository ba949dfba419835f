"""Training: from a corpus to a classifier, with the search, the test and the evidence.

The way of a training, one module a step::

    settings ── candidates (recipes) ── searching ── plan ── search ── selection (combination) ── refit ── testing
                                           │            parts, text_matrix, linear_fit, yardstick
                                           └─ all of it is kept in a TrainingRun (run), and written by run_folder
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
