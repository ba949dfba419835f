"""Learning from texts of other domains (`easy_adapt`, `augmented`), and from texts without labels (`self_training`)."""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
