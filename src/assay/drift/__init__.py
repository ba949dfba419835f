"""Drift: whether new texts are still like those that a model was trained on, in what they differ, and what that costs.

::

    before (what the model file remembers, or texts of before) ─┐
                                                                 ├─ tests ── verdicts ── Drift, shown by tables
    new texts, and the model's answers to them ─────────────────┘

`domain` tells new from old by their words, `unknown` by what of a text is known, `answers` by what the model says;
`label_shares` and `expected` follow from the answers; `words` names what is more frequent now.
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
