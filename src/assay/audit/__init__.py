"""The audit: who is treated worse, what a name changes, how little it takes to change an answer, what ails the data.

::

    people   groups, and names that are swapped ──┐
    texts    small changes ───────────────────────┼── findings ── Audit
    labels   errors and conflicts ────────────────┘
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
