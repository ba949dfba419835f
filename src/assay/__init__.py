"""assay: from labelled text to a classifier that can be trusted.

The public names are loaded when they are first used, so that ``import assay`` stays quick; it imports nothing itself.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing's own, without importing it

if TYPE_CHECKING:
    from assay.classifier.load import load
    from assay.classifier.text_classifier import TextClassifier
    from assay.data.corpus import Corpus
    from assay.data.read import read
    from assay.evaluation.comparison import compare
    from assay.evaluation.cross_validation import cross_validate
    from assay.evaluation.evaluation import evaluate
    from assay.training.train import train

__all__ = ["Corpus", "TextClassifier", "__version__", "compare", "cross_validate", "evaluate", "load", "read", "train"]

__version__ = "0.1.0"

_HOME_OF = {
    "Corpus": "assay.data.corpus",
    "TextClassifier": "assay.classifier.text_classifier",
    "compare": "assay.evaluation.comparison",
    "cross_validate": "assay.evaluation.cross_validation",
    "evaluate": "assay.evaluation.evaluation",
    "load": "assay.classifier.load",
    "read": "assay.data.read",
    "train": "assay.training.train",
}


def __getattr__(name: str) -> object:
    if name == "_native":
        return _native_module()
    if name not in _HOME_OF:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def _native_module() -> object:
    """The compiled module: a signal's handler that raises in the middle of its import would abort the process."""
    from importlib import import_module

    from assay.interruption import signals_held_back

    with signals_held_back():
        return import_module("assay._native")


def __dir__() -> list[str]:
    return sorted(__all__)
