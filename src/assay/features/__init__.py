"""What a document looks like to a learner: vectorizers and their parts.

The vectorizers are scikit-learn's in all but speed; they are loaded when first used, because loading scikit-learn takes
longer than most of their work.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.features.count import CountVectorizer
    from assay.features.hashing import HashingVectorizer
    from assay.features.storage import load
    from assay.features.tfidf import TfidfTransformer, TfidfVectorizer
    from assay.features.word_char import WordCharVectorizer

__all__ = [
    "CountVectorizer",
    "HashingVectorizer",
    "TfidfTransformer",
    "TfidfVectorizer",
    "WordCharVectorizer",
    "load",
]

_HOME_OF = {
    "CountVectorizer": "assay.features.count",
    "HashingVectorizer": "assay.features.hashing",
    "TfidfTransformer": "assay.features.tfidf",
    "TfidfVectorizer": "assay.features.tfidf",
    "WordCharVectorizer": "assay.features.word_char",
    "load": "assay.features.storage",
}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'assay.features' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
