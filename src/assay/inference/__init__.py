"""Statistical inference: whether a feature is associated with the classes, beyond what else is known of the texts.

::

    corpus ── variables ── design ── newton ── result
                             │          │
                        (rank)    separation, alternatives, few_texts, validity ── wording
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
