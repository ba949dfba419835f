"""What a document looks like to a learner: vectorizers and their parts.

The vectorizers are scikit-learn's in all but speed; beside them stand features that people design: lexicons, templates
and functions, their scaling, selection and union. All are loaded when first used, because loading scikit-learn takes
longer than most of their work.

::

    texts (documents) ──┬── ngrams ────┐
                        └── designed ──┴── columns ── one matrix

`settings` makes vectorizers of plain tables, `storage` keeps fitted ones in files.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.features.columns.feature_scaler import FeatureScaler
    from assay.features.columns.feature_selector import FeatureSelector
    from assay.features.columns.measures import measure_features
    from assay.features.columns.ranking import FeatureRanking, rank_features
    from assay.features.designed.function_features import FunctionFeatures
    from assay.features.designed.functions import register_feature
    from assay.features.designed.lexicon import Lexicon
    from assay.features.designed.lexicon_features import LexiconFeatures
    from assay.features.designed.lexicon_file import read_lexicon
    from assay.features.designed.places import mark_places
    from assay.features.designed.template_features import TemplateFeatures
    from assay.features.designed.template_file import read_templates
    from assay.features.joined import JoinedVectorizer
    from assay.features.ngrams.count import CountVectorizer
    from assay.features.ngrams.hashing import HashingVectorizer
    from assay.features.ngrams.tfidf import TfidfTransformer, TfidfVectorizer
    from assay.features.ngrams.word_char import WordCharVectorizer
    from assay.features.settings import features_from_settings, vectorizer_from_settings
    from assay.features.storage import load

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
    "CountVectorizer": "assay.features.ngrams.count",
    "FeatureRanking": "assay.features.columns.ranking",
    "FeatureScaler": "assay.features.columns.feature_scaler",
    "FeatureSelector": "assay.features.columns.feature_selector",
    "FunctionFeatures": "assay.features.designed.function_features",
    "HashingVectorizer": "assay.features.ngrams.hashing",
    "JoinedVectorizer": "assay.features.joined",
    "Lexicon": "assay.features.designed.lexicon",
    "LexiconFeatures": "assay.features.designed.lexicon_features",
    "TemplateFeatures": "assay.features.designed.template_features",
    "TfidfTransformer": "assay.features.ngrams.tfidf",
    "TfidfVectorizer": "assay.features.ngrams.tfidf",
    "WordCharVectorizer": "assay.features.ngrams.word_char",
    "features_from_settings": "assay.features.settings",
    "load": "assay.features.storage",
    "mark_places": "assay.features.designed.places",
    "measure_features": "assay.features.columns.measures",
    "rank_features": "assay.features.columns.ranking",
    "read_lexicon": "assay.features.designed.lexicon_file",
    "read_templates": "assay.features.designed.template_file",
    "register_feature": "assay.features.designed.functions",
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
