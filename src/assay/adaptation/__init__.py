"""Learning from texts of other domains, and from texts without labels."""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
