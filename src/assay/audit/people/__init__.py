"""How people fare: groups in the data, and sentences that differ only in a name or a term for people.

::

    groups (shares) ─────────────────────────────── group_verdicts
    probes, outside_probes ── swaps (gaps) ──────── swap_verdicts, term_origin (term_evidence)
"""
