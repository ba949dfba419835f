"""Words as vectors: learned from text without labels, kept in files, judged, and used as features."""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
