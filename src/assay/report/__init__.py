"""The report of a training: one HTML file to read, to show and to print, without any network."""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
