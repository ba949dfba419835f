"""Training: from a corpus to a classifier, with the search, the test and the evidence.

The way of a training, one module a step; `train` goes it::

    settings ── candidates (recipes) ── search ── plan ── rounds ── winners (combination) ── refit ── testing
                                           │         prices; trials, racing; parts, fold_matrices, room
                                           │         learner_settings, yardstick; rare_classes, selection_bias
                                           │         learned_novelty, growth
                                           └─ all of it is kept in a TrainingRun (run), and written by run_folder
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
