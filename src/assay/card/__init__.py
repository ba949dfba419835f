"""The model card: what a model is, what it was made of, how well it does and for whom, and what it is for.

The sections are those of Mitchell et al. (2019). What the model file, an evaluation and an audit know is filled in;
what only a person can know is marked, and kept when the card is made again::

    model, evaluation, audit ── sections ── document ── markdown, html
                                               ↑
                       the card that is there already ── kept
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
