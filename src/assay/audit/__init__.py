"""The audit: who is treated worse, what a name changes, how little it takes to change an answer, what ails the data.

::

    groups ──────────────────────────┐
    probes, outside_probes ── swaps ─┤
    perturbations ── robustness ─────┼── …_verdicts ── findings ── Audit
    label_errors, data_checks ───────┘

Names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.audit.findings import Finding
    from assay.audit.label_errors import LabelErrors, confident_errors, find_label_errors
    from assay.audit.outside_probes import probe_from_columns, probes_from_terms
    from assay.audit.probes import Probe, TermList, built_in_lists, load_list
    from assay.audit.result import Audit
    from assay.audit.run import audit
    from assay.audit.thresholds import Thresholds

__all__ = [
    "Audit",
    "Finding",
    "LabelErrors",
    "Probe",
    "TermList",
    "Thresholds",
    "audit",
    "built_in_lists",
    "confident_errors",
    "find_label_errors",
    "load_list",
    "probe_from_columns",
    "probes_from_terms",
]

_HOME_OF = {
    "Audit": "assay.audit.result",
    "Finding": "assay.audit.findings",
    "LabelErrors": "assay.audit.label_errors",
    "Probe": "assay.audit.probes",
    "TermList": "assay.audit.probes",
    "Thresholds": "assay.audit.thresholds",
    "audit": "assay.audit.run",
    "built_in_lists": "assay.audit.probes",
    "confident_errors": "assay.audit.label_errors",
    "find_label_errors": "assay.audit.label_errors",
    "load_list": "assay.audit.probes",
    "probe_from_columns": "assay.audit.outside_probes",
    "probes_from_terms": "assay.audit.outside_probes",
}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'assay.audit' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
