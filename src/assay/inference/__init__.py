"""Statistical inference: whether a feature is associated with the classes, beyond what else is known of the texts.

::

    corpus ── variables ── design ── newton ── result
                             │          │
                        (rank)    separation, alternatives, validity ── wording

Names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.evaluation.multiplicity import benjamini_hochberg
    from assay.inference.alternatives import held_out_p_value, permutation_p_value
    from assay.inference.regression import regress
    from assay.inference.result import Coefficient, FeatureTest, Regression

__all__ = [
    "Coefficient",
    "FeatureTest",
    "Regression",
    "benjamini_hochberg",
    "held_out_p_value",
    "permutation_p_value",
    "regress",
]

_HOME_OF = {
    "Coefficient": "assay.inference.result",
    "FeatureTest": "assay.inference.result",
    "Regression": "assay.inference.result",
    "benjamini_hochberg": "assay.evaluation.multiplicity",
    "held_out_p_value": "assay.inference.alternatives",
    "permutation_p_value": "assay.inference.alternatives",
    "regress": "assay.inference.regression",
}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'assay.inference' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
