"""The audit: who is treated worse, what a name changes, how little it takes to change an answer, what ails the data.

::

    groups ──────────────────────────┐
    probes, outside_probes ── swaps ─┤
    perturbations ── robustness ─────┼── …_verdicts ── findings ── Audit
    label_errors, data_checks ───────┘
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
