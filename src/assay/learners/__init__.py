"""Linear classifiers in scikit-learn's manners, on native sparse solvers."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.learners.linear_svm import LinearSVC
    from assay.learners.logistic import LogisticRegression

__all__ = ["LinearSVC", "LogisticRegression"]

_HOME_OF = {
    "LinearSVC": "assay.learners.linear_svm",
    "LogisticRegression": "assay.learners.logistic",
}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'assay.learners' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
