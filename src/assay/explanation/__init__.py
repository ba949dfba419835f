"""Why a model decides as it does: exact contributions to one decision, and what speaks for each class."""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
