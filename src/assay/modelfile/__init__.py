"""Models in files: one safetensors file that holds only data; `docs/reference/model-file.md` is the written format."""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
