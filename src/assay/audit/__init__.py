"""The audit: who is treated worse, what a name changes, how little it takes to change an answer, what ails the data.

::

    run ─┬─ people   groups, and names that are swapped ──┐
         ├─ texts    small changes ───────────────────────┼── findings ── Audit (result), shown by tables
         └─ labels   errors and conflicts ────────────────┘

A further audit is a module in one of the rooms, a line in `run` and a field of the result.
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
