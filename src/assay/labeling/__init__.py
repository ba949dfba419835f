"""Labeling: which texts to label next, and what labels have bought.

::

    pool (texts, features, aside) ── known (labels so far) ── judgement (a model's, or a quick one's)
       └── picking: chance, uncertain, rare, suspects, cold_start ── picks

It knows texts and labels, and no folder.
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
