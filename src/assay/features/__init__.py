"""What a document looks like to a learner: vectorizers and their parts.

The vectorizers are scikit-learn's in all but speed; beside them stand features that people design: lexicons, templates
and functions, their scaling, selection and union. All are loaded when first used, because loading scikit-learn takes
longer than most of their work.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.features.count import CountVectorizer
    from assay.features.function_features import FunctionFeatures
    from assay.features.functions import register_feature
    from assay.features.hashing import HashingVectorizer
    from assay.features.joined import JoinedVectorizer
    from assay.features.lexicon import Lexicon
    from assay.features.lexicon_features import LexiconFeatures
    from assay.features.lexicon_file import read_lexicon
    from assay.features.places import mark_places
    from assay.features.ranking import FeatureRanking, rank_features
    from assay.features.scaler import FeatureScaler
    from assay.features.selection import measure_features
    from assay.features.selector import FeatureSelector
    from assay.features.settings import features_from_settings, vectorizer_from_settings
    from assay.features.storage import load
    from assay.features.template_features import TemplateFeatures
    from assay.features.template_file import read_templates
    from assay.features.tfidf import TfidfTransformer, TfidfVectorizer
    from assay.features.word_char import WordCharVectorizer

__all__ = [
    "CountVectorizer",
    "FeatureRanking",
    "FeatureScaler",
    "FeatureSelector",
    "FunctionFeatures",
    "HashingVectorizer",
    "JoinedVectorizer",
    "Lexicon",
    "LexiconFeatures",
    "TemplateFeatures",
    "TfidfTransformer",
    "TfidfVectorizer",
    "WordCharVectorizer",
    "features_from_settings",
    "load",
    "mark_places",
    "measure_features",
    "rank_features",
    "read_lexicon",
    "read_templates",
    "register_feature",
    "vectorizer_from_settings",
]

_HOME_OF = {
    "CountVectorizer": "assay.features.count",
    "FeatureRanking": "assay.features.ranking",
    "FeatureScaler": "assay.features.scaler",
    "FeatureSelector": "assay.features.selector",
    "FunctionFeatures": "assay.features.function_features",
    "HashingVectorizer": "assay.features.hashing",
    "JoinedVectorizer": "assay.features.joined",
    "Lexicon": "assay.features.lexicon",
    "LexiconFeatures": "assay.features.lexicon_features",
    "TemplateFeatures": "assay.features.template_features",
    "TfidfTransformer": "assay.features.tfidf",
    "TfidfVectorizer": "assay.features.tfidf",
    "WordCharVectorizer": "assay.features.word_char",
    "features_from_settings": "assay.features.settings",
    "load": "assay.features.storage",
    "mark_places": "assay.features.places",
    "measure_features": "assay.features.selection",
    "rank_features": "assay.features.ranking",
    "read_lexicon": "assay.features.lexicon_file",
    "read_templates": "assay.features.template_file",
    "register_feature": "assay.features.functions",
    "vectorizer_from_settings": "assay.features.settings",
}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'assay.features' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
