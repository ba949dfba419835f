"""Why a model decides as it does: exact contributions to one decision, and what speaks for each class.

::

    one text     decision ── located, characters, words ── presentation      not linear: occlusion ── occlusion_view
                 removal (the fewest words), nearest (documents like it)     many: batch
    the model    weights, in_words ── model_page      groups ── importance
    the classes  log_odds, prototypes
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
