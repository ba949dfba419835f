"""Why a model decides as it does: exact contributions to one decision, and what speaks for each class."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.explanation.batch import Explanations, explain_texts
    from assay.explanation.decision import Explanation, FeatureContribution, explain
    from assay.explanation.groups import FeatureGroup, feature_groups
    from assay.explanation.importance import GroupEffect, GroupImportance, group_importance
    from assay.explanation.log_odds import TellingNgram, telling_ngrams
    from assay.explanation.nearest import DocumentIndex, NearDocument
    from assay.explanation.occlusion import Occlusion, ProbabilityModel, occlude
    from assay.explanation.prototypes import CentroidFeature, ClassPrototype, TypicalDocument, class_prototypes
    from assay.explanation.removal import Removal
    from assay.explanation.weights import FeatureWeight, top_features
    from assay.explanation.words import TextPiece

__all__ = [
    "CentroidFeature",
    "ClassPrototype",
    "DocumentIndex",
    "Explanation",
    "Explanations",
    "FeatureContribution",
    "FeatureGroup",
    "FeatureWeight",
    "GroupEffect",
    "GroupImportance",
    "NearDocument",
    "Occlusion",
    "ProbabilityModel",
    "Removal",
    "TellingNgram",
    "TextPiece",
    "TypicalDocument",
    "class_prototypes",
    "explain",
    "explain_texts",
    "feature_groups",
    "group_importance",
    "occlude",
    "telling_ngrams",
    "top_features",
]

_HOME_OF = {
    "CentroidFeature": "assay.explanation.prototypes",
    "ClassPrototype": "assay.explanation.prototypes",
    "DocumentIndex": "assay.explanation.nearest",
    "Explanation": "assay.explanation.decision",
    "Explanations": "assay.explanation.batch",
    "FeatureContribution": "assay.explanation.decision",
    "FeatureGroup": "assay.explanation.groups",
    "FeatureWeight": "assay.explanation.weights",
    "GroupEffect": "assay.explanation.importance",
    "GroupImportance": "assay.explanation.importance",
    "NearDocument": "assay.explanation.nearest",
    "Occlusion": "assay.explanation.occlusion",
    "ProbabilityModel": "assay.explanation.occlusion",
    "Removal": "assay.explanation.removal",
    "TellingNgram": "assay.explanation.log_odds",
    "TextPiece": "assay.explanation.words",
    "TypicalDocument": "assay.explanation.prototypes",
    "class_prototypes": "assay.explanation.prototypes",
    "explain": "assay.explanation.decision",
    "explain_texts": "assay.explanation.batch",
    "feature_groups": "assay.explanation.groups",
    "group_importance": "assay.explanation.importance",
    "occlude": "assay.explanation.occlusion",
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
