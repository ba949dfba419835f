"""Linear classifiers: solvers on native kernels, and estimators in scikit-learn's manners over them.

::

    estimators (parameters, checks, fitted attributes) ──┐
    names (learners by short names) ─────────────────────┴── solvers (settings and rows in, arrays out) ── native core

The networks by short names are in `assay.training.network_choice`.
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
