"""Why a model decides as it does: exact contributions to one decision, and what speaks for each class."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.explanation.decision import Explanation, FeatureContribution, explain, explain_texts
    from assay.explanation.log_odds import TellingNgram, telling_ngrams
    from assay.explanation.removal import Removal
    from assay.explanation.weights import FeatureWeight, top_features
    from assay.explanation.words import TextPiece

__all__ = [
    "Explanation",
    "FeatureContribution",
    "FeatureWeight",
    "Removal",
    "TellingNgram",
    "TextPiece",
    "explain",
    "explain_texts",
    "telling_ngrams",
    "top_features",
]

_HOME_OF = {
    "Explanation": "assay.explanation.decision",
    "FeatureContribution": "assay.explanation.decision",
    "FeatureWeight": "assay.explanation.weights",
    "Removal": "assay.explanation.removal",
    "TellingNgram": "assay.explanation.log_odds",
    "TextPiece": "assay.explanation.words",
    "explain": "assay.explanation.decision",
    "explain_texts": "assay.explanation.decision",
    "telling_ngrams": "assay.explanation.log_odds",
    "top_features": "assay.explanation.weights",
}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'assay.explanation' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
