"""Labelled text from anywhere, read into a `Corpus`, and what a careful person looks at first.

The way of the data, one room a step::

    path, glob, "-" ──── bytes ── formats ──┐
    list, DataFrame ────────────────────────┴── columns ── reading ── corpus ── profile

`options` are the settings of `read`; `arrays` passes between numpy, Python and Arrow.
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
